/** Replaces a placeholder. A message is translated first. */
type MessageArgument = string | number | Message;

/**
 * A sentence for users, written in code that cannot use VS Code to translate it. `toString` returns the
 * English text, for the log; the UI shows it in the user's language.
 */
export class Message {
  constructor(
    /** The English text with `{0}`, `{1}` for the arguments; the key of its translations. */
    readonly text: string,
    readonly args: readonly MessageArgument[],
  ) {}

  toString(): string {
    // A placeholder without an argument stays, as with vscode.l10n.t.
    return this.text.replace(/\{(\d+)\}/g, (place, index: string) =>
      String(this.args[Number(index)] ?? place),
    );
  }
}

/**
 * Creates a sentence for users. The text must be a literal, because it is the key of the translations.
 * @example message('There is no report with the ID {0}.', id)
 */
export function message(text: string, ...args: MessageArgument[]): Message {
  return new Message(text, args);
}
