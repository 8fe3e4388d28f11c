import type {
  ElicitationAnswer,
  ElicitationRequest,
} from "../agentFeatures.ts";
import type { Message, Sender, Snowflake } from "../message.ts";
import type { AgentUpdate, PermissionRequest } from "../agentPort.ts";
import type { Clock } from "../ports.ts";
import * as questions from "../turn/questions.ts";
import * as recorder from "../turn/recorder.ts";
import { recordRemark } from "../turn/remarks.ts";
import {
  newRecording,
  type Mint,
  type OpenElicitation,
  type OpenPermission,
  type RecordChange,
  type Recorded,
  type Recording,
} from "../turn/recording.ts";
import type { Write } from "../writes.ts";
import { timing } from "./settings.ts";

/** The recorder's shell: shows changes at once and asks for a flush when rows have to be stored. */
export class Scribe {
  readonly #mint: Mint;
  readonly #clock: Clock;
  readonly #show: (change: RecordChange) => void;
  readonly #askFlush: () => void;
  readonly #permissions = new Map<string, OpenPermission>();
  readonly #elicitations = new Map<string, ElicitationRequest>();
  #recording: Recording;
  #asked = false;
  #timer: (() => void) | null = null;

  constructor(
    thread: string,
    newest: Snowflake | null,
    ports: {
      readonly mint: Mint;
      readonly clock: Clock;
      readonly show: (change: RecordChange) => void;
      readonly askFlush: () => void;
    },
  ) {
    this.#recording = newRecording(thread, newest);
    this.#mint = ports.mint;
    this.#clock = ports.clock;
    this.#show = ports.show;
    this.#askFlush = ports.askFlush;
  }

  get seen(): boolean {
    return this.#recording.seen;
  }

  update(update: AgentUpdate): void {
    this.#take(recorder.record(this.#recording, update, this.#mint));
  }

  begin(batch: Snowflake, speaker: Sender, session: string): void {
    this.#take(
      recorder.beginTurn(this.#recording, batch, speaker, this.#mint, session),
    );
  }

  end(): void {
    this.#take(recorder.endTurn(this.#recording, this.#mint));
  }

  missed(missed: recorder.Missed): void {
    this.#take(recorder.recordMissed(this.#recording, missed, this.#mint));
  }

  openPermission(request: PermissionRequest): void {
    this.#take(questions.openPermission(this.#recording, request, this.#mint));
  }

  closePermission(id: string, chosen: string | null): void {
    this.#take(
      questions.closePermission(this.#recording, id, chosen, this.#mint),
    );
  }

  openElicitation(request: ElicitationRequest): OpenElicitation {
    const recorded = questions.openElicitation(
      this.#recording,
      request,
      this.#mint,
    );
    this.#elicitations.set(request.id, request);
    this.#take(recorded);
    return recorded.opened;
  }

  /** Null when nobody answered. */
  closeElicitation(id: string, answer: ElicitationAnswer | null): void {
    const request = this.#elicitations.get(id);
    if (request === undefined) return;
    this.#elicitations.delete(id);
    this.#take(
      questions.closeElicitation(this.#recording, request, answer, this.#mint),
    );
  }

  /** What the agent says of itself; false when there is no turn to record it in. */
  remark(remark: Parameters<typeof recordRemark>[1]): boolean {
    this.#take(recordRemark(this.#recording, remark, this.#mint));
    return this.#recording.batch !== null;
  }

  closePermissions(): void {
    for (const id of [...this.#permissions.keys()])
      this.closePermission(id, null);
  }

  permissions(): readonly OpenPermission[] {
    return [...this.#permissions.values()];
  }

  tail(): readonly Message[] {
    return recorder.tailOf(this.#recording);
  }

  /** The text that is being streamed. */
  openText(): string | null {
    return this.#recording.open?.message.id ?? null;
  }

  hasPending(): boolean {
    return recorder.hasPending(this.#recording);
  }

  /** What is to be stored; follow with `stored` or `notStored`. */
  writes(): readonly Write[] {
    this.#quiet();
    const taken = recorder.take(this.#recording, this.#mint);
    this.#recording = taken.recording;
    return taken.writes;
  }

  stored(): void {
    this.#recording = recorder.stored(this.#recording);
  }

  notStored(): void {
    this.#recording = recorder.notStored(this.#recording);
  }

  dispose(): void {
    this.#quiet();
  }

  #take(recorded: Recorded): void {
    this.#recording = recorded.recording;
    for (const change of recorded.changes) {
      if (change.kind === "permissionOpened")
        this.#permissions.set(change.permission.id, change.permission);
      if (change.kind === "permissionClosed")
        this.#permissions.delete(change.id);
      this.#show(change);
    }
    if (recorded.urgency === "now") this.#flush();
    else if (recorded.urgency === "soon")
      this.#timer ??= this.#clock.after(timing.coalesceMs, () => this.#flush());
  }

  #flush(): void {
    if (this.#asked) return;
    this.#quiet();
    this.#asked = true;
    this.#askFlush();
  }

  #quiet(): void {
    this.#timer?.();
    this.#timer = null;
    this.#asked = false;
  }
}
