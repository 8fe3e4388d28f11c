import {
  RequestError,
  type JsonRpcId,
} from "@agentclientprotocol/sdk/unstable";

/** One kind of question an agent waits on: how it is read, told, withdrawn, and answered when nobody will. */
export interface QuestionKind<Request extends object, Response> {
  /** Undefined when it does not fit. */
  read(params: unknown): Request | undefined;
  sessionOf(request: Request): string | undefined;
  tell(id: string, request: Request): void;
  gone(id: string): void;
  readonly cancelled: Response;
}

interface Open<Response> {
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly answer: Promise<Response>;
  settle(response: Response): void;
}

/** The open questions of a kind. Each is answered once: by the user, or as cancelled when its turn is over. */
export class Questions<Request extends object, Response> {
  readonly #kind: QuestionKind<Request, Response>;
  readonly #open = new Map<string, Open<Response>>();
  readonly #byRequest = new Map<string, Open<Response>>();
  readonly #cancelling = new Set<string>();
  #next = 1;

  constructor(kind: QuestionKind<Request, Response>) {
    this.#kind = kind;
  }

  /** Called in the order the agent spoke, before its request reaches `answerTo`. */
  asked(request: JsonRpcId, params: unknown): void {
    const parsed = this.#kind.read(params);
    if (parsed === undefined) return;
    const sessionId = this.#kind.sessionOf(parsed);
    const open = opened<Response>(String(this.#next++), sessionId);
    this.#byRequest.set(requestKey(request), open);
    // A cancelled turn may still ask: a question nobody will see must not keep it waiting.
    if (sessionId !== undefined && this.#cancelling.has(sessionId)) {
      open.settle(this.#kind.cancelled);
      return;
    }
    this.#open.set(open.id, open);
    this.#kind.tell(open.id, parsed);
  }

  /** The answer to a request, whenever it comes; `withdrawn` fires when the agent takes it back. */
  answerTo(request: JsonRpcId, withdrawn: AbortSignal): Promise<Response> {
    const open = this.#byRequest.get(requestKey(request));
    this.#byRequest.delete(requestKey(request));
    if (open === undefined)
      throw RequestError.invalidParams(undefined, "the question does not fit");
    if (withdrawn.aborted) this.#drop(open);
    else withdrawn.addEventListener("abort", () => this.#drop(open));
    return open.answer;
  }

  answer(id: string, response: Response): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    open.settle(response);
  }

  /** The agent needs no answer any more. */
  withdraw(id: string): void {
    const open = this.#open.get(id);
    if (open !== undefined) this.#drop(open);
  }

  turnBegun(sessionId: string): void {
    this.#cancelling.delete(sessionId);
  }

  /** From here to `turnOver`, open and new questions of the session are answered as cancelled. */
  cancel(sessionId: string): void {
    this.#cancelling.add(sessionId);
    this.#dropAll(sessionId);
  }

  turnOver(sessionId: string): void {
    this.#cancelling.delete(sessionId);
    this.#dropAll(sessionId);
  }

  end(): void {
    this.#dropAll();
  }

  #dropAll(sessionId?: string): void {
    for (const open of [...this.#open.values()])
      if (sessionId === undefined || open.sessionId === sessionId)
        this.#drop(open);
  }

  #drop(open: Open<Response>): void {
    if (!this.#open.delete(open.id)) return;
    open.settle(this.#kind.cancelled);
    this.#kind.gone(open.id);
  }
}

function opened<Response>(
  id: string,
  sessionId: string | undefined,
): Open<Response> {
  let settle: Open<Response>["settle"] = () => undefined;
  const answer = new Promise<Response>((resolve) => {
    settle = resolve;
  });
  return { id, sessionId, answer, settle };
}

function requestKey(id: JsonRpcId): string {
  return `${typeof id}:${String(id)}`;
}
