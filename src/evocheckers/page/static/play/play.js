// The page to play on: puts its parts together.

import { mountActions } from "./actions.js";
import { mountAnalysis } from "./analysis.js";
import { LineBrowser, mountNavigation } from "./navigation.js";
import { mountEditor } from "./editor.js";
import { mountLoad } from "./load.js";
import { mountMyGames } from "./my-games.js";
import { mountNewGame } from "./new-game.js";
import { mountResult } from "./result.js";
import { mountSeats } from "./seats.js";
import { Session } from "./session.js";
import { mountShell } from "../common/shell.js";
import { mountSound } from "./sound.js";
import { GameBoard } from "./game-board.js";
import { mountValuePanel } from "./value-panel.js";

const FOLLOW_MS = 2000;

mountShell();
const session = new Session();
const browser = new LineBrowser(session);
const board = new GameBoard(session, browser);
mountSeats(session);
mountNavigation(session, browser);
mountValuePanel(session);
mountActions(session, board);
mountAnalysis(session, board);
mountNewGame(session);
mountLoad(session);
mountEditor(session);
mountMyGames(session);
mountSound(session);
mountResult(session, (game) => {
  location.href = `/review#${game.id}`;
});

window.addEventListener("popstate", () => {
  const hash = location.hash.slice(1);
  if (hash && `#${hash}` !== session.address()) session.open(hash);
});
setInterval(() => {
  if (session.readOnly && !session.game?.ending && !document.hidden) session.refetch(); // somebody else plays it
}, FOLLOW_MS);
session.begin();
