// The page puzzles.

import { mountShell } from "./shell.js";

mountShell();
