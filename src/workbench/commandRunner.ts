import * as vscode from 'vscode';
import { CancelledError } from '../base/cancelledError';
import { isPlainObject } from '../base/json/json';
import type { Logger } from '../base/logger';
import { once } from '../base/events/once';
import {
  type ArgumentOf,
  type CommandGroup,
  commandGroups,
  type CommandId,
  type CommandIdOf,
  type ResultOf,
} from '../commands';
import { checkArgument } from './commandArguments';
import { createDescriber, type DescribeError, type ErrorDescriber, toCodedError } from './describe';
import { describeForLog } from './describeForLog';
import { showError } from './messages';
import type { Registry } from './registry';
import { TreeNode } from './views';

/**
 * Who called a command, and with which arguments. A program (keybinding, task, test, another extension)
 * passes one plain object. A user may run the command on a row of a tree.
 */
export interface CommandCall<Argument = object> {
  readonly by: 'user' | 'api';
  /** The argument of a program, which is checked. Empty for a user. */
  readonly args: Readonly<Argument>;
  readonly node?: TreeNode;
  /** All selected rows, `node` among them. */
  readonly nodes?: readonly TreeNode[];
  /** The file on which a user ran the command, in a menu of VS Code. */
  readonly uri?: vscode.Uri;
  /** All selected files, `uri` among them. */
  readonly uris?: readonly vscode.Uri[];
}

/** The result of a command whose prompt was dismissed. */
export const dismissed = undefined;

/** A command: what it returns is for programs. */
type Run<Id extends CommandId> = (
  call: CommandCall<ArgumentOf<Id>>,
) => ResultOf<Id> | undefined | PromiseLike<ResultOf<Id> | undefined>;

/** Commands by id. A file of commands returns some of them with `satisfies Commands`. */
export type Commands = { readonly [Id in CommandId]?: Run<Id> };

/** All commands of a group. */
type CommandsOf<G extends CommandGroup> = { readonly [Id in CommandIdOf<G> & CommandId]: Run<Id> };

export class CommandRunner {
  private readonly describe: DescribeError;

  /**
   * @param describers describe the errors of the rooms whose commands run.
   * @param ready awaited before each command.
   */
  constructor(
    private readonly registry: Registry,
    private readonly logger: Logger,
    private readonly describers: readonly ErrorDescriber[],
    private readonly ready?: () => Promise<void>,
  ) {
    this.describe = createDescriber(describers);
  }

  /** The same runner for commands that await something first. */
  after(ready: () => Promise<void>): CommandRunner {
    return new CommandRunner(this.registry, this.logger, this.describers, ready);
  }

  /**
   * Registers a command. If a user called it, an error is shown once, here, and the command resolves to
   * `undefined`. If a program called it, nothing is shown, and the promise rejects with an error that has a
   * `code`. A cancelled command resolves to `undefined` for both.
   */
  register<Id extends CommandId>(id: Id, run: Run<Id>): void {
    this.registry.register(id, async (first, second) => {
      const caller = findCaller(first, second);
      try {
        if (this.ready) {
          await this.ready();
        }
        // A user passes no argument.
        const args = checkArgument(id, isPlainObject(first) ? first : {});
        return await run({ ...caller, args });
      } catch (error) {
        if (error instanceof CancelledError) {
          return undefined;
        }
        this.logger.error(`${id}: ${describeForLog(error)}`);
        if (caller.by === 'api') {
          throw toCodedError(error, this.describe);
        }
        const tryAgain = async () => {
          await vscode.commands.executeCommand(id, first, second);
        };
        showError(this.describe(error), { tryAgain });
        return undefined;
      }
    });
  }

  private registerLater<Id extends CommandId>(
    id: Id,
    load: () => Promise<{ readonly [One in Id]: Run<One> }>,
  ): void {
    this.register(id, async (call) => (await load())[id](call));
  }

  /**
   * Registers the commands of a group. Their code is loaded when the first of them runs.
   * @param load returns exactly these commands: a type error names one that is missing or unknown.
   */
  registerGroup<G extends CommandGroup, C extends CommandsOf<G>>(
    group: G,
    load: () => Promise<C & Record<Exclude<keyof C, CommandIdOf<G>>, never>>,
  ): void {
    const commands: () => Promise<CommandsOf<G>> = once(load);
    for (const id of Object.keys(commandGroups[group]) as (CommandIdOf<G> & CommandId)[]) {
      this.registerLater(id, commands);
    }
  }
}

/** @param second the selected rows or files, where several can be selected. */
function findCaller(first: unknown, second: unknown): Omit<CommandCall, 'args'> {
  const others: readonly unknown[] = Array.isArray(second) ? second : [];
  if (first instanceof TreeNode) {
    const nodes = others.filter((node) => node instanceof TreeNode);
    return { by: 'user', node: first, nodes: nodes.includes(first) ? nodes : [first] };
  }
  if (first instanceof vscode.Uri) {
    const uris = others.filter((uri) => uri instanceof vscode.Uri);
    return { by: 'user', uri: first, uris: uris.length > 0 ? uris : [first] };
  }
  return { by: isPlainObject(first) ? 'api' : 'user' };
}
