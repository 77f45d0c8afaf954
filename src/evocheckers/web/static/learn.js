// The page learn.

import { mountShell } from "./shell.js";

mountShell();
