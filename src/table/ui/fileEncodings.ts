import * as path from 'node:path';
import * as vscode from 'vscode';
import type { EncodingChoice } from '../../engine/types';
import { choiceArg, type CommandCall } from '../../workbench/commandRunner';
import { pickOne } from '../../workbench/pick';
import { type Encoding, encodings } from '../encodings';
import type { TableEditor } from './tableEditor';

const { t } = vscode.l10n;

/** The encodings that the files of this window are read in. */
export class FileEncodings {
  /** What was chosen, by the path of the file; forgotten with the window. */
  private readonly chosen = new Map<string, Encoding>();

  choose(uri: vscode.Uri, encoding: Encoding): void {
    this.chosen.set(uri.fsPath, encoding);
  }

  /** What was chosen for a file; otherwise the setting `files.encoding` where its bytes do not tell. */
  choiceFor(uri: vscode.Uri): EncodingChoice {
    const chosen = this.chosen.get(uri.fsPath);
    const usual = chosen ? undefined : configured(uri);
    return {
      ...(chosen && { chosen: chosen.decoder }),
      ...(usual && { fallback: usual.decoder }),
    };
  }
}

/** The setting `files.encoding`, also as the value for a language such as `[csv]`. */
function configured(uri: vscode.Uri): Encoding | undefined {
  const [languageId = ''] = /[^.]*$/.exec(path.basename(uri.path).replace(/\.gz$/i, '')) ?? [];
  const scope = { uri, languageId: languageId.toLowerCase() };
  const id: unknown = vscode.workspace.getConfiguration('files', scope).get('encoding');
  return encodings.find((encoding) => encoding.id === id);
}

/** The encoding of a call, or the one that a user picks. */
export async function chosenEncoding(
  deps: { readonly editor: TableEditor; readonly encodings: FileEncodings },
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
  { editor, encodings: known }: Parameters<typeof chosenEncoding>[0],
  uri: vscode.Uri,
): Promise<string | undefined> {
  const { chosen } = known.choiceFor(uri);
  const open = await editor
    .find(uri)
    ?.open()
    .catch(() => undefined);
  return open ? (open.table.info.format.encoding ?? 'utf-8') : chosen;
}
