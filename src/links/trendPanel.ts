import * as vscode from 'vscode';
import { systemClock } from '../base/events/clock';
import { type TrendAbout, type TrendShown, trendPageMessage } from '../protocol/trendProtocol';
import { describeServiceError } from '../service/account/ui/describeApiError';
import { Texts } from '../summary/texts';
import { trendTabId } from '../contributions';
import type { TrendPoint, TrendTime } from '../summary/trend';
import { trendModel } from '../summary/trendModel';
import { showError } from '../workbench/messages';
import { localizedTexts, showPage } from '../workbench/webviewPage';
import type { TrendOptions } from './reportTrends';

const { t } = vscode.l10n;

/** What a trend is about. */
export interface TrendSubject {
  /** Identifies it. */
  readonly about: TrendAbout;
  /** Plain text. */
  readonly title: string;
  /** @throws UserError, ApiError, and the reason of the signal */
  readonly read: (options?: TrendOptions) => Promise<ReadTrend>;
  /** Opens what a point shows. @throws UserError if it is no longer there; all other errors are shown */
  readonly open: (source: string) => Promise<unknown>;
  /** Compares what a point shows with the one before. @throws as `open` */
  readonly compare: (source: string) => Promise<unknown>;
}

/** A trend as it was read. */
export interface ReadTrend extends Pick<TrendTime, 'days'> {
  /** The oldest first. */
  readonly points: readonly TrendPoint[];
}

/** The tabs that show trends: one for each subject. */
export class TrendPanels {
  private readonly panels = new Map<string, TrendPanel>();

  constructor(private readonly bundles: vscode.Uri) {}

  /** Shows a trend as it is now. */
  show(subject: TrendSubject): void {
    const open = this.panels.get(JSON.stringify(subject.about));
    if (open) {
      open.reveal();
      return;
    }
    const name = nameOf(subject);
    this.fill(
      vscode.window.createWebviewPanel(trendTabId, name, vscode.ViewColumn.Active),
      subject,
    );
  }

  /** Shows a trend in a tab of the window before it was reloaded. */
  restore(panel: vscode.WebviewPanel, subject: TrendSubject): void {
    if (this.panels.has(JSON.stringify(subject.about))) {
      panel.dispose();
      return;
    }
    panel.title = nameOf(subject);
    this.fill(panel, subject);
  }

  private fill(panel: vscode.WebviewPanel, subject: TrendSubject): void {
    const key = JSON.stringify(subject.about);
    this.panels.set(key, new TrendPanel(panel, subject));
    panel.onDidDispose(() => {
      this.panels.delete(key);
    });
    showPage(panel, this.bundles, 'trend', nameOf(subject));
  }
}

function nameOf({ title }: TrendSubject): string {
  return t('Trend: {0}', title);
}

/**
 * One tab. VS Code discards its page while another tab is in front: what was read is kept here, and drawn again. It is
 * read again when a user asks for it.
 */
class TrendPanel {
  private points: readonly TrendPoint[] = [];
  /** What the page shows. */
  private shown: TrendShown = { type: 'loading', message: t('Loading\u2026') };
  private reading: AbortController | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly subject: TrendSubject,
  ) {
    panel.webview.onDidReceiveMessage((message: unknown) => {
      this.receive(message);
    });
    panel.onDidDispose(() => this.reading?.abort());
    this.read();
  }

  /** Also reads the trend again, unless that is under way. */
  reveal(): void {
    this.panel.reveal();
    if (!this.reading) {
      this.read();
    }
  }

  private receive(raw: unknown): void {
    const message = trendPageMessage(raw);
    switch (message?.type) {
      case 'open':
      case 'compare':
        if (this.points.some(({ source }) => source === message.source)) {
          this.subject[message.type](message.source).catch((error: unknown) => {
            showError(describeServiceError(error));
          });
        }
        break;
      case 'reload':
        this.show({ type: 'loading', message: t('Loading\u2026') });
        this.read();
        break;
      case 'ready':
        this.show(this.shown);
        break;
      default:
    }
  }

  private read(): void {
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    const { signal } = reading;
    const onProgress = (done: number, total: number) => {
      // What was read before stays on the page meanwhile.
      if (!signal.aborted && total > 1 && this.shown.type === 'loading') {
        this.show({
          type: 'loading',
          message: t('Reading report {0} of {1}\u2026', done + 1, total),
        });
      }
    };
    const end = (message: TrendShown) => {
      if (!signal.aborted) {
        this.reading = undefined;
        this.show(message);
      }
    };
    this.subject.read({ signal, onProgress }).then(
      (trend) => {
        if (!signal.aborted) {
          this.points = trend.points;
        }
        end(this.draw(trend));
      },
      (error: unknown) => {
        const message = describeServiceError(error).text;
        end({ type: 'failed', message, tryAgain: t('Try Again') });
      },
    );
  }

  private draw({ points, days }: ReadTrend): TrendShown {
    const [texts, { language: locale }] = [localizedTexts(), vscode.env];
    const time = { now: systemClock.now(), days };
    const trend = trendModel(points, new Texts(texts, locale), time);
    const { title } = this.subject;
    return { type: 'trend', title, trend, texts, locale };
  }

  private show(message: TrendShown): void {
    this.shown = message;
    const { about } = this.subject;
    // Where it is closed, nothing is to be drawn.
    this.panel.webview.postMessage({ ...message, about }).then(undefined, () => undefined);
  }
}
