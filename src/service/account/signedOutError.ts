import { ConfigError } from '../../api/http/errors';

/** Nobody is signed in, or the key was deleted from the key store. */
export class SignedOutError extends ConfigError {
  constructor() {
    super('Nobody is signed in.');
  }
}
