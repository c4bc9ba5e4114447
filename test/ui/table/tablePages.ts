import * as fs from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { pageHtml } from '../../../src/table/pageHtml';

import { Cleanup } from '../../host/cleanup';
import { bundle } from '../../host/paths';
import { sharedHost } from '../../host/sharedHost';
import type { FakeHostOptions } from './fakeHostApi';
import { TableDriver } from './tableDriver';
import { themes, type ThemeName } from './themes';

export interface TableOptions extends Partial<Omit<FakeHostOptions, 'theme'>> {
  readonly theme?: ThemeName;
  readonly context?: BrowserContextOptions;
  /** What the browser says it runs on, such as `MacIntel`. */
  readonly platform?: string;
}

/** Opens pages of Report Tables in a browser, each with a host of its own in it. */
export interface TablePages {
  open(options?: TableOptions): Promise<TableDriver>;
}

const nonce = 'bm9uY2U';

/** Gives the tests of a suite the page as it is shipped, on loopback, under its own policy. */
export function useTablePages(): TablePages {
  const cleanup = new Cleanup();
  let browser: Browser | undefined;
  let origin = '';
  const open: TableDriver[] = [];

  before(async () => {
    const server = http.createServer(serve);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanup.add(server, (listening) => {
      listening.close();
      listening.closeAllConnections();
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    ({ browser } = await sharedHost());
  });

  afterEach(async function () {
    for (const [at, driver] of open.entries()) {
      if (this.currentTest?.state === 'failed') {
        const name = this.currentTest.fullTitle().replace(/[^a-z0-9]+/gi, '-');
        const picture = path.join(bundle('ui-failures'), `${name}-${at}.png`);
        await driver.page.screenshot({ path: picture });
        console.log(`      Picture: ${picture}`);
      }
      await driver.page.context().close();
    }
    const complaints = open.flatMap((driver) => driver.complaints);
    open.length = 0;
    // A page that throws, or breaks its policy, is wrong whatever it shows.
    if (complaints.length > 0) {
      throw new Error(complaints.join('\n'));
    }
  });

  after(() => cleanup.run());

  return {
    async open({ theme = 'dark', context: contextOptions, platform, ...options } = {}) {
      if (!browser) {
        throw new Error('Use this inside a test: nothing is started before.');
      }
      const context = await browser.newContext({
        viewport: { width: 1200, height: 700 },
        timezoneId: 'Europe/Berlin',
        ...contextOptions,
      });
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      const host: FakeHostOptions = {
        ...{ rows: 5_000_000, wrongRows: 0, info: {}, fields: [] },
        ...options,
        theme: themes[theme],
      };
      await page.addInitScript((given) => {
        window.fakeHostOptions = given;
      }, host);
      if (platform !== undefined) {
        await page.addInitScript((told) => {
          Object.defineProperty(navigator, 'platform', { value: told });
        }, platform);
      }
      await page.addInitScript({ path: bundle('test/ui/table/fakeHost.js') });
      const driver = new TableDriver(page);
      open.push(driver);
      await page.goto(origin);
      await driver.grid.waitFor();
      return driver;
    },
  };
}

function serve(request: http.IncomingMessage, response: http.ServerResponse): void {
  const files: Partial<Record<string, string>> = {
    '/table.js': 'text/javascript',
    '/table.css': 'text/css',
  };
  const url = request.url ?? '';
  const type = files[url];
  if (type) {
    response.setHeader('content-type', type);
    response.end(fs.readFileSync(bundle(`extension/dist${url}`)));
    return;
  }
  response.setHeader('content-type', 'text/html');
  response.end(
    url === '/'
      ? pageHtml({
          ...{ script: '/table.js', style: '/table.css', nonce, locale: 'en' },
          ...{ cspSource: `http://${request.headers.host ?? ''}`, title: 'Report Table' },
        })
      : '',
  );
}
