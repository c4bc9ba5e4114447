import * as vscode from 'vscode';
import type { ApiError } from '../api/errors';
import type { Message } from '../common/message';

/** A sentence of the core in the language of the person. */
export function localize({ text, args }: Message): string {
  return vscode.l10n.t(
    text,
    ...args.map((argument) => (typeof argument === 'object' ? localize(argument) : argument)),
  );
}

/** What an error says, in the language of the person where that was written for people. */
export function localizedMessage({ sentence, message }: ApiError): string {
  return sentence === undefined ? message : localize(sentence);
}
