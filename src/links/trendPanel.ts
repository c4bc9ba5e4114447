import * as vscode from 'vscode';
import { type TrendHostMessage, trendPageMessage } from '../protocol/trendProtocol';
import { describeServiceError } from '../service/account/ui/describeApiError';
import { Texts } from '../summary/texts';
import type { TrendPoint } from '../summary/trend';
import { trendModel } from '../summary/trendModel';
import { localizedTexts, showPage } from '../workbench/webviewPage';

const { t } = vscode.l10n;

/** What a trend is about. */
export interface TrendSubject {
  /** Identifies it. */
  readonly key: string;
  /** Plain text. */
  readonly title: string;
  /** The oldest first. @throws UserError, ApiError */
  readonly readPoints: () => Promise<readonly TrendPoint[]>;
  /** Opens what a point shows. Errors are shown. */
  readonly open: (source: string) => PromiseLike<unknown>;
  /** Compares what a point shows with the one before. Errors are shown. */
  readonly compare: (source: string) => PromiseLike<unknown>;
}

/** The tabs that show trends: one for each subject. */
export class TrendPanels {
  private readonly panels = new Map<string, TrendPanel>();

  constructor(private readonly bundles: vscode.Uri) {}

  /** Shows a trend as it is now. */
  show(subject: TrendSubject): void {
    const { key, title } = subject;
    const open = this.panels.get(key);
    if (open) {
      open.reveal();
      return;
    }
    const name = t('Trend: {0}', title);
    const panel = vscode.window.createWebviewPanel(
      'scorecard.trend',
      name,
      vscode.ViewColumn.Active,
    );
    this.panels.set(key, new TrendPanel(panel, subject));
    panel.onDidDispose(() => {
      this.panels.delete(key);
    });
    showPage(panel, this.bundles, 'trend', name);
  }
}

class TrendPanel {
  private points: readonly TrendPoint[] = [];

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly subject: TrendSubject,
  ) {
    panel.webview.onDidReceiveMessage((message: unknown) => {
      this.receive(message);
    });
  }

  reveal(): void {
    this.panel.reveal();
    this.draw();
  }

  private receive(raw: unknown): void {
    const message = trendPageMessage(raw);
    if (message?.type === 'open' || message?.type === 'compare') {
      const { type, source } = message;
      if (this.points.some((point) => point.source === source)) {
        this.subject[type](source).then(undefined, () => undefined);
      }
    } else if (message) {
      this.draw();
    }
  }

  private draw(): void {
    this.post({ type: 'loading', message: t('Loading\u2026') });
    const { title, readPoints } = this.subject;
    readPoints().then(
      (points) => {
        this.points = points;
        const [texts, { language: locale }] = [localizedTexts(), vscode.env];
        const trend = trendModel(points, new Texts(texts, locale));
        this.post({ type: 'trend', title, trend, texts, locale });
      },
      (error: unknown) => {
        const message = describeServiceError(error).text;
        this.post({ type: 'failed', message, tryAgain: t('Try Again') });
      },
    );
  }

  private post(message: TrendHostMessage): void {
    // Where it is closed, nothing is to be drawn.
    this.panel.webview.postMessage(message).then(undefined, () => undefined);
  }
}
