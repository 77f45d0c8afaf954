// The server's JSON API.

export class Refusal extends Error {
  constructor(status, detail) { super(detail); this.status = status; }
}

async function answer(response) {
  const body = await response.json().catch(() => ({ detail: `the server answered ${response.status}` }));
  if (!response.ok) throw new Refusal(response.status, typeof body.detail === "string" ? body.detail : "refused");
  return body;
}

export async function get(path) { return answer(await fetch(path)); }

export async function post(path, body = {}) {
  return answer(await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}
