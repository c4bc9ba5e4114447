import * as vscode from 'vscode';
import type { RecordAction } from '../protocol/recordProtocol';
import { copyFieldText } from './clipboard';

/** A field of a record. */
export interface ReadField {
  readonly name: string;
  readonly text: string;
}

/** What an action on a record needs of its page. */
export interface RecordHost {
  /** The argument of the commands about a record. */
  uriOf(record: number): vscode.Uri;
  /** A field of a record with its whole text; `undefined` if it has no value, or a masked one. */
  readField(record: number, id: string): Promise<ReadField | undefined>;
  /** Shows or masks secret-like values, and draws the record again. */
  setSecretsShown(on: boolean): Promise<void> | void;
}

const commands = { openFile: 'scorecard.openFile', findAsset: 'scorecard.findAsset' } as const;

/** Does what a user wants with a record, of the service or of a table. */
export async function runRecordAction(action: RecordAction, host: RecordHost): Promise<void> {
  switch (action.type) {
    case 'openFile':
    case 'findAsset':
      await vscode.commands.executeCommand(commands[action.type], host.uriOf(action.record));
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
