import * as path from 'node:path';
import * as vscode from 'vscode';
import { recordScheme } from '../../contributions';
import type { TableDocument } from './tableDocument';

const { t } = vscode.l10n;

/** Registers the read-only documents that show one record of a table. */
export function registerRecordDocuments(
  find: (uri: vscode.Uri) => TableDocument | undefined,
): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(recordScheme, {
    async provideTextDocumentContent({ query }) {
      const { table, record } = JSON.parse(query) as { table: string; record: number };
      const text = await find(vscode.Uri.parse(table))?.recordText(record);
      return (
        text ?? t('The table of this record is closed. Open it again, and the record from there.')
      );
    },
  });
}

/** Opens a record of a table as a document. */
export async function openRecord(table: vscode.Uri, record: number): Promise<void> {
  const uri = vscode.Uri.from({
    scheme: recordScheme,
    path: `/${path.basename(table.path)} ${record + 1}.json`,
    query: JSON.stringify({ table: table.toString(), record }),
  });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
}
