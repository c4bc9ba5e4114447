import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/events/emitter';
import { UserError } from '../../../src/base/userError';
import { type ReadTrend, TrendPanels, type TrendSubject } from '../../../src/links/trendPanel';
import type { TrendOptions } from '../../../src/links/reportTrends';
import { type TrendsDeps, trendTabs } from '../../../src/links/trends';
import {
  trendAbout,
  type TrendHostMessage,
  type TrendPageMessage,
} from '../../../src/protocol/trendProtocol';
import { noSeverities } from '../../../src/summary/trend';
import { isolate } from '../helpers';
import { until } from '../until';
import { told } from '../window';

/** A tab in the place of that of VS Code, with what its page gets. */
class Tab {
  readonly messages: TrendHostMessage[] = [];
  readonly fromPage = new Emitter<TrendPageMessage>();
  readonly disposed = new Emitter<undefined>();
  readonly panel = {
    webview: {
      options: {},
      html: '',
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.fromPage.event,
      postMessage: (message: TrendHostMessage) => {
        this.messages.push(message);
        return Promise.resolve(true);
      },
    },
    onDidDispose: this.disposed.event,
    reveal: () => undefined,
    dispose: () => {
      this.isDisposed = true;
    },
  };
  isDisposed = false;

  get types(): string[] {
    return this.messages.map(({ type }) => type);
  }
}

/** A subject that a test answers. */
class Subject implements TrendSubject {
  readonly about = { id: 'subject' };
  readonly title = 'Subject';
  readonly reads: Required<TrendOptions>[] = [];
  private readonly ends: ((end: ReadTrend | Error) => void)[] = [];

  readonly read = (options: TrendOptions = {}) => {
    this.reads.push(options as Required<TrendOptions>);
    return new Promise<ReadTrend>((resolve, reject) => {
      this.ends.push((end) => {
        if (end instanceof Error) {
          reject(end);
        } else {
          resolve(end);
        }
      });
    });
  };

  readonly open = (source: string) =>
    Promise.reject(new UserError(`${source} was removed.`, 'notFound'));
  readonly compare = () => Promise.resolve();

  answer(read: number, end: number | Error): void {
    const point = { at: Date.UTC(2026, 10, 28), severity: noSeverities, source: 'a' };
    this.ends[read]?.(
      end instanceof Error ? end : { points: [{ ...point, open: end }], days: 'local' },
    );
  }
}

describe('The tab of a trend', () => {
  isolate();
  const { window } = vscode;
  const original = window.createWebviewPanel;
  let tab: Tab;
  let subject: Subject;
  let panels: TrendPanels;

  beforeEach(() => {
    tab = new Tab();
    subject = new Subject();
    window.createWebviewPanel = () => tab.panel as unknown as vscode.WebviewPanel;
    panels = new TrendPanels(vscode.Uri.file('/'));
  });
  afterEach(() => {
    window.createWebviewPanel = original;
  });

  /** The numbers of open findings on the page, in the order in which they came. */
  function numbers(): (string | undefined)[] {
    return tab.messages.flatMap((message) =>
      message.type === 'trend' ? [message.trend.rows[0]?.cells[1]] : [],
    );
  }

  const shows = (count: number) => until(`${count} are shown`, () => numbers().length === count);

  it('The tab of a trend draws again what it has read when a user comes back to it', async () => {
    panels.show(subject);
    tab.fromPage.fire({ type: 'ready' });
    subject.answer(0, 5);
    await shows(1);
    tab.fromPage.fire({ type: 'ready' });
    tab.fromPage.fire({ type: 'ready' });
    assert.deepEqual(numbers(), ['5', '5', '5']);
    assert.equal(subject.reads.length, 1);
  });

  it('The tab of a trend comes back when the window is reloaded, once', async () => {
    panels.show(subject);
    tab.fromPage.fire({ type: 'ready' });
    subject.answer(0, 5);
    await shows(1);
    const [kept] = tab.messages.flatMap((message) =>
      message.type === 'trend' ? [message.about] : [],
    );
    assert.deepEqual(trendAbout(kept), { id: 'subject' });
    assert.equal(trendAbout({ other: 1 }), undefined);
    // After the reload.
    panels = new TrendPanels(vscode.Uri.file('/'));
    tab = new Tab();
    const [restored, again] = [new Subject(), new Tab()];
    panels.restore(tab.panel as unknown as vscode.WebviewPanel, restored);
    tab.fromPage.fire({ type: 'ready' });
    restored.answer(0, 7);
    await shows(1);
    assert.deepEqual(numbers(), ['7']);
    panels.restore(again.panel as unknown as vscode.WebviewPanel, restored);
    assert.equal(again.isDisposed, true);
    assert.equal(restored.reads.length, 1);
  });

  it('The tab of a trend comes back when it was still being read', () => {
    panels.show(subject);
    tab.fromPage.fire({ type: 'ready' });
    const [loading] = tab.messages;
    assert.equal(loading?.type, 'loading');
    assert.deepEqual(trendAbout(loading.about), { id: 'subject' });
  });

  it('The tab of a trend stays closed when a user closes it before it has come back', async () => {
    for (const isEarly of [true, false]) {
      const panel = original('scorecard.test', 'A trend', vscode.ViewColumn.Active);
      let start: () => void = () => undefined;
      const started = new Promise<void>((resolve) => {
        start = resolve;
      });
      const deps = { panels, started, reports: {} } as unknown as TrendsDeps;
      if (isEarly) {
        panel.dispose();
      }
      const restored = trendTabs(deps).deserializeWebviewPanel(panel, { path: '/a.csv' });
      panel.dispose();
      start();
      await restored;
    }
  });

  it('The tab of a trend reads it again when a user shows it again, once, and keeps the page meanwhile', async () => {
    panels.show(subject);
    tab.fromPage.fire({ type: 'ready' });
    subject.answer(0, 5);
    await shows(1);
    const drawn = tab.messages.length;
    panels.show(subject);
    // Its page starts again where it was hidden.
    tab.fromPage.fire({ type: 'ready' });
    panels.show(subject);
    assert.equal(subject.reads.length, 2);
    subject.reads[1]?.onProgress(3, 100);
    assert.ok(!tab.types.slice(drawn).includes('loading'));
    subject.answer(1, 6);
    await shows(3);
    assert.deepEqual(numbers(), ['5', '5', '6']);
  });

  it('The tab of a trend says which report is read, and what went wrong until a user tries again', async () => {
    panels.show(subject);
    tab.fromPage.fire({ type: 'ready' });
    subject.reads[0]?.onProgress(2, 100);
    assert.deepEqual(tab.messages.at(-1), {
      type: 'loading',
      about: { id: 'subject' },
      message: 'Reading report 3 of 100\u2026',
    });
    subject.answer(0, new UserError('The disk is gone.', 'config'));
    await until('it failed', () => tab.types.at(-1) === 'failed');
    tab.fromPage.fire({ type: 'ready' });
    assert.equal(subject.reads.length, 1);
    tab.fromPage.fire({ type: 'reload' });
    assert.equal(tab.types.at(-1), 'loading');
    // An answer to an earlier question comes too late.
    tab.fromPage.fire({ type: 'reload' });
    subject.answer(1, 1);
    subject.answer(2, 2);
    await shows(1);
    assert.deepEqual(numbers(), ['2']);
    assert.deepEqual(
      subject.reads.map(({ signal }) => signal.aborted),
      [false, true, false],
    );
  });

  it('The tab of a trend reads no further once it is closed', async () => {
    panels.show(subject);
    tab.fromPage.fire({ type: 'ready' });
    const before = tab.messages.length;
    tab.disposed.fire(undefined);
    assert.equal(subject.reads[0]?.signal.aborted, true);
    subject.reads[0].onProgress(1, 2);
    subject.answer(0, 5);
    await Promise.resolve();
    assert.equal(tab.messages.length, before);
  });

  it('The tab of a trend says that a report is no longer there', async () => {
    panels.show(subject);
    subject.answer(0, 5);
    await shows(1);
    tab.fromPage.fire({ type: 'open', source: 'b' });
    tab.fromPage.fire({ type: 'open', source: 'a' });
    await until('it says so', () => told('showErrorMessage').length > 0);
    assert.deepEqual(told('showErrorMessage'), ['a was removed.']);
  });
});
