import * as path from 'node:path';
import * as vscode from 'vscode';
import { choiceArg, type CommandCall } from '../../workbench/commandRunner';
import { pickOne } from '../../workbench/pick';
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
  deps: EncodingDeps,
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
  const present = await presentEncoding(deps, uri);
  const isPresent = ({ decoder }: Encoding) => decoder === present;
  const sorted = [
    ...encodings.filter(isPresent),
    ...encodings.filter((encoding) => !isPresent(encoding)),
  ];
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

/** The encoding that the open table of a file was read in, or that was chosen before. */
async function presentEncoding(
  { editor, choices }: EncodingDeps,
  uri: vscode.Uri,
): Promise<string | undefined> {
  const open = await editor
    .find(uri)
    ?.open()
    .catch(() => undefined);
  return open ? (open.table.info.format.encoding ?? 'utf-8') : choices.of(uri).encoding?.decoder;
}
