/** The work was cancelled, or whoever would do it was disposed. A cancelled command ends without a message. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
  /** For programs, see the codes in `docs/commands.md`. */
  readonly code = 'cancelled';

  constructor() {
    super('The call was cancelled.');
  }

  get logText(): string {
    return this.name;
  }
}
