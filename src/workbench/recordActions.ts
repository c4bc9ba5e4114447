import * as vscode from 'vscode';
import type { RecordAction } from '../protocol/recordProtocol';
import { copyFieldText } from './clipboard';

/** A field of a record. */
export interface ReadField {
  readonly name: string;
  readonly text: string;
}

/** What leads from a finding into the workspace. Errors are shown. @param finding its document, or its row */
export interface WorkspaceActions {
  /** Opens the file that it names. */
  openFile(finding: vscode.Uri): PromiseLike<unknown>;
  /** Searches for the asset that it names. */
  findAsset(finding: vscode.Uri): PromiseLike<unknown>;
}

/** What an action on a record needs of its page. */
export interface RecordHost {
  run(action: keyof WorkspaceActions, record: number): PromiseLike<unknown>;
  /** A field of a record with its whole text; `undefined` if it has no value, or a masked one. */
  readField(record: number, id: string): Promise<ReadField | undefined>;
  /** Shows or masks secret-like values, and draws the record again. */
  setSecretsShown(on: boolean): Promise<void> | void;
}

/** The page of a CVE, which is the only one that a record opens. @param id was checked with the message. */
function cvePage(id: string): vscode.Uri {
  return vscode.Uri.parse(`https://www.cve.org/CVERecord?id=${id}`, true);
}

/** Does what a user wants with a record, of the service or of a table. */
export async function runRecordAction(action: RecordAction, host: RecordHost): Promise<void> {
  switch (action.type) {
    case 'openFile':
    case 'findAsset':
      await host.run(action.type, action.record);
      break;
    case 'openCve':
      await vscode.env.openExternal(cvePage(action.id));
      break;
    case 'secrets':
      await host.setSecretsShown(action.on);
      break;
    case 'copyField': {
      const field = await host.readField(action.record, action.field);
      if (field) {
        await copyFieldText(field.name, field.text);
      }
      break;
    }
  }
}
