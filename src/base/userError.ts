import { Message } from './message';

/**
 * An error whose message may be shown to the user as it is: it names the input, and says what was
 * expected and what to do next.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** The message as a translatable sentence, where code that cannot use VS Code has written it. */
  readonly sentence: Message | undefined;
  /** What may help, as a button. */
  readonly remedy: 'addScorecard' | undefined;

  constructor(
    text: string | Message,
    /** What went wrong, for programs; see the codes in `docs/commands.md`. */
    readonly code: string,
    options?: ErrorOptions & { readonly remedy?: 'addScorecard' },
  ) {
    super(String(text), options);
    this.remedy = options?.remedy;
    this.sentence = text instanceof Message ? text : undefined;
  }

  /** The message may contain input. */
  get logText(): string {
    return `${this.name}, ${this.code}`;
  }
}
