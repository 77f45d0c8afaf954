// The page to play on: puts its parts together.

import { mountActions } from "./actions.js";
import { mountAnalysis } from "./analysis.js";
import { Aside } from "./navigation.js";
import { mountEditor } from "./editor.js";
import { mountLoad } from "./load.js";
import { mountMoves } from "../board/moves.js";
import { mountMyGames } from "./my-games.js";
import { mountNewGame } from "./new-game.js";
import { mountResult } from "./result.js";
import { mountSeats } from "./seats.js";
import { Session } from "./session.js";
import { mountShell } from "../common/shell.js";
import { mountSound } from "./sound.js";
import { Table } from "./game-board.js";
import { mountValues } from "./value-panel.js";

const FOLLOW_MS = 2000;

mountShell();
const session = new Session();
const aside = new Aside(session);
const table = new Table(session, aside);
mountSeats(session);
mountMoves(session, aside);
mountValues(session);
mountActions(session, table);
mountAnalysis(session, table);
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
