import type { Message } from './message';
import { isOutOfMemory, tableCauseOf, TableError } from '../engine/data/tableError';
import type { TableErrorCode } from '../engine/data/types';

/*
 * Calls between two realms, in plain data: the page of a table calls its host, and the host calls
 * the thread that reads the file. Responses come in any order.
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

export interface CallFailure {
  readonly code: TableErrorCode;
  readonly message: string;
  /** See {@link TableError.details}. */
  readonly details?: readonly Message[];
}

export type ReplyMessage =
  { readonly type: 'progress'; readonly id: number; readonly share: number } | ResponseMessage;

export interface CallOptions {
  /** Cancels the call; the promise rejects with `cancelled` at once. */
  readonly signal?: AbortSignal;
  /** Called now and then with the share of the work that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: TableError) => void;
  readonly onProgress: ((share: number) => void) | undefined;
}

/** Sends calls. */
export class RpcClient<Calls extends CallTypes<Calls>> {
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();

  constructor(private readonly post: (message: CallMessage<Calls> | CancelMessage) => void) {}

  /** Rejects with a TableError. */
  call<Name extends keyof Calls>(
    type: Name,
    params: Calls[Name]['params'],
    { signal, onProgress }: CallOptions = {},
  ): Promise<Calls[Name]['result']> {
    if (signal?.aborted) {
      return Promise.reject(cancelled());
    }
    this.lastId += 1;
    const id = this.lastId;
    const cancel = () => {
      this.reject(id, cancelled());
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return new Promise<Calls[Name]['result']>((resolve, reject) => {
      this.pending.set(id, { resolve, reject, onProgress });
      this.post({ ...params, type, id });
    }).finally(() => signal?.removeEventListener('abort', cancel));
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
      const { code, message, details = [] } = reply;
      pending?.reject(new TableError(code, message, { details }));
    }
  }

  /** Cancels all calls and rejects them with this error. */
  end(error: TableError): void {
    for (const id of [...this.pending.keys()]) {
      this.reject(id, error);
    }
  }

  private reject(id: number, error: TableError): void {
    const pending = this.pending.get(id);
    if (pending) {
      this.pending.delete(id);
      this.post({ type: 'cancel', id });
      pending.reject(error);
    }
  }
}

function cancelled(): TableError {
  return new TableError('cancelled', 'The call was cancelled.');
}

/** What a thread answers to a call that failed. */
export function failureOf(error: unknown): CallFailure {
  return {
    code: isOutOfMemory(error) ? 'memory' : (tableCauseOf(error) ?? 'internal'),
    message: error instanceof Error ? error.message : String(error),
    details: error instanceof TableError ? error.details : [],
  };
}

/** The smallest progress that is reported. */
const minProgressStep = 0.01;

/** Answers calls. */
export class RpcServer<Call extends { readonly type: unknown; readonly id: number }> {
  private readonly running = new Map<number, AbortController>();

  constructor(
    private readonly post: (reply: ReplyMessage) => void,
    private readonly handle: (call: Call, options: Required<CallOptions>) => unknown,
    private readonly describe: (error: unknown) => CallFailure = failureOf,
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
      reply = { type: 'response', id, ok: false, ...this.describe(error) };
    }
    if (isRunning()) {
      this.running.delete(id);
      this.post(reply);
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
