import type {
  Ask,
  AskMessage,
  Exchanges,
  HostMessage,
  PageMessage,
} from '../../src/table/protocol';
import { isHostMessage } from '../../src/table/protocol';
import type { TableErrorCode } from '../../src/table/types';

/** What a webview gets from VS Code; it can be taken once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** The host said no. `message` is fit to be shown. */
export class AskError extends Error {
  override readonly name = 'AskError';

  constructor(
    readonly code: TableErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** A question that was asked. */
export interface Asked<Kind extends Ask> {
  /** Rejects with an {@link AskError}. */
  readonly answer: Promise<Exchanges[Kind]['answer']>;
  /** Tells the host that the answer is not wanted any more; it then comes as `cancelled`. */
  readonly cancel: () => void;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: AskError): void;
  readonly onProgress: ((share: number) => void) | undefined;
}

/** The page's end of the line to the host. */
export class HostLink {
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();

  constructor(
    private readonly api: VsCodeApi,
    private readonly onMessage: (
      message: Extract<HostMessage, { type: 'init' | 'info' | 'failed' }>,
    ) => void,
  ) {
    window.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (isHostMessage(event.data)) {
        this.receive(event.data);
      }
    });
  }

  send(message: Exclude<PageMessage, AskMessage>): void {
    this.api.postMessage(message);
  }

  ask<Kind extends Ask>(
    type: Kind,
    question: Exchanges[Kind]['ask'],
    onProgress?: (share: number) => void,
  ): Asked<Kind> {
    const id = (this.lastId += 1);
    const answer = new Promise<Exchanges[Kind]['answer']>((resolve, reject) => {
      this.pending.set(id, {
        resolve,
        reject,
        onProgress,
      });
    });
    this.api.postMessage({ type, id, ...question });
    return {
      answer,
      cancel: () => {
        if (this.pending.has(id)) {
          this.send({ type: 'cancel', id });
        }
      },
    };
  }

  /** The host begins anew: what was asked before gets no answer any more. */
  forget(): void {
    const asked = [...this.pending];
    this.pending.clear();
    for (const [id, pending] of asked) {
      this.send({ type: 'cancel', id });
      pending.reject(new AskError('cancelled', ''));
    }
  }

  private receive(message: HostMessage): void {
    if (message.type === 'progress') {
      this.pending.get(message.id)?.onProgress?.(message.share);
      return;
    }
    if (message.type !== 'answer') {
      this.onMessage(message);
      return;
    }
    const pending = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.ok) {
      pending?.resolve(message.result);
    } else {
      pending?.reject(new AskError(message.code, message.message));
    }
  }
}
