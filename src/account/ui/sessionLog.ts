import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/logger';
import type { Session } from '../session';

/** Writes who signs in and out to the log: of the account its host, and nothing of its key. */
export function logSession(
  session: Pick<Session, 'signedIn' | 'onDidChangeAccount'>,
  logger: Logger,
): Disposable {
  return session.onDidChangeAccount(() => {
    const account = session.signedIn?.account;
    const host = account && (account.isDemo ? 'the demo' : new URL(account.baseUrl).host);
    logger.info(host === undefined ? 'Signed out' : `Signed in to ${host}`);
  });
}
