import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import type { JsonObject } from '../../base/json/json';
import { entryScheme } from '../../contributions';
import type { CollectionList } from '../collectionList';
import type { Collections } from '../collections';
import { summarizeEntry } from '../entries';
import type { ListRow } from '../../lists/loadedList';
import type { Session } from '../../account/session';
import {
  documentUri,
  refuseOtherAccount,
  type SecretDocuments,
} from '../../findings/ui/findingDocuments';
import { localizedLabel } from '../../workbench/describe';
import { SecretValues } from '../../findings/ui/secretValues';

/** The entry of a document. The address contains only the account, the list and the key of the entry. */
interface EntryRef {
  account: string;
  /** The id of its list. */
  collection: string;
  key: string;
}

export function entryUri(accountId: string, list: CollectionList, row: ListRow): vscode.Uri {
  const ref: EntryRef = { account: accountId, collection: list.id, key: row.key };
  const label = localizedLabel(summarizeEntry(row.entry, row.number).label);
  return documentUri(entryScheme, `${row.number} ${list.collection.name} ${label}`, ref);
}

/**
 * Shows entries of collections as read-only JSON documents, with secret-like values masked unless a user
 * shows them.
 */
export class EntryDocuments
  implements vscode.TextDocumentContentProvider, SecretDocuments, vscode.Disposable
{
  readonly scheme = entryScheme;
  readonly secrets = new SecretValues();
  readonly onDidChange = this.secrets.onDidChange;

  constructor(
    private readonly collections: Collections,
    private readonly session: Session,
    /** Resolves when the session of this window is known; a restored tab may be opened before that. */
    private readonly started: Promise<void>,
  ) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    await this.started;
    return this.secrets.draw(uri, this.secrets.drawnEntryOf(uri) ?? this.entryAt(uri));
  }

  showSecrets(uri: vscode.Uri): void {
    refuseOtherAccount(this.session, (JSON.parse(uri.query) as EntryRef).account);
    this.secrets.show(uri);
  }

  dispose(): void {
    this.secrets.dispose();
  }

  private entryAt(uri: vscode.Uri): JsonObject {
    const { account, collection, key } = JSON.parse(uri.query) as EntryRef;
    refuseOtherAccount(this.session, account);
    const list = this.collections.listOfId(collection);
    const row = list?.rows.find((each) => each.key === key);
    if (!row) {
      // The service has no URL for a single entry of a collection.
      throw new UserError(
        vscode.l10n.t(
          'This entry of {0} is not loaded. Open it again from the Collections view.',
          // The last line of the id is the name.
          collection.slice(collection.lastIndexOf('\n') + 1),
        ),
        'notFound',
      );
    }
    return row.entry;
  }
}
