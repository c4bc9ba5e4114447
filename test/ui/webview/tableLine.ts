import type { Disposable, Page } from 'playwright-core';
import { Emitter } from '../../../src/base/events/emitter';
import type { HostMessage, PageMessage } from '../../../src/webview/protocol';

type MessageType = PageMessage['type'] | HostMessage['type'];

/**
 * The line between a page and its host, in the place of VS Code: notes what is said, and holds back what
 * a test wants to come later. It answers nothing itself.
 */
export class TableLine {
  /** What the page has asked for, in this order. */
  readonly said: PageMessage[] = [];
  /** What the host has answered and told, in this order. */
  readonly heard: HostMessage[] = [];
  private readonly toHost = new Emitter<unknown>();
  private readonly held = new Map<string, (() => Promise<void>)[]>();
  private readonly waiting = new Set<() => void>();
  private isOpen = true;

  constructor(
    private readonly page: Page,
    private readonly origin: string,
  ) {}

  /** Lets the page say something, until what is returned is disposed. */
  open(): Promise<Disposable> {
    return this.page.exposeFunction('tellHost', (text: string) => {
      const message = JSON.parse(text) as PageMessage;
      this.said.push(message);
      void this.pass(this.kindOf(message), () => {
        this.toHost.fire(message);
        return Promise.resolve();
      });
    });
  }

  /** Tells the page nothing more. */
  close(): void {
    this.isOpen = false;
  }

  /** The editor of the page, as far as its host knows it. */
  panel() {
    const { origin, toHost } = this;
    const webview = {
      options: {},
      html: '',
      cspSource: origin,
      asWebviewUri: ({ path }: { readonly path: string }) =>
        `${origin}${path.slice(path.lastIndexOf('/'))}`,
      onDidReceiveMessage: toHost.event,
      postMessage: (message: HostMessage) => {
        this.heard.push(message);
        return this.pass(message.type, () => this.tellPage(JSON.stringify(message)));
      },
    };
    const dispose = () => undefined;
    return {
      webview,
      title: '',
      visible: true,
      onDidDispose: () => ({ dispose }),
      onDidChangeViewState: () => ({ dispose }),
    };
  }

  /** Holds messages of these types back; what cancels a question is held back behind it. */
  hold(...types: readonly MessageType[]): void {
    types.forEach((type) => this.held.set(type, []));
  }

  /** Waits for a message that is held back and lets the first go on; the others are held on. */
  async releaseOne(type: MessageType): Promise<void> {
    const deliver = await this.until(() => this.held.get(type)?.shift());
    await deliver();
  }

  /** Lets what is held back go on, also the last first, and holds back no more. */
  async release(type: MessageType, reverse = false): Promise<void> {
    const queue = this.held.get(type) ?? [];
    this.held.delete(type);
    await Promise.all((reverse ? queue.reverse() : queue).map((deliver) => deliver()));
  }

  /** How many messages of a type are held back. */
  countHeld(type: MessageType): number {
    return this.held.get(type)?.length ?? 0;
  }

  /** Waits until something is so, which is looked at whenever something was said. */
  until<T>(wanted: () => T | undefined | false): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = wanted();
        if (found !== undefined && found !== false) {
          this.waiting.delete(look);
          resolve(found);
        }
      };
      this.waiting.add(look);
      look();
    });
  }

  private pass(type: string, deliver: () => Promise<void>): Promise<void> {
    const queue = this.held.get(type);
    const delivered = queue ? void queue.push(deliver) : deliver();
    this.waiting.forEach((look) => {
      look();
    });
    return Promise.resolve(delivered);
  }

  private kindOf(message: PageMessage): string {
    const { type } = message;
    const cancelled =
      type === 'cancel' &&
      this.said.find((one) => one.type !== 'cancel' && 'id' in one && one.id === message.id);
    return cancelled ? cancelled.type : type;
  }

  private async tellPage(text: string): Promise<void> {
    if (!this.isOpen) {
      return;
    }
    // A page that is reloaded or closed hears nothing.
    await this.page
      .evaluate((message) => {
        window.postMessage(JSON.parse(message), '*');
      }, text)
      .catch(() => undefined);
  }
}
