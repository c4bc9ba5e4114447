import { ConfigError } from '../api/http/errors';

/** Nobody is signed in, or the key is gone from the key store: no request can be made. */
export class SignedOutError extends ConfigError {
  constructor() {
    super('Nobody is signed in.');
  }
}
