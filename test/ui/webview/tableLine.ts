import type { Disposable, Page } from 'playwright-core';
import { Emitter } from '../../../src/base/events/emitter';
import type { HostMessage, PageMessage } from '../../../src/protocol/tableProtocol';

type MessageType = PageMessage['type'] | HostMessage['type'];

/**
 * The line between a page and its host, in the place of VS Code. It records all messages, and holds back those
 * that a test delays. It answers nothing itself.
 */
export class TableLine {
  /** The messages of the page, in order. */
  readonly fromPage: PageMessage[] = [];
  /** The messages of the host, in order. */
  readonly fromHost: HostMessage[] = [];
  private readonly toHost = new Emitter<unknown>();
  private readonly heldBack = new Map<string, (() => Promise<void>)[]>();
  private readonly waiting = new Set<() => void>();
  private readonly closed = new Emitter<undefined>();
  private isOpen = true;

  constructor(
    private readonly page: Page,
    private readonly origin: string,
  ) {}

  /** Receives the messages of the page, until the returned object is disposed. */
  open(): Promise<Disposable> {
    return this.page.exposeFunction('sendToHost', (text: string) => {
      const sent = JSON.parse(text) as PageMessage & { readonly generation?: number };
      // All messages have it: which table they are about.
      const { generation: _, ...message } = sent;
      this.fromPage.push(message);
      void this.pass(this.kindOf(message), () => {
        this.toHost.fire(sent);
        return Promise.resolve();
      });
    });
  }

  /** Ends like an editor that is closed: neither side hears anything more. */
  close(): void {
    this.isOpen = false;
    this.closed.fire(undefined);
  }

  /** The editor of the page, with the members that its host uses. */
  panel() {
    const { origin, toHost, closed } = this;
    const webview = {
      options: {},
      html: '',
      cspSource: origin,
      asWebviewUri: ({ path }: { readonly path: string }) =>
        `${origin}${path.slice(path.lastIndexOf('/'))}`,
      onDidReceiveMessage: toHost.event,
      postMessage: (message: HostMessage) => {
        this.fromHost.push(message);
        return this.pass(message.type, () => this.sendToPage(JSON.stringify(message)));
      },
    };
    const dispose = () => undefined;
    return {
      webview,
      title: '',
      visible: true,
      onDidDispose: closed.event,
      onDidChangeViewState: () => ({ dispose }),
    };
  }

  /** Holds back messages of these types. The cancellation of a request waits behind the request. */
  holdBack(...types: readonly MessageType[]): void {
    types.forEach((type) => this.heldBack.set(type, []));
  }

  /** Waits for a message that is held back, and delivers the first one. */
  async releaseOne(type: MessageType): Promise<void> {
    const deliver = await this.until(() => this.heldBack.get(type)?.shift());
    await deliver();
  }

  /** Delivers the messages that are held back, and holds back no more. @param reverse the last one first */
  async release(type: MessageType, reverse = false): Promise<void> {
    const queue = this.heldBack.get(type) ?? [];
    this.heldBack.delete(type);
    await Promise.all((reverse ? queue.reverse() : queue).map((deliver) => deliver()));
  }

  /** How many messages of a type are held back. */
  countHeldBack(type: MessageType): number {
    return this.heldBack.get(type)?.length ?? 0;
  }

  /** Waits for a condition, which is checked with each message. @returns its value */
  until<T>(condition: () => T | undefined | false): Promise<T> {
    return new Promise((resolve) => {
      const check = () => {
        const found = condition();
        if (found !== undefined && found !== false) {
          this.waiting.delete(check);
          resolve(found);
        }
      };
      this.waiting.add(check);
      check();
    });
  }

  private pass(type: string, deliver: () => Promise<void>): Promise<void> {
    const queue = this.heldBack.get(type);
    const delivered = queue ? void queue.push(deliver) : deliver();
    this.waiting.forEach((check) => {
      check();
    });
    return Promise.resolve(delivered);
  }

  private kindOf(message: PageMessage): string {
    const { type } = message;
    const cancelled =
      type === 'cancel' &&
      this.fromPage.find((one) => one.type !== 'cancel' && 'id' in one && one.id === message.id);
    return cancelled ? cancelled.type : type;
  }

  private async sendToPage(text: string): Promise<void> {
    if (!this.isOpen) {
      return;
    }
    // A page that is reloaded or closed receives nothing.
    await this.page
      .evaluate((message) => {
        window.postMessage(JSON.parse(message), '*');
      }, text)
      .catch(() => undefined);
  }
}
