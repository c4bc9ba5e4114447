/**
 * An error whose message may be shown to the user as it is: it names the input, and says what was
 * expected and what to do next.
 */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    /** What went wrong, for programs; see the codes in `docs/commands.md`. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
