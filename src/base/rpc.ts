import type { Message } from './message';

/*
 * Calls between two realms, in plain data: a page calls its host, and the host calls a thread. Responses come in
 * any order. An error loses its class on the way: each end says what becomes of it.
 */

/** The parameters of a call and its result. */
interface CallType {
  readonly params: object;
  readonly result: unknown;
}

/** Calls by name. */
export type CallTypes<Calls> = { readonly [Name in keyof Calls]: CallType };

/** `id` is a positive number, larger each time. */
export type CallMessage<Calls extends CallTypes<Calls>, Name extends keyof Calls = keyof Calls> = {
  [Each in Name]: { readonly type: Each; readonly id: number } & Calls[Each]['params'];
}[Name];

/** Cancels a call, of which no more is wanted. */
export interface CancelMessage {
  readonly type: 'cancel';
  readonly id: number;
}

/** `result` has the type of the call with this id. */
export type ResponseMessage =
  | { readonly type: 'response'; readonly id: number; readonly ok: true; readonly result: unknown }
  | ({ readonly type: 'response'; readonly id: number; readonly ok: false } & CallFailure);

/** An error in plain data. */
export interface CallFailure {
  /** The cause; `cancelled` if the caller cancelled the call. */
  readonly code: string;
  readonly message: string;
  /** What else users may be told about it. */
  readonly details?: readonly Message[];
}

export type ReplyMessage =
  | { readonly type: 'progress'; readonly id: number; readonly share: number }
  | ResponseMessage;

export interface CallOptions {
  /** Cancels the call; the promise rejects with `cancelled` at once. */
  readonly signal?: AbortSignal;
  /** Called now and then with the share of the work that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((share: number) => void) | undefined;
}

/** Sends calls. */
export class RpcClient<Calls extends CallTypes<Calls>> {
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();

  /** @param toError makes the errors with which calls reject. */
  constructor(
    private readonly post: (message: CallMessage<Calls> | CancelMessage) => void,
    private readonly toError: (failure: CallFailure) => Error,
  ) {}

  /** Rejects with what `toError` makes of the failure. */
  call<Name extends keyof Calls>(
    type: Name,
    params: Calls[Name]['params'],
    { signal, onProgress }: CallOptions = {},
  ): Promise<Calls[Name]['result']> {
    if (signal?.aborted) {
      return Promise.reject(this.toError(cancelled));
    }
    this.lastId += 1;
    const id = this.lastId;
    const cancel = () => {
      this.reject(id, this.toError(cancelled));
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return new Promise<Calls[Name]['result']>((resolve, reject) => {
      this.pending.set(id, { resolve, reject, onProgress });
      this.post({ ...params, type, id });
    }).finally(() => {
      this.pending.delete(id);
      signal?.removeEventListener('abort', cancel);
    });
  }

  receive(reply: ReplyMessage): void {
    const pending = this.pending.get(reply.id);
    if (reply.type === 'progress') {
      pending?.onProgress?.(reply.share);
      return;
    }
    this.pending.delete(reply.id);
    if (reply.ok) {
      pending?.resolve(reply.result as never);
    } else {
      pending?.reject(this.toError(reply));
    }
  }

  /** Cancels all calls and rejects them with this error. */
  end(error: Error): void {
    for (const id of [...this.pending.keys()]) {
      this.reject(id, error);
    }
  }

  private reject(id: number, error: Error): void {
    const pending = this.pending.get(id);
    if (pending) {
      this.pending.delete(id);
      pending.reject(error);
      try {
        this.post({ type: 'cancel', id });
      } catch {
        // Nobody is there any more to cancel it.
      }
    }
  }
}

const cancelled: CallFailure = { code: 'cancelled', message: 'The call was cancelled.' };

/** The smallest progress that is reported. */
const minProgressStep = 0.01;

/** Answers calls. */
export class RpcServer<Call extends { readonly type: unknown; readonly id: number }> {
  private readonly running = new Map<number, AbortController>();

  /** @param toFailure what is answered to a call whose `handle` throws. */
  constructor(
    private readonly post: (reply: ReplyMessage) => void,
    private readonly handle: (call: Call, options: Required<CallOptions>) => unknown,
    private readonly toFailure: (error: unknown) => CallFailure,
  ) {}

  /** Never rejects. */
  async receive(message: Call | CancelMessage): Promise<void> {
    if (isCancel(message)) {
      this.running.get(message.id)?.abort();
    } else {
      await this.answer(message);
    }
  }

  private async answer(call: Call): Promise<void> {
    const { id } = call;
    const abort = new AbortController();
    this.running.set(id, abort);
    const isRunning = () => this.running.get(id) === abort;
    let reported = -Infinity;
    const onProgress = (share: number) => {
      if (isRunning() && share - reported >= minProgressStep) {
        reported = share;
        this.post({ type: 'progress', id, share });
      }
    };
    let reply: ResponseMessage;
    try {
      const result = await this.handle(call, { signal: abort.signal, onProgress });
      reply = { type: 'response', id, ok: true, result };
    } catch (error) {
      reply = { type: 'response', id, ok: false, ...this.toFailure(error) };
    }
    if (isRunning()) {
      this.running.delete(id);
      this.reply(reply);
    }
  }

  /** Says so if a result cannot be sent, for example because it is too large. */
  private reply(reply: ResponseMessage): void {
    try {
      this.post(reply);
    } catch (error) {
      try {
        this.post({ type: 'response', id: reply.id, ok: false, ...this.toFailure(error) });
      } catch {
        // Nobody is there any more.
      }
    }
  }

  /** Cancels all calls, without a response. */
  stop(): void {
    const left = [...this.running.values()];
    this.running.clear();
    for (const abort of left) {
      abort.abort();
    }
  }
}

function isCancel(message: { readonly type: unknown }): message is CancelMessage {
  return message.type === 'cancel';
}
