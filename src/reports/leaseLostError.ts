/** This window does not drive the reports of an account, or not any more: it must not go on. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('Another window drives the reports of this account.');
  }
}
