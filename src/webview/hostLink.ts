import { type CancelMessage, type ReplyMessage, RpcClient } from '../engine/rpc';
import { TableError } from '../engine/values/tableError';
import {
  type HostMessage,
  isHostMessage,
  type PageCalls,
  type PageMessage,
  type PageRequest,
} from './protocol';

/** The API of VS Code for a webview; it can be acquired once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** A call that was sent. */
export interface PendingCall<Name extends keyof PageCalls> {
  /** Rejects with a TableError whose message can be shown. */
  readonly answer: Promise<PageCalls[Name]['result']>;
  /** Cancels the call; the answer rejects with `cancelled`. */
  readonly cancel: () => void;
}

/** The page's connection to the host. */
export class HostLink {
  /** Called before a message that may hide the page, or start it over. */
  beforeSend: (() => void) | undefined;
  private readonly client: RpcClient<PageCalls>;

  constructor(
    private readonly api: VsCodeApi,
    onMessage: (message: Exclude<HostMessage, ReplyMessage>) => void,
  ) {
    this.client = new RpcClient((message) => {
      api.postMessage(message);
    });
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isHostMessage(data)) {
        return;
      }
      if (data.type === 'progress' || data.type === 'response') {
        this.client.receive(data);
      } else {
        onMessage(data);
      }
    });
  }

  send(message: Exclude<PageMessage, PageRequest | CancelMessage>): void {
    this.beforeSend?.();
    this.api.postMessage(message);
  }

  request<Name extends keyof PageCalls>(
    type: Name,
    payload: PageCalls[Name]['params'],
    onProgress: (share: number) => void = () => undefined,
  ): PendingCall<Name> {
    const abort = new AbortController();
    return {
      answer: this.client.call(type, payload, { signal: abort.signal, onProgress }),
      cancel: () => {
        abort.abort();
      },
    };
  }

  /** Rejects all pending calls: the host starts over and does not answer them. */
  forget(): void {
    this.client.end(new TableError('cancelled', 'The host starts over.'));
  }
}
