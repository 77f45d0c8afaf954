// The chosen theme, before anything is painted; without a choice, the system's.

/* global document, localStorage */
try {
  const theme = localStorage.getItem("evocheckers-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // a browser that keeps nothing has the system's theme
}
