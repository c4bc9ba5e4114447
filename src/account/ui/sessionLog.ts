import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/logger';
import type { Session } from '../session';

/** Logs sign-in and sign-out: the host of the account, never its key. */
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
