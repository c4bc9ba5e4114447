import * as vscode from 'vscode';
import { CancelledError } from '../api/http/errors';
import type { CommandId } from '../contributions';
import { isPlainObject } from '../base/json';
import type { Logger } from '../base/logger';
import { toCodedError } from './describe';
import { describeForLog } from './describeForLog';
import { showError } from './messages';
import { TreeNode } from './views';

/**
 * Who called a command, and with what: a program (keybinding, task, test, another extension) with
 * members of one plain object, or a person, perhaps on a row of a tree.
 */
export interface CommandCall {
  readonly by: 'person' | 'program';
  /** The arguments of a program, not yet checked. Empty for a person. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The row on which a person ran the command. */
  readonly node?: TreeNode;
  /** All selected rows, `node` among them. */
  readonly nodes?: readonly TreeNode[];
  /** The file on which a person ran the command, in a menu of VS Code. */
  readonly uri?: vscode.Uri;
}

/** The result of a command whose prompt was dismissed. */
export const dismissed = undefined;

type Run = (call: CommandCall) => unknown;

/** Commands by id. A file of commands returns some of them with `satisfies Commands`. */
export type Commands = Partial<Record<CommandId, Run>>;

/** Registers commands that all report errors in the same way. */
export class CommandRunner {
  /** @param ready awaited before each command. */
  constructor(
    private readonly logger: Logger,
    private readonly ready?: () => Promise<void>,
  ) {}

  /**
   * Registers a command. For a person an error is shown once, here, and the command resolves
   * `undefined`; for a program nothing is shown and the promise rejects with a `code`. Cancelled
   * commands resolve `undefined` for both.
   */
  register(id: CommandId, run: Run): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (first: unknown, second: unknown) => {
      const call = toCall(first, second);
      try {
        if (this.ready) {
          await this.ready();
        }
        return await run(call);
      } catch (error) {
        if (error instanceof CancelledError) {
          return undefined;
        }
        this.logger.error(`${id}: ${describeForLog(error)}`);
        if (call.by === 'program') {
          throw toCodedError(error);
        }
        showError(error);
        return undefined;
      }
    });
  }

  /**
   * Registers commands whose code is loaded when the first of them runs.
   * @param load returns exactly these commands: a type error names one that is missing in `ids`.
   */
  registerLazily<K extends CommandId, C extends Record<K, Run>>(
    ids: readonly K[],
    load: () => Promise<C & Record<Exclude<keyof C, K>, never>>,
  ): vscode.Disposable {
    const commands: () => Promise<Record<K, Run>> = once(load);
    return vscode.Disposable.from(
      ...ids.map((id) => this.register(id, async (call) => (await commands())[id](call))),
    );
  }
}

/** @param second the selected rows, where a tree allows several. */
function toCall(first: unknown, second: unknown): CommandCall {
  if (first instanceof TreeNode) {
    const selected = Array.isArray(second)
      ? second.filter((node: unknown) => node instanceof TreeNode)
      : [];
    return {
      by: 'person',
      args: {},
      node: first,
      nodes: selected.includes(first) ? selected : [first],
    };
  }
  if (first instanceof vscode.Uri) {
    return { by: 'person', args: {}, uri: first };
  }
  return isPlainObject(first) ? { by: 'program', args: first } : { by: 'person', args: {} };
}

/** Makes something at the first call; later calls return the same. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
