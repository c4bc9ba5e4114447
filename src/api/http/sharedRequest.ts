import { CancelledError } from '../../base/cancelledError';
import { defined } from '../../base/defined';
import type { CallOptions } from '../types';
import { onAbort } from './signals';

/** What a shared request takes from all who wait for it. */
export type SharedOptions = Required<Pick<CallOptions, 'signal' | 'onWait'>>;

/**
 * A request for all who ask for the same. It goes on while one of them waits: who is cancelled hears no more of it,
 * and with the last one it is cancelled itself.
 */
export class SharedRequest<T> {
  private readonly callers = new Set<Pick<CallOptions, 'signal' | 'onWait'>>();
  private readonly abort = new AbortController();
  private outcome: Promise<T> | undefined;

  /**
   * @param request sent when the first one waits.
   * @param onEnd called when it has ended or was cancelled: the next one who asks needs another request.
   */
  constructor(
    private readonly request: (options: SharedOptions) => Promise<T>,
    private readonly onEnd: () => void,
  ) {}

  /** @throws as the request does; CancelledError as soon as the signal of the caller aborts. */
  wait({ signal, onWait }: Pick<CallOptions, 'signal' | 'onWait'> = {}): Promise<T> {
    if (signal?.aborted) {
      return Promise.reject(new CancelledError());
    }
    const caller = defined({ onWait });
    this.callers.add(caller);
    const outcome = (this.outcome ??= this.send());
    return new Promise((resolve, reject) => {
      const unlink =
        signal &&
        onAbort(signal, () => {
          this.callers.delete(caller);
          reject(new CancelledError());
          if (this.callers.size === 0) {
            this.onEnd();
            this.abort.abort();
          }
        });
      outcome.then(resolve, reject).finally(() => {
        this.callers.delete(caller);
        unlink?.();
      });
    });
  }

  private send(): Promise<T> {
    const { signal } = this.abort;
    const onWait: SharedOptions['onWait'] = (wait) => {
      this.callers.forEach((caller) => caller.onWait?.(wait));
    };
    return this.request({ signal, onWait }).finally(this.onEnd);
  }
}
