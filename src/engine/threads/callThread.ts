import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import {
  type CallMessage,
  type CallOptions,
  type CallTypes,
  type CancelMessage,
  type ReplyMessage,
  RpcClient,
  RpcServer,
} from '../../base/rpc';
import { isOutOfMemory, TableError, toCallFailure, toTableError } from '../data/tableError';

/** A thread that runs one of our bundles, which answers calls by `serveCalls`. */
export class CallThread<Calls extends CallTypes<Calls>> {
  /** Why the thread has ended. */
  ended: TableError | undefined;
  readonly worker: Worker;
  private readonly client: RpcClient<Calls>;

  /**
   * @param onEnd called once, when the thread ends by itself.
   * @throws when the system cannot start a thread.
   */
  constructor(
    script: string,
    options: WorkerOptions,
    private readonly onEnd: (error: TableError) => void = () => undefined,
  ) {
    this.worker = new Worker(script, options);
    this.client = new RpcClient((message) => {
      this.worker.postMessage(message);
    }, toTableError);
    this.worker.on('message', (reply: ReplyMessage) => {
      this.client.receive(reply);
      if (reply.type === 'response' && !reply.ok && reply.code === 'memory') {
        // What is in its memory may be incomplete.
        this.endByItself(new TableError('memory', reply.message));
      }
    });
    const fail = (error: Error) => {
      const code = isOutOfMemory(error) ? 'memory' : 'internal';
      this.endByItself(new TableError(code, error.message, { cause: error }));
    };
    this.worker.on('error', fail);
    this.worker.on('messageerror', fail);
    this.worker.on('exit', (code) => {
      this.endByItself(new TableError('internal', `The thread exited with code ${code}.`));
    });
  }

  /** Rejects with a TableError. */
  call<Name extends keyof Calls>(
    name: Name,
    params: Calls[Name]['params'],
    options?: CallOptions,
  ): Promise<Calls[Name]['result']> {
    return this.ended ? Promise.reject(this.ended) : this.client.call(name, params, options);
  }

  /** Ends the thread, and rejects its calls with this error. Resolves when it has ended. */
  async end(error: TableError): Promise<void> {
    this.ended ??= error;
    this.client.end(error);
    await this.worker.terminate();
  }

  private endByItself(error: TableError): void {
    if (!this.ended) {
      void this.end(error);
      this.onEnd(error);
    }
  }
}

/** What a result says of the arrays in it that are transferred rather than copied. */
interface WithTransferred {
  readonly transferred?: readonly ArrayBufferView[];
}

/** Answers the calls of the parent thread. */
export function serveCalls<Calls extends CallTypes<Calls>>(
  handle: (call: CallMessage<Calls>, options: Required<CallOptions>) => unknown,
): void {
  const port = parentPort!;
  const server = new RpcServer<CallMessage<Calls>>(
    (reply) => {
      const result =
        'result' in reply ? (reply.result as WithTransferred | null | undefined) : null;
      const buffers = (result?.transferred ?? []).map(({ buffer }) => buffer as ArrayBuffer);
      port.postMessage(reply, [...new Set(buffers)]);
    },
    handle,
    toCallFailure,
  );
  port.on('message', (message: CallMessage<Calls> | CancelMessage) => {
    void server.receive(message);
  });
}
