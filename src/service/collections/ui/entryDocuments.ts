import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import type { JsonObject } from '../../../base/json/json';
import { entryScheme } from '../../../contributions';
import type { CollectionList } from '../collectionList';
import type { Collections } from '../collections';
import { summarizeEntry } from '../entries';
import type { ListRow } from '../../lists/listRows';
import type { Session } from '../../account/session';
import { type FindingForm, inForm, usualForm } from '../../findings/ui/findingDocuments';
import {
  documentUri,
  refuseOtherAccount,
  SecretDocuments,
} from '../../findings/ui/secretDocuments';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { localizedLabel } from '../../../workbench/describe';

/** The entry of a document. The address contains only the account, the list and the key of the entry. */
interface EntryRef {
  account: string;
  /** The id of its list. */
  collection: string;
  key: string;
}

export function entryUri(
  names: ShownNames,
  accountId: string,
  list: CollectionList,
  row: ListRow,
  form: FindingForm = usualForm(),
): vscode.Uri {
  const ref: EntryRef = { account: accountId, collection: list.id, key: row.key };
  const label = localizedLabel(summarizeEntry(row.entry, row.number, names).label);
  const title = `${row.number} ${list.collection.name} ${label}`;
  return inForm(documentUri(entryScheme, title, ref), form);
}

/** The entries of collections that are open as JSON documents or as records. */
export class EntryDocuments extends SecretDocuments {
  constructor(
    private readonly collections: Collections,
    session: Session,
    started: Promise<void>,
  ) {
    super(entryScheme, session, started);
  }

  protected override servedEntry(uri: vscode.Uri): JsonObject {
    const { collection, row } = this.find(uri);
    if (!row) {
      // The service has no URL for a single entry of a collection.
      throw new UserError(
        vscode.l10n.t(
          'This entry of {0} is not loaded. Open it again from the Collections view.',
          collection,
        ),
        'notFound',
      );
    }
    return row.entry;
  }

  /**
   * The name of the collection of a document, and its row, if that is loaded.
   * @throws UserError if it belongs to another account.
   */
  find(uri: vscode.Uri): { readonly collection: string; readonly row: ListRow | undefined } {
    const { account, collection, key } = JSON.parse(uri.query) as EntryRef;
    refuseOtherAccount(this.session, account);
    const list = this.collections.listOfId(collection);
    return {
      // The last line of the id is the name.
      collection: list?.collection.name ?? collection.slice(collection.lastIndexOf('\n') + 1),
      row: list?.rows.find((each) => each.key === key),
    };
  }
}
