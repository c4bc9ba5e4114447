import * as vscode from 'vscode';
import { CancelledError } from '../../../base/cancelledError';
import { isContainer, type JsonObject, type JsonValue } from '../../../base/json/json';
import { plainText } from '../../../base/text/plainText';
import { isSecretField, mask, maskSecrets } from '../../../vocabulary/secretFields';
import { copyValue } from './copyCommands';
import { titleOf } from './findingDocuments';
import { localizedLabel } from '../../../workbench/describe';
import { describeServiceError } from '../../account/ui/describeApiError';
import { formatNumber } from '../../../workbench/format';
import { showError } from '../../../workbench/messages';
import type { Cell } from '../../../engine/page';
import {
  type FindingField,
  type FindingHostMessage,
  findingPageMessage,
  type ShownFinding,
} from '../../../protocol/findingProtocol';
import type { FindingsFeature } from './findingsFeature';
import { findingFacts } from './findingFacts';
import { localizedTexts, showPage } from '../../../workbench/webviewPage';
import { hasWorkspace } from '../../../workbench/workspaceFiles';
import { linksOf, shownLinks } from '../../../workbench/workspaceLinks';
import { findingRecord } from '../../../vocabulary/findingSummary';

const { t } = vscode.l10n;

export interface FindingPanelDeps extends FindingsFeature {
  readonly bundles: vscode.Uri;
}

/** The longest value that is sent to the page, in UTF-16 units; the JSON document has all of it. */
const longestText = 200_000;
/** The most fields that are sent. */
const maxFields = 2_000;

export class FindingPanel implements vscode.Disposable {
  private readonly listeners: vscode.Disposable;
  private isDisposed = false;
  private drawn = 0;

  constructor(
    private readonly uri: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    private readonly deps: FindingPanelDeps,
  ) {
    const { webview } = panel;
    const title = titleOf(uri);
    panel.title = title;
    this.listeners = vscode.Disposable.from(
      webview.onDidReceiveMessage((message) => void this.receive(message)),
      deps.documents.onDidChange((changed) => {
        if (changed.toString() === uri.toString()) {
          void this.draw();
        }
      }),
      deps.reported.onDidChange(() => void this.draw()),
    );
    showPage(panel, deps.bundles, 'finding', title);
    // The commands about its secret-like values need no page, which shows what goes wrong.
    this.load().catch(() => undefined);
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners.dispose();
  }

  /** Never rejects, because nothing awaits it. */
  private async receive(raw: unknown): Promise<void> {
    const message = findingPageMessage(raw);
    const { documents } = this.deps;
    const { uri } = this;
    try {
      switch (message?.type) {
        case 'ready':
        case 'reload':
          // A finding that is already loaded replaces it at once.
          this.post({ type: 'loading', message: t('Loading\u2026') });
          await this.draw();
          break;
        case 'secrets':
          if (message.on) {
            documents.showSecrets(uri);
          } else {
            documents.hideSecrets(uri);
          }
          break;
        case 'copy':
          await this.copy(message.name);
          break;
        case 'openFile':
          await vscode.commands.executeCommand('scorecard.openFile', uri);
          break;
        case 'findAsset':
          await vscode.commands.executeCommand('scorecard.findAsset', uri);
          break;
        case undefined:
          break;
      }
    } catch (error) {
      showError(describeServiceError(error));
    }
  }

  /** @throws CancelledError if it was closed meanwhile. */
  private async load(): Promise<JsonObject> {
    const { documents } = this.deps;
    const entry = await documents.entryOf(this.uri);
    if (this.isDisposed) {
      throw new CancelledError();
    }
    documents.setDrawn(this.uri, entry);
    return entry;
  }

  /** Never rejects. */
  private async draw(): Promise<void> {
    this.drawn += 1;
    const { drawn } = this;
    try {
      const entry = await this.load();
      const links = hasWorkspace() ? shownLinks(await linksOf(maskSecrets(entry))) : {};
      const { issueType } = this.deps.documents.find(this.uri).list;
      const meaning = await this.deps.meanings.of(issueType);
      const show = (more: Pick<ShownFinding, 'recommendation'>) => {
        this.post({
          type: 'finding',
          finding: {
            ...this.shownFinding(entry),
            ...(meaning !== undefined && { meaning }),
            ...more,
            links,
          },
          texts: localizedTexts(),
          locale: vscode.env.language,
        });
      };
      show({});
      // A request: the finding does not wait for it.
      const recommendation = await this.deps.counts.companies.recommendation(issueType);
      if (recommendation !== undefined && drawn === this.drawn) {
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

  private async copy(name: string): Promise<void> {
    const entry = this.deps.documents.shownOf(this.uri, await this.load());
    const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
    if (value !== undefined && !isMasked(name, value)) {
      await copyValue(name, value);
    }
  }

  private shownFinding(unmasked: JsonObject): Omit<ShownFinding, 'links'> {
    const { documents, scorecards, counts, reported, names } = this.deps;
    const { uri } = this;
    const { list, number } = documents.find(uri);
    const entry = documents.shownOf(uri, unmasked);
    const record = findingRecord(entry, number);
    const scorecard = scorecards.find(list.scorecardId)?.name ?? list.scorecardId;
    return {
      title: localizedLabel(record.title),
      subtitle: t(
        '{0}, finding {1} of {2}',
        names.title(list.issueType),
        formatNumber(number),
        plainText(scorecard, 100),
      ),
      facts: findingFacts(
        entry,
        record,
        counts.severityOf(list.scorecardId, list.issueType) ??
          reported.of(list.issueType, list.scorecardId),
        names,
      ),
      key: fieldsOf(entry, record.key),
      more: fieldsOf(entry, record.more),
      secrets: documents.stateOf(uri),
    };
  }

  private post(message: FindingHostMessage): void {
    // After it is closed, VS Code throws when the webview is read.
    if (!this.isDisposed) {
      void this.panel.webview.postMessage(message);
    }
  }
}

function fieldsOf(entry: JsonObject, names: readonly string[]): FindingField[] {
  return names.slice(0, maxFields).map((name) => ({
    name: name.slice(0, longestText),
    cell: cellOf(name, entry[name] ?? null),
  }));
}

function cellOf(name: string, value: JsonValue): Cell {
  if (value === null) {
    return { kind: 'null', text: '' };
  }
  if (isContainer(value)) {
    return cut('json', JSON.stringify(value));
  }
  return isMasked(name, value)
    ? { kind: 'text', text: mask, masked: true }
    : cut(typeof value === 'string' ? 'text' : 'number', String(value));
}

function isMasked(name: string, value: JsonValue): boolean {
  return value === mask && isSecretField(name);
}

function cut(kind: Cell['kind'], text: string): Cell {
  return text.length > longestText
    ? { kind, text: text.slice(0, longestText), cut: true }
    : { kind, text };
}
