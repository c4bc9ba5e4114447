import * as vscode from 'vscode';
import type { ApiError } from '../api/http/errors';
import { Message } from '../base/message';

/** A message of the core in the language of VS Code. */
export function localize({ text, args }: Message): string {
  return vscode.l10n.t(
    text,
    ...args.map((argument) => (typeof argument === 'object' ? localize(argument) : argument)),
  );
}

/** A label of the core; a name stays as it is. */
export function localizedLabel(label: string | Message): string {
  return label instanceof Message ? localize(label) : label;
}

/** The message of an error, localized where possible. */
export function localizedMessage({ sentence, message }: ApiError): string {
  return sentence === undefined ? message : localize(sentence);
}
