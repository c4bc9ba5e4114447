import { TableError } from './values/tableError';
import type { TableErrorCode } from './types';

/*
 * Calls between two realms, in plain data: the page of a table calls its host, and the host calls
 * the thread that reads the file. Answers come in any order.
 */

/** The parameters of a call and its answer. */
interface Exchange {
  readonly ask: object;
  readonly answer: unknown;
}

/** Calls by name. */
type Exchanges<Calls> = { readonly [Name in keyof Calls]: Exchange };

/** `id` is a positive number, larger each time. */
export type AskMessage<Calls extends Exchanges<Calls>, Name extends keyof Calls = keyof Calls> = {
  [Each in Name]: { readonly type: Each; readonly id: number } & Calls[Each]['ask'];
}[Name];

/** Cancels a call; it rejects with the code `cancelled`. */
export interface CancelMessage {
  readonly type: 'cancel';
  readonly id: number;
}

/** `result` has the answer type of the call with this id. */
export type AnswerMessage =
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly result: unknown }
  | ({ readonly type: 'answer'; readonly id: number; readonly ok: false } & Refusal);

export interface Refusal {
  readonly code: TableErrorCode;
  readonly message: string;
}

export type ReplyMessage =
  { readonly type: 'progress'; readonly id: number; readonly share: number } | AnswerMessage;

export interface AskOptions {
  /** Cancels the call; the promise rejects with `cancelled`. */
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
export class RpcClient<Calls extends Exchanges<Calls>> {
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();

  constructor(private readonly post: (message: AskMessage<Calls> | CancelMessage) => void) {}

  /** Rejects with a TableError. */
  ask<Name extends keyof Calls>(
    type: Name,
    question: Calls[Name]['ask'],
    { signal, onProgress }: AskOptions = {},
  ): Promise<Calls[Name]['answer']> {
    if (signal?.aborted) {
      return Promise.reject(new TableError('cancelled', 'The call was cancelled.'));
    }
    this.lastId += 1;
    const id = this.lastId;
    const cancel = () => {
      if (this.pending.has(id)) {
        this.post({ type: 'cancel', id });
      }
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return new Promise<Calls[Name]['answer']>((resolve, reject) => {
      this.pending.set(id, { resolve, reject, onProgress });
      this.post({ ...question, type, id });
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
      pending?.reject(new TableError(reply.code, reply.message));
    }
  }

  /** Cancels all calls and rejects them with this error. */
  end(error: TableError): void {
    const left = [...this.pending];
    this.pending.clear();
    for (const [id, { reject }] of left) {
      this.post({ type: 'cancel', id });
      reject(error);
    }
  }
}

/** The smallest progress that is reported. */
const minProgressStep = 0.01;

/** Answers calls. */
export class RpcServer<Question extends { readonly id: number }> {
  private readonly running = new Map<number, AbortController>();

  constructor(
    private readonly post: (reply: ReplyMessage) => void,
    private readonly answer: (question: Question, options: Required<AskOptions>) => unknown,
    private readonly refusal: (error: unknown) => Refusal,
  ) {}

  /** Never rejects. */
  async receive(question: Question): Promise<void> {
    const { id } = question;
    const abort = new AbortController();
    this.running.set(id, abort);
    const isWanted = () => this.running.get(id) === abort;
    let reported = -Infinity;
    const onProgress = (share: number) => {
      if (isWanted() && share - reported >= minProgressStep) {
        reported = share;
        this.post({ type: 'progress', id, share });
      }
    };
    let reply: AnswerMessage;
    try {
      const result = await this.answer(question, { signal: abort.signal, onProgress });
      reply = { type: 'answer', id, ok: true, result };
    } catch (error) {
      reply = { type: 'answer', id, ok: false, ...this.refusal(error) };
    }
    if (isWanted()) {
      this.running.delete(id);
      this.post(reply);
    }
  }

  cancel(id: number): void {
    this.running.get(id)?.abort();
  }

  /** Cancels all work without an answer. */
  stop(): void {
    const left = [...this.running.values()];
    this.running.clear();
    for (const abort of left) {
      abort.abort();
    }
  }
}
