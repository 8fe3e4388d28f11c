import * as vscode from "vscode";
import { speak } from "../util/l10n.ts";

// Imported for this alone, before everything else that has words.
speak(vscode.l10n.bundle ?? {});
