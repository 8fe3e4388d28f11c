import type { Reply } from "../core/dispatch/events.ts";
import type { Engine } from "../core/engine.ts";
import type { ToHost } from "../protocol/toHost.ts";
import { assertNever } from "../util/assertNever.ts";

/** What a view asks of a thread's queue, of the turn that runs, or of what that turn waits for. */
export type QueueRequest = Extract<
  ToHost,
  {
    type:
      | "editBegin"
      | "editSave"
      | "editCancel"
      | "remove"
      | "restore"
      | "reorder"
      | "merge"
      | "separate"
      | "hold"
      | "resume"
      | "sendNow"
      | "stop"
      | "cancelAll"
      | "answerPermission";
  }
>;

/** Hands it on to the engine; an item is edited in the name of the view. */
export async function changeQueue(
  engine: Engine,
  message: QueueRequest,
  view: string,
): Promise<Reply> {
  switch (message.type) {
    case "editBegin":
      return engine.beginEdit(message.thread, message.id, view);
    case "editSave":
      return engine.saveEdit(
        message.thread,
        message.id,
        view,
        message.text === "" ? [] : [{ type: "text", text: message.text }],
        message.kept,
        message.split,
      );
    case "editCancel":
      await engine.cancelEdit(view, message.thread, message.id);
      return { ok: true };
    case "remove":
      return engine.remove(message.thread, [message.id]);
    case "restore":
      return engine.restore(message.thread, message.ids);
    case "reorder":
      return engine.reorder(message.thread, message.id, message.before);
    case "merge":
      return engine.merge(message.thread, message.id, message.with);
    case "separate":
      return engine.setSeparate(message.thread, message.id, message.on);
    case "hold":
      return engine.hold(message.thread);
    case "resume":
      return engine.resume(message.thread);
    case "sendNow":
      return engine.sendNow(message.thread, message.id ?? null);
    case "stop":
      return engine.cancel(message.thread);
    case "cancelAll":
      return engine.cancelAll(message.thread);
    case "answerPermission":
      return engine.answerPermission(
        message.thread,
        message.permission,
        message.option,
      );
    default:
      return assertNever(message);
  }
}
