import * as path from 'node:path';
import * as vscode from 'vscode';
import type { CommandCall } from '../../../workbench/commandRunner';
import { pickOne } from '../../../workbench/pick';
import { type Encoding, encodings } from '../encodings';
import type { FileChoices } from './fileChoices';
import type { TableEditor } from './tableEditor';
import type { ArgumentOf } from '../../../commands';
import { UserError } from '../../../base/userError';

const { t } = vscode.l10n;

interface EncodingDeps {
  readonly editor: TableEditor;
  readonly choices: FileChoices;
}

/** The encoding of a call, or the one that a user picks. */
export async function chosenEncoding(
  { editor, choices }: EncodingDeps,
  call: CommandCall<ArgumentOf<'scorecard.reopenTableWithEncoding'>>,
  uri: vscode.Uri,
): Promise<Encoding | undefined> {
  const id = call.args.encoding;
  if (id !== undefined) {
    return findEncoding(id);
  }
  const opening = editor.find(uri)?.open();
  const open = await opening?.catch(() => undefined);
  const present = open
    ? (open.table.info.format.encoding ?? 'utf-8')
    : choices.of(uri).encoding?.decoder;
  const isPresent = ({ decoder }: Encoding) => decoder === present;
  const sorted = encodings.toSorted(
    (one, other) => Number(isPresent(other)) - Number(isPresent(one)),
  );
  return pickOne(
    sorted.map((encoding) => ({
      label: encoding.label,
      description: isPresent(encoding) ? t('{0} (current)', encoding.id) : encoding.id,
      value: encoding,
    })),
    {
      title: t('Reopen with Encoding'),
      placeHolder: t('Which encoding does {0} have?', path.basename(uri.path)),
    },
  );
}

/** @throws UserError if there is no such encoding. */
function findEncoding(id: string): Encoding {
  const found = encodings.find((encoding) => encoding.id === id);
  if (!found) {
    const ids = encodings.map((encoding) => encoding.id).join(', ');
    throw new UserError(
      t('The argument {0} must be one of {1}, not "{2}".', 'encoding', ids, id),
      'badRequest',
    );
  }
  return found;
}
