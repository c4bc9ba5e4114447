import * as path from 'node:path';
import * as vscode from 'vscode';
import { choiceArg, type CommandCall } from '../../../workbench/commandRunner';
import { pickOne } from '../../../workbench/pick';
import { type Encoding, encodings } from '../encodings';
import type { FileChoices } from './fileChoices';
import type { TableEditor } from './tableEditor';

const { t } = vscode.l10n;

interface EncodingDeps {
  readonly editor: TableEditor;
  readonly choices: FileChoices;
}

/** The encoding of a call, or the one that a user picks. */
export async function chosenEncoding(
  { editor, choices }: EncodingDeps,
  call: CommandCall,
  uri: vscode.Uri,
): Promise<Encoding | undefined> {
  const id = choiceArg(
    call,
    'encoding',
    encodings.map((encoding) => encoding.id),
  );
  if (id !== undefined) {
    return encodings.find((encoding) => encoding.id === id);
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
