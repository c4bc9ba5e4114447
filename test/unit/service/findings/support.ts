import { type Api, ApiClient, type ApiClientOptions } from '../../../../src/api/client';
import type { Disk } from '../../../../src/files/disk';
import type { Clock } from '../../../../src/base/events/clock';
import type { Disposable } from '../../../../src/base/events/disposable';
import { Emitter } from '../../../../src/base/events/emitter';
import {
  type Account,
  createAccount,
  createDemoAccount,
} from '../../../../src/service/account/account';
import type { SignedIn } from '../../../../src/service/account/session';
import { SignedOutError } from '../../../../src/service/account/signedOutError';

/** A timeout that no test reaches, so that WaitClock does not mistake it for a wait. */
const neverMs = 1e9;

/** The scorecard of the demo with the longest list. */
export const scorecardId = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';

/** A real client for a service on loopback. */
export function clientFor(
  baseUrl: string,
  apiKey = 'k1',
  clock?: Clock,
  disk?: Disk,
  onKeyUsed?: ApiClientOptions['onKeyUsed'],
): ApiClient {
  return new ApiClient({
    baseUrl,
    apiKey: () => apiKey,
    requestsPerHour: 5000,
    requestTimeoutMs: neverMs,
    random: () => 0,
    ...(clock ? { clock } : {}),
    ...(disk ? { disk } : {}),
    ...(onKeyUsed ? { onKeyUsed } : {}),
  });
}

/** Who is signed in, as a test says. */
export class FakeSession {
  signedIn: SignedIn | undefined;
  private readonly changed = new Emitter<void>();
  private readonly accountChanged = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  readonly onDidChangeAccount = this.accountChanged.event;

  requireSignedIn(): SignedIn {
    if (!this.signedIn) {
      throw new SignedOutError();
    }
    return this.signedIn;
  }

  signIn(baseUrl: string, api: Api): void {
    this.become({ account: createAccount(baseUrl), api });
  }

  useDemo(baseUrl: string, api: Api): void {
    this.become({ account: createDemoAccount(baseUrl), api });
  }

  become(signedIn: { account: Account; api: Api } | undefined): void {
    const isOther = this.signedIn?.account.id !== signedIn?.account.id;
    this.signedIn = signedIn;
    if (isOther) {
      this.accountChanged.fire();
    }
    this.changed.fire();
  }
}

/** What the tests of one file have started, ended one after another. */
export class Cleanup {
  private readonly steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.steps.push(step);
  }

  own<T extends Disposable>(item: T): T {
    this.add(() => item.dispose());
    return item;
  }

  async run(): Promise<void> {
    for (const step of this.steps.splice(0).reverse()) {
      await step();
    }
  }
}

/** A promise that a test settles. */
export class Gate<T = void> {
  open!: (value: T) => void;
  fail!: (error: Error) => void;
  readonly promise = new Promise<T>((resolve, reject) => {
    this.open = resolve;
    this.fail = reject;
  });
}

/** Collects what an event fires. */
export function collect<T>(event: (listener: (value: T) => void) => Disposable): T[] {
  const values: T[] = [];
  event((value) => values.push(value));
  return values;
}
