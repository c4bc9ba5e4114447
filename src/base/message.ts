/** Replaces a placeholder; a message is translated as well. */
type MessageArgument = string | number | Message;

/**
 * A sentence for people, written where there is no VS Code to translate it. As a string it is
 * English, for the log; the ui shows it in the language of the person.
 */
export class Message {
  constructor(
    /** The English text with `{0}`, `{1}` where the arguments go: the key of its translations. */
    readonly text: string,
    readonly args: readonly MessageArgument[],
  ) {}

  toString(): string {
    // A place without an argument stays, as vscode.l10n.t leaves it.
    return this.text.replace(/\{(\d+)\}/g, (place, index: string) =>
      String(this.args[Number(index)] ?? place),
    );
  }
}

/**
 * Writes a sentence for people. The text is a literal, because the translations are found by it.
 * @example message('There is no report with the ID {0}.', id)
 */
export function message(text: string, ...args: MessageArgument[]): Message {
  return new Message(text, args);
}
