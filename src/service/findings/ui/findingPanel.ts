import * as vscode from 'vscode';
import { defined } from '../../../base/defined';
import { CancelledError } from '../../../base/cancelledError';
import type { JsonObject } from '../../../base/json/json';
import { plainText } from '../../../base/text/plainText';
import { maskSecrets } from '../../../vocabulary/secretFields';
import { readTitle } from './findingDocuments';
import { localizedLabel } from '../../../workbench/describe';
import { describeServiceError } from '../../account/ui/describeApiError';
import { type RecordHostMessage, recordPageMessage } from '../../../protocol/recordProtocol';
import type { ShownRecord } from '../../../summary/shownRecord';
import { Texts } from '../../../summary/texts';
import { formatNumber } from '../../../workbench/format';
import { showError } from '../../../workbench/messages';
import {
  type ReadField,
  type RecordHost,
  runRecordAction,
  type WorkspaceActions,
} from '../../../workbench/recordActions';
import { localizedTexts, showPage } from '../../../workbench/webviewPage';
import { hasWorkspace } from '../../../workbench/workspaceFiles';
import { findWorkspaceLinks, shownLinks } from '../../../workbench/workspaceLinks';
import { findingRecord, findingTitle } from '../../../vocabulary/findingSummary';
import { isMasked, shownFinding, textOfValue } from '../shownFinding';
import type { FindingsFeature } from './findingsFeature';
import { findSeverity } from './listFacts';
import { severityOfType } from './severityOfType';

const { t } = vscode.l10n;

/** The page itself shows what goes wrong; a message fails only when it is closed. */
const noFailure = () => undefined;

export interface FindingPanelDeps extends FindingsFeature {
  readonly bundles: vscode.Uri;
  readonly workspace: WorkspaceActions;
}

export class FindingPanel implements vscode.Disposable {
  private readonly listeners: vscode.Disposable;
  private isDisposed = false;
  /** Raised by each drawing: what an earlier one finds out is outdated. */
  private generation = 0;
  private readonly host: RecordHost = {
    run: (action) => this.deps.workspace[action](this.uri),
    readField: async (_, name) => this.readField(name),
    setSecretsShown: (on) => {
      const { documents } = this.deps;
      if (on) {
        documents.showSecrets(this.uri);
      } else {
        documents.hideSecrets(this.uri);
      }
    },
  };

  constructor(
    private readonly uri: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    private readonly deps: FindingPanelDeps,
  ) {
    const { webview } = panel;
    const title = readTitle(uri);
    panel.title = title;
    this.listeners = vscode.Disposable.from(
      webview.onDidReceiveMessage((message) => {
        this.receive(message).catch(noFailure);
      }),
      deps.documents.onDidChange((changed) => {
        if (changed.toString() === uri.toString()) {
          this.draw().catch(noFailure);
        }
      }),
      deps.reported.onDidChange(() => {
        this.draw().catch(noFailure);
      }),
    );
    showPage(panel, deps.bundles, 'record', title);
    // The commands about its secret-like values need no page, which shows what goes wrong.
    this.load().catch(() => undefined);
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners.dispose();
  }

  /** Never rejects, because nothing awaits it. */
  private async receive(raw: unknown): Promise<void> {
    const message = recordPageMessage(raw);
    if (!message) {
      return;
    }
    try {
      switch (message.type) {
        case 'ready':
        case 'reload':
          // A finding that is already loaded replaces it at once.
          this.post({ type: 'loading', message: t('Loading\u2026') });
          await this.draw();
          break;
        default:
          await runRecordAction(message, this.host);
      }
    } catch (error) {
      showError(describeServiceError(error));
    }
  }

  /** @throws CancelledError if it was closed meanwhile. */
  private async load(): Promise<JsonObject> {
    const { documents } = this.deps;
    const entry = await documents.readEntry(this.uri);
    if (this.isDisposed) {
      throw new CancelledError();
    }
    documents.setDrawn(this.uri, entry);
    return entry;
  }

  /** Never rejects. */
  private async draw(): Promise<void> {
    this.generation += 1;
    const { generation } = this;
    try {
      const entry = await this.load();
      const links = hasWorkspace() ? shownLinks(await findWorkspaceLinks(maskSecrets(entry))) : {};
      const { issueType } = this.deps.documents.find(this.uri).list;
      const meaning = await this.deps.meanings.of(issueType);
      const texts = localizedTexts();
      const { names } = this.deps;
      const show = (more: Pick<ShownRecord, 'recommendation'>) => {
        const record = {
          ...this.shownRecord(entry, new Texts(texts, vscode.env.language, {}, names)),
          ...defined({ meaning }),
          ...more,
          links,
        };
        this.post({ type: 'record', record, texts, locale: vscode.env.language });
      };
      show({});
      // A request: the finding does not wait for it.
      const recommendation = await this.deps.counts.companies.recommendation(issueType);
      if (recommendation !== undefined && generation === this.generation) {
        show({ recommendation });
      }
    } catch (error) {
      this.post({
        type: 'failed',
        message: describeServiceError(error).text,
        tryAgain: t('Try Again'),
      });
    }
  }

  private async readField(name: string): Promise<ReadField | undefined> {
    const entry = this.deps.documents.maskUnlessShown(this.uri, await this.load());
    const value = Object.hasOwn(entry, name) ? (entry[name] ?? null) : null;
    return value === null || isMasked(name, value) ? undefined : { name, text: textOfValue(value) };
  }

  private shownRecord(unmasked: JsonObject, texts: Texts): ShownRecord {
    const { documents, scorecards, names } = this.deps;
    const { uri } = this;
    const { list, number } = documents.find(uri);
    const entry = documents.maskUnlessShown(uri, unmasked);
    const { title, ...facts } = findingRecord(entry, number);
    const scorecard = scorecards.find(list.scorecardId)?.name ?? list.scorecardId;
    const ofType = findSeverity(this.deps, list);
    return {
      title: findingTitle(names.title(list.issueType), localizedLabel(title)),
      subtitle: t('Finding {0} of {1}', formatNumber(number), plainText(scorecard, 100)),
      ...shownFinding(entry, facts, texts, ofType && severityOfType(ofType, texts)),
      secrets: documents.stateOf(uri),
    };
  }

  private post(message: RecordHostMessage): void {
    // After it is closed, VS Code throws when the webview is read.
    if (!this.isDisposed) {
      this.panel.webview.postMessage(message).then(undefined, noFailure);
    }
  }
}
