import * as vscode from 'vscode';
import { CancelledError } from '../../../base/cancelledError';
import type { JsonObject } from '../../../base/json/json';
import { type RecordHostMessage, recordPageMessage } from '../../../protocol/recordProtocol';
import type { ShownRecord } from '../../../summary/shownRecord';
import { Texts } from '../../../summary/texts';
import { spellName } from '../../../vocabulary/fieldNames';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { showError } from '../../../workbench/messages';
import {
  type ReadField,
  type RecordHost,
  runRecordAction,
  type WorkspaceActions,
} from '../../../workbench/recordActions';
import { localizedTexts, showPage } from '../../../workbench/webviewPage';
import { describeServiceError } from '../../account/ui/describeApiError';
import { isMasked, textOfValue } from '../shownFinding';
import { readTitle } from './findingDocuments';
import type { SecretDocuments } from './secretDocuments';

const { t } = vscode.l10n;

/** The page itself shows what goes wrong; a message fails only when it is closed. */
const noFailure = () => undefined;

interface DocumentPanelDeps {
  readonly bundles: vscode.Uri;
  readonly documents: SecretDocuments;
  readonly names: ShownNames;
  /** Fires when what a record shows may have changed, although its document has not. */
  readonly onDidChange?: vscode.Event<void>;
}

/** Shows a document with an entry of a list as a record. */
export abstract class DocumentPanel implements vscode.Disposable {
  private readonly listeners: vscode.Disposable;
  private isDisposed = false;
  /** Raised by each drawing: what an earlier one finds out is outdated. */
  private generation = 0;
  private readonly host: RecordHost = {
    run: (action) => this.run(action),
    readField: async (_, name) => this.readField(name),
    setSecretsShown: (on) => {
      const { documents } = this.panelDeps;
      if (on) {
        documents.showSecrets(this.uri);
      } else {
        documents.hideSecrets(this.uri);
      }
    },
  };

  constructor(
    protected readonly uri: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    private readonly panelDeps: DocumentPanelDeps,
  ) {
    const { webview } = panel;
    const title = readTitle(uri);
    panel.title = title;
    this.listeners = vscode.Disposable.from(
      webview.onDidReceiveMessage((message) => {
        this.receive(message).catch(noFailure);
      }),
      panelDeps.documents.onDidChange((changed) => {
        if (changed.toString() === uri.toString()) {
          this.draw().catch(noFailure);
        }
      }),
      ...[panelDeps.onDidChange].flatMap(
        (onDidChange) =>
          onDidChange?.(() => {
            this.draw().catch(noFailure);
          }) ?? [],
      ),
    );
    showPage(panel, panelDeps.bundles, 'record', title);
    // The commands about its secret-like values need no page, which shows what goes wrong.
    this.load().catch(noFailure);
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners.dispose();
  }

  /** Leads from the record into the workspace. */
  protected abstract run(action: keyof WorkspaceActions): PromiseLike<unknown>;

  /** What to show: at once, and again once more is known. @param entry not masked. */
  protected abstract records(entry: JsonObject, texts: Texts): AsyncIterable<ShownRecord>;

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
          // An entry that is already loaded replaces it at once.
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
    const { documents } = this.panelDeps;
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
    const { language: locale } = vscode.env;
    try {
      const texts = localizedTexts();
      const words = new Texts(texts, locale, {}, this.panelDeps.names);
      for await (const record of this.records(await this.load(), words)) {
        if (generation !== this.generation) {
          return;
        }
        this.post({ type: 'record', record, texts, locale });
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
    const entry = this.panelDeps.documents.maskUnlessShown(this.uri, await this.load());
    const value = Object.hasOwn(entry, name) ? (entry[name] ?? null) : null;
    return value === null || isMasked(name, value)
      ? undefined
      : { name: spellName(name), text: textOfValue(value) };
  }

  private post(message: RecordHostMessage): void {
    // After it is closed, VS Code throws when the webview is read.
    if (!this.isDisposed) {
      this.panel.webview.postMessage(message).then(undefined, noFailure);
    }
  }
}
