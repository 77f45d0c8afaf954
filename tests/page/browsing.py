"""A page in a real browser, with its complaints, and the ways to move on its board."""

from collections.abc import Callable
from typing import Any

from evocheckers import Board

TWO_PATHS = "W:W27:B15,16,23,24"


class Page:
    """A page with its complaints: errors of the console, refused or failed requests, requests elsewhere."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self.faults: list[str] = []
        page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("requestfailed", self._failed)
        page.on("request", lambda request: None if request.url.startswith(url) else self.faults.append(request.url))
        page.on("response", lambda answer: self.faults.append(answer.url) if answer.status >= 400 else None)

    def _failed(self, request: Any) -> None:
        is_left = request.failure == "net::ERR_ABORTED"  # the page was left before the answer came
        if not is_left and not request.url.endswith(("/events", "/score")):  # a stream ends with its page
            self.faults.append(f"failed: {request.url}")

    def expect_conflicts(self) -> None:
        """Take refusals with status 409 for no fault: somebody else was quicker."""
        self.faults = [fault for fault in self.faults if "409" not in fault and not fault.endswith("/flag")]

    def open(self, path: str = "/") -> "Page":
        self.page.goto(self.url + path)
        return self

    def ready(self) -> "Page":
        """Open the page, and wait until a person can move."""
        self.open()
        self.page.locator(".movable").first.wait_for()
        return self

    def texts(self, selector: str) -> list[str]:
        return self.page.locator(selector).all_inner_texts()

    def square(self, number: int) -> Any:
        return self.page.locator(f"#board [data-square='{number}']")

    def middle(self, square: int) -> tuple[float, float]:
        box = self.square(square).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: int, end: int) -> None:
        self.square(start).scroll_into_view_if_needed()
        (x, y), (to_x, to_y) = self.middle(start), self.middle(end)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
        self.page.mouse.move(to_x, to_y, steps=3)
        self.page.mouse.up()

    def moves(self) -> list[str]:
        return self.texts("#moves button")

    def board(self) -> Board:
        return Board(self.page.input_value("#fen"))

    def settled(self, plies: int) -> None:
        """Until so many plies are played, and it is a person's turn."""
        self.page.locator(f"#status[data-ply='{plies}'][data-waiting=human]").wait_for()

    def hold(self, what: str, answer: str = "") -> None:
        """Let requests of a sort wait until ``release``; then they are sent, or answered by this refusal."""
        script = """([what, answer]) => {
            const real = window.fetch;
            const held = new Promise((resolve) => (window.release = resolve));
            window.fetch = async (path, options) => {
                if (!String(path).endsWith(what)) return real(path, options);
                await held;
                return answer ? new Response(JSON.stringify({detail: answer}), {status: 422}) : real(path, options);
            };
        }"""
        self.page.evaluate(script, [what, answer])

    def release(self) -> None:
        self.page.evaluate("release()")

    def says(self, text: Any) -> None:
        """Until the line beside the board says so."""
        self.page.locator("#status", has_text=text).wait_for()

    def type(self, move: str) -> None:
        self.page.fill("#move-text", move)
        self.page.keyboard.press("Enter")

    def load(self, text: str) -> None:
        """Load a PDN or a FEN."""
        self.page.click("#import")
        self.page.fill("#import-text", text)
        self.page.click("#import-form button[value=load]")
        self.page.locator("#import-dialog").wait_for(state="hidden")

    def new_game(self, level: str = "0", side: str = "black", clock: str = "", rated: str = "") -> None:
        """Begin a game by the dialog; a name makes it rated."""
        self.page.click("#new")
        self.page.check(f"#new-form [name=level][value='{level}']")
        self.page.check(f"#new-form [name=side][value='{side}']")
        self.page.check(f"#new-form [name=clock][value='{clock}']")
        if rated:
            self.page.check("#new-form [name=rated]")
            self.page.fill("#new-name", rated)
        self.page.click("#new-form button[value=start]")
        self.page.locator("#new-dialog").wait_for(state="hidden")


def by_click(page: Page, path: tuple[int, ...]) -> None:
    for square in path:
        page.square(square).click()


def by_drag(page: Page, path: tuple[int, ...]) -> None:
    page.drag(path[0], path[1])
    for square in path[2:]:
        if page.page.locator(".selected").count():
            page.square(square).click()


def by_key(page: Page, path: tuple[int, ...]) -> None:
    for square in path:
        page.square(square).focus()
        page.page.keyboard.press("Enter")


def by_tap(page: Page, path: tuple[int, ...]) -> None:
    for square in path:
        page.square(square).tap()


WAYS: dict[str, Callable[[Page, tuple[int, ...]], None]] = {
    "click": by_click,
    "drag": by_drag,
    "key": by_key,
    "tap": by_tap,
}
