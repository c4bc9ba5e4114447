import * as vscode from 'vscode';
import type { ApiError } from '../api/http/errors';
import { Message } from '../base/message';

/** A sentence of the core in the language of the person. */
export function localize({ text, args }: Message): string {
  return vscode.l10n.t(
    text,
    ...args.map((argument) => (typeof argument === 'object' ? localize(argument) : argument)),
  );
}

/** What the core names a thing: as it stands where that is its own name. */
export function localizedLabel(label: string | Message): string {
  return label instanceof Message ? localize(label) : label;
}

/** What an error says, in the language of the person where that was written for people. */
export function localizedMessage({ sentence, message }: ApiError): string {
  return sentence === undefined ? message : localize(sentence);
}
