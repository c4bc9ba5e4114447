import { type CallOptions, type ReplyMessage, RpcClient } from '../../base/rpc';
import { TableError, toTableError } from '../../engine/page';
import type { HostMessage, PageCalls, PageCommand, ToldTable } from '../../protocol/tableProtocol';

/** The API of VS Code for a webview; it can be acquired once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export class HostLink {
  /** Called before a message that may hide the page, or start it over. */
  beforeSend: (() => void) | undefined;
  /** The number of the table that the page shows. */
  generation: number | undefined;
  private readonly client: RpcClient<PageCalls>;

  constructor(
    private readonly api: VsCodeApi,
    onMessage: (message: Exclude<HostMessage, ReplyMessage>) => void,
  ) {
    this.client = new RpcClient((message) => {
      this.post(message);
    }, toTableError);
    window.addEventListener('message', ({ data }: MessageEvent<HostMessage | null>) => {
      // Other senders may send anything, of other types. The host is trusted.
      if (data?.type === 'progress' || data?.type === 'response') {
        this.client.receive(data);
      } else if (data) {
        onMessage(data);
      }
    });
  }

  send(message: Exclude<PageCommand, ToldTable>): void {
    this.beforeSend?.();
    this.post(message);
  }

  /** Tells the host what the page shows. */
  tell(message: ToldTable): void {
    this.post(message);
  }

  private post(message: object): void {
    const { generation } = this;
    this.api.postMessage(generation === undefined ? message : { ...message, generation });
  }

  /** Rejects with a TableError whose message can be shown. */
  request<Name extends keyof PageCalls>(
    type: Name,
    params: PageCalls[Name]['params'],
    options?: CallOptions,
  ): Promise<PageCalls[Name]['result']> {
    return this.client.call(type, params, options);
  }

  /** Rejects all pending calls: the host starts over and does not answer them. */
  forget(): void {
    this.client.end(new TableError('cancelled', 'The host starts over.'));
  }
}

/** Calls of one purpose: a new one cancels the one before. */
export class LatestCall {
  private current: AbortController | undefined;

  constructor(private readonly link: Pick<HostLink, 'request'>) {}

  get isRunning(): boolean {
    return this.current !== undefined;
  }

  cancel(): void {
    this.current?.abort();
    this.current = undefined;
  }

  /** @returns a promise that does not settle if the call is cancelled, or another one follows it */
  request<Name extends keyof PageCalls>(
    type: Name,
    params: PageCalls[Name]['params'],
    onProgress?: (share: number) => void,
  ): Promise<PageCalls[Name]['result']> {
    this.cancel();
    const abort = new AbortController();
    this.current = abort;
    const answer = this.link.request(type, params, {
      signal: abort.signal,
      ...(onProgress && { onProgress }),
    });
    return new Promise((resolve, reject) => {
      const ifCurrent =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          if (this.current === abort) {
            this.current = undefined;
            settle(value);
          }
        };
      answer.then(ifCurrent(resolve), ifCurrent(reject));
    });
  }
}

/** What to show of a failed call; nothing if it was cancelled. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof TableError && error.code === 'cancelled') {
    return undefined;
  }
  return error instanceof Error ? error.message : String(error);
}
