import type { Page } from 'playwright-core';

/**
 * Makes VS Code read WebSocket messages directly. Otherwise it reads every message as a Blob, which the
 * browser keeps in another process: a sixth of the cost of tests in the extension host.
 * Call this before the page is opened.
 */
export async function readMessagesDirectly(page: Page): Promise<void> {
  await page.addInitScript(replaceBlobs);
}

/** Runs in the page. */
function replaceBlobs(): void {
  class DirectSocket extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.binaryType = 'arraybuffer';
    }
  }
  class DirectReader extends FileReader {
    override readAsArrayBuffer(data: Blob | ArrayBuffer): void {
      if (data instanceof Blob) {
        super.readAsArrayBuffer(data);
        return;
      }
      queueMicrotask(() => {
        Object.defineProperty(this, 'result', { value: data, configurable: true });
        this.dispatchEvent(new ProgressEvent('load'));
      });
    }
  }
  Object.assign(window, { WebSocket: DirectSocket, FileReader: DirectReader });
}
