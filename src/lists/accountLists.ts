import type { Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/emitter';
import type { LoadedList } from './loadedList';
import type { SignedIn } from '../account/session';

export interface ListSession {
  readonly signedIn: SignedIn | undefined;
  /** Fires when another account is shown, or none; a new key of the same account is no such change. */
  readonly onDidChangeAccount: Event<void>;
  requireSignedIn(): SignedIn;
}

/** The lists of the account that is signed in, made when they are first looked at. */
export abstract class AccountLists<L extends LoadedList> implements Disposable {
  protected readonly changed = new Emitter<L | undefined>();
  /** A list with what it was asked for; when that changes it is another list. */
  private readonly lists = new Map<string, { list: L; query: string }>();
  private readonly sessionListener: Disposable;

  /** Fires the list that changed, or `undefined` when more than one did. */
  readonly onDidChange = this.changed.event;

  constructor(session: ListSession) {
    this.sessionListener = session.onDidChangeAccount(() => {
      this.clear();
      this.changed.fire(undefined);
    });
  }

  dispose(): void {
    this.sessionListener.dispose();
    this.clear();
    this.changed.dispose();
  }

  /** The list of this id that was made for this query, else a new one in its place. */
  protected listFor(id: string, query: string, make: () => L): L {
    const known = this.lists.get(id);
    if (known?.query === query) {
      return known.list;
    }
    known?.list.dispose();
    const list = make();
    list.onDidChange(() => {
      this.changed.fire(list);
    });
    this.lists.set(id, { list, query });
    return list;
  }

  protected get made(): L[] {
    return [...this.lists.values()].map(({ list }) => list);
  }

  /** Discards all lists: they belong to the previous account. */
  protected clear(): void {
    for (const { list } of this.lists.values()) {
      list.dispose();
    }
    this.lists.clear();
  }
}

/** Whether something was asked of a list. */
export function isActive(list: LoadedList): boolean {
  return list.isLoaded || list.state.type !== 'idle';
}

/**
 * Refreshes lists. All of them are tried; each holds its own failure.
 * @throws the first of the failures.
 */
export async function refreshAll(lists: readonly LoadedList[]): Promise<void> {
  const results = await Promise.allSettled(lists.map((list) => list.refresh()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
}
