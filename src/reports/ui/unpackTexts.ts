import * as vscode from 'vscode';
import { defaultUnpackLimits } from '../unpack/unpack';
import type { UnpackError } from '../unpack/unpackError';
import { formatBytes } from '../../workbench/format';

const { t } = vscode.l10n;

/** Why the archive that a report came as is not unpacked, and what to do instead. */
export function unpackSentence({ reason }: UnpackError): string {
  switch (reason) {
    case 'damaged':
      return t(
        'The report came as an archive that is damaged or incomplete, so it cannot be unpacked. Reveal it to look at the file, or start the report again.',
      );
    case 'unsupported':
      return t(
        'The report came as an archive of a kind that is not unpacked here. Reveal it to unpack it.',
      );
    case 'entries':
      return t(
        'The report came as an archive of several files, or of none. Reveal it to unpack it.',
      );
    case 'encrypted':
      return t(
        'The report came as an encrypted archive. Reveal it to unpack it with its password.',
      );
    case 'path':
      return t(
        'The report came as an archive with a file name that points out of its folder, so it is not unpacked. Ask the service about it.',
      );
    case 'link':
      return t(
        'The report came as an archive that holds a link in place of a file, so it is not unpacked. Ask the service about it.',
      );
    case 'ratio':
      return t(
        'The report came as an archive that unpacks to more than {0} times its size, so it is not unpacked here. Reveal it to unpack it where there is room.',
        defaultUnpackLimits.maxRatio,
      );
    case 'tooLarge':
      return t(
        'The report came as an archive that unpacks to more than {0}, so it is not unpacked here. Reveal it to unpack it where there is room.',
        formatBytes(defaultUnpackLimits.maxBytes),
      );
  }
}
