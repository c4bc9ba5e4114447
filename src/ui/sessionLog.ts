import type { Disposable } from '../common/disposable';
import type { Logger } from '../common/logger';
import type { Session } from '../model/session';

/** Writes who signs in and out to the log: of the account its host, and nothing of its key. */
export function logSession(
  session: Pick<Session, 'signedIn' | 'onDidChange'>,
  logger: Logger,
): Disposable {
  let last: string | undefined;
  return session.onDidChange(() => {
    const account = session.signedIn?.account;
    if (account?.id !== last) {
      last = account?.id;
      const host = account && (account.isDemo ? 'the demo' : new URL(account.baseUrl).host);
      logger.info(host === undefined ? 'Signed out' : `Signed in to ${host}`);
    }
  });
}
