/**
 * An error whose message was written for the user in front of the editor: it names the input,
 * says what was expected and what to do next, and may be shown as it is.
 */
export class UserError extends Error {
  override readonly name = 'HumanError';

  constructor(
    message: string,
    /** What went wrong, for programs; see the codes in `docs/commands.md`. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
