import type { AgentLoan } from "./agentLoan.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import type { Setup } from "./checkSetup.ts";
import { panelCommands, type Commands } from "./commands.ts";
import { compactCommands } from "./compactCommands.ts";
import { folderCommands } from "./folderCommands.ts";
import { forkCommands } from "./forkTurn.ts";
import { historyCommands, type HistoryTools } from "./historyCommands.ts";
import type { OutputLog } from "./log.ts";
import { optionCommands } from "./optionCommands.ts";
import { previewCommands } from "./previewCommands.ts";
import { queueCommands } from "./queueCommands.ts";
import { searchCommands } from "./searchCommand.ts";
import { secretCommands } from "./secretCommands.ts";
import type { Secrets } from "./secrets.ts";
import { sendCommands } from "./sendToChat.ts";
import type { Services } from "./services.ts";
import { sessionImportCommands } from "./sessionImport.ts";
import { setupCommands } from "./setupCommands.ts";
import { threadCommands } from "./threadCommands.ts";
import { timelineCommands } from "./timelineCommands.ts";
import type { TimelineSurfaces } from "./timelineSurfaces.ts";
import type { Trace } from "./trace.ts";
import type { WorkspaceFolders } from "./workspaceFolders.ts";

/** What some commands need beside what all share. */
export interface CommandTools {
  readonly log: OutputLog;
  readonly timeline: TimelineSurfaces;
  readonly folders: WorkspaceFolders;
  readonly setup: Setup;
  readonly trace: Trace;
  readonly secrets: Secrets;
  readonly loan: AgentLoan;
  readonly history: HistoryTools;
}

/** Every command, by its name after `turnline.`. */
export function allCommands(
  surfaces: ChatSurfaces,
  services: Services,
  tools: CommandTools,
): Commands {
  const { log, timeline, folders, setup, trace, secrets, loan } = tools;
  return {
    ...panelCommands(surfaces, log),
    ...threadCommands(surfaces, services),
    ...queueCommands(surfaces, services),
    ...timelineCommands(timeline, surfaces, services),
    ...searchCommands(surfaces, services),
    ...forkCommands(surfaces, services),
    ...previewCommands(surfaces, services),
    ...folderCommands(surfaces, services, () => folders.roots()),
    ...compactCommands(surfaces, services),
    ...sendCommands(surfaces, services),
    ...optionCommands(surfaces, services, services.options),
    ...setupCommands(surfaces, services, setup, trace),
    ...secretCommands(services, secrets),
    ...sessionImportCommands(surfaces, services, {
      loan,
      folder: () => folders.forNewThread(),
    }),
    ...historyCommands(surfaces, services, tools.history),
  };
}
