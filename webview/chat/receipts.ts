import { assertNever } from "../../src/util/assertNever.ts";
import type { ViewBatch, ViewMessage } from "../../src/protocol/transcript.ts";
import type { QueueItem } from "../../src/protocol/viewState.ts";
import { exactTime } from "./format.ts";
import type { IconName } from "./icons.ts";
import { words } from "./strings.ts";

/** What a message shows about its fate. */
export interface Receipt {
  readonly icon: IconName;
  readonly title: string;
  readonly needsYou: boolean;
}

const plain = (icon: IconName, title: string): Receipt => ({
  icon,
  title,
  needsYou: false,
});

export function receiptOf(
  message: ViewMessage,
  batch: ViewBatch | undefined,
): Receipt | undefined {
  const { state } = message;
  const sentAt = exactTime(batch?.startedAt ?? message.at);
  switch (state) {
    case null:
      return undefined;
    case "queued":
      return plain("circle", words.receipt.queued(exactTime(message.at)));
    case "claimed":
      return plain("circle", words.receipt.claimed);
    case "sent":
      return plain("check", words.receipt.sent(sentAt));
    case "delivered":
      return plain("check-all", words.receipt.delivered(sentAt));
    case "seenAborted":
      return plain("circle-slash", words.receipt.seenAborted(sentAt));
    case "uncertain":
      return {
        icon: "question",
        title: words.receipt.uncertain(sentAt),
        needsYou: true,
      };
    case "superseded":
      return plain("redo", words.receipt.superseded);
    case "discarded":
      return plain("close", words.receipt.discarded);
    default:
      return assertNever(state);
  }
}

/** A queued message has its own receipt, whatever stands beside it. */
export function queueReceipt(item: QueueItem, restored: boolean): Receipt {
  if (item.waiting) return plain("save", words.receipt.waiting);
  if (restored) return plain("circle", words.receipt.restored);
  const at = exactTime(item.at);
  const alone = item.separate || item.command;
  return plain(
    "circle",
    alone ? words.receipt.queuedAlone(at) : words.receipt.queued(at),
  );
}
