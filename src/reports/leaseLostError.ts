/** This window does not run the reports of an account, or no longer does. It must stop. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('Another window drives the reports of this account.');
  }
}
