import * as vscode from 'vscode';
import { CancelledError } from '../base/cancelledError';
import { UserError } from '../base/userError';
import { isIssueType } from '../vocabulary/issueTypes';
import { isPlainObject } from '../base/json/json';
import type { Logger } from '../base/logger';
import { once } from '../base/events/once';
import { findUuids, isUuid } from '../base/text/uuid';
import {
  type CommandGroup,
  commandGroups,
  type CommandId,
  type CommandIdOf,
} from '../contributions';
import { createDescriber, type DescribeError, type ErrorDescriber, toCodedError } from './describe';
import { describeForLog } from './describeForLog';
import { showError } from './messages';
import type { Registry } from './registry';
import { TreeNode } from './views';

/**
 * Who called a command, and with which arguments. A program (keybinding, task, test, another extension)
 * passes one plain object. A user may run the command on a row of a tree.
 */
export interface CommandCall {
  readonly by: 'user' | 'api';
  /** The arguments of a program, not yet checked. Empty for a user. */
  readonly args: Readonly<Record<string, unknown>>;
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

type Run = (call: CommandCall) => unknown;

/** Commands by id. A file of commands returns some of them with `satisfies Commands`. */
export type Commands = Partial<Record<CommandId, Run>>;

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
  register(id: CommandId, run: Run): void {
    this.registry.register(id, async (first, second) => {
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
        if (call.by === 'api') {
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

  /**
   * Registers the commands of a group. Their code is loaded when the first of them runs.
   * @param load returns exactly these commands: a type error names one that is missing or unknown.
   */
  registerGroup<G extends CommandGroup, C extends Record<CommandIdOf<G>, Run>>(
    group: G,
    load: () => Promise<C & Record<Exclude<keyof C, CommandIdOf<G>>, never>>,
  ): void {
    const commands: () => Promise<Record<CommandIdOf<G>, Run>> = once(load);
    for (const id of commandGroups[group] as readonly CommandIdOf<G>[]) {
      this.register(id, async (call) => (await commands())[id](call));
    }
  }
}

/** @param second the selected rows or files, where several can be selected. */
function toCall(first: unknown, second: unknown): CommandCall {
  const others: readonly unknown[] = Array.isArray(second) ? second : [];
  if (first instanceof TreeNode) {
    const nodes = others.filter((node) => node instanceof TreeNode);
    return { by: 'user', args: {}, node: first, nodes: nodes.includes(first) ? nodes : [first] };
  }
  if (first instanceof vscode.Uri) {
    const uris = others.filter((uri) => uri instanceof vscode.Uri);
    return { by: 'user', args: {}, uri: first, uris: uris.length > 0 ? uris : [first] };
  }
  return isPlainObject(first) ? { by: 'api', args: first } : { by: 'user', args: {} };
}

const { t } = vscode.l10n;

function badArgument(problem: string): UserError {
  return new UserError(problem, 'badRequest');
}

export function textArg(call: CommandCall, name: string): string | undefined {
  const value = call.args[name];
  if (value === undefined || typeof value === 'string') {
    return value;
  }
  throw badArgument(t('The argument {0} must be a string.', name));
}

export function flagArg(call: CommandCall, name: string): boolean | undefined {
  const value = call.args[name];
  if (value === undefined || typeof value === 'boolean') {
    return value;
  }
  throw badArgument(t('The argument {0} must be true or false.', name));
}

export function choiceArg<T extends string>(
  call: CommandCall,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = textArg(call, name);
  const found = choices.find((choice) => choice === value);
  if (value !== undefined && found === undefined) {
    throw badArgument(
      t('The argument {0} must be one of {1}, not "{2}".', name, choices.join(', '), value),
    );
  }
  return found;
}

export function scorecardIdArg(call: CommandCall, name = 'scorecardId'): string | undefined {
  const value = textArg(call, name)?.trim().toLowerCase();
  if (value === undefined || isUuid(value)) {
    return value;
  }
  throw badArgument(notAUuid(value));
}

export function issueTypeArg(call: CommandCall): string | undefined {
  const value = textArg(call, 'issueType');
  if (value === undefined || isIssueType(value)) {
    return value;
  }
  throw badArgument(
    t(
      '"{0}" is not an issue type. Enter a key such as open_port: lower-case letters, digits and underscores.',
      value,
    ),
  );
}

export function numberArg(call: CommandCall): number | undefined {
  const value = call.args.number;
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1)) {
    return value as number | undefined;
  }
  throw badArgument(
    t('The argument number must be a positive integer: the position of the finding in its list.'),
  );
}

function notAUuid(text: string): string {
  return /^[^\s@]+\.[a-z]{2,}$/i.test(text)
    ? t(
        'Enter the scorecard UUID, such as 7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04; domain names such as "{0}" are not supported.',
        text,
      )
    : t(
        '"{0}" is not a UUID. Enter the scorecard UUID, such as 7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04.',
        text,
      );
}

/**
 * Returns why a scorecard's UUID cannot be taken from a text; `undefined` if it can, or if the text is
 * empty.
 */
export function scorecardIdProblem(text: string): string | undefined {
  const found = findUuids(text).length;
  if (found === 1 || text.trim() === '') {
    return undefined;
  }
  return found === 0
    ? notAUuid(text.trim())
    : t('This text contains {0} UUIDs. Paste only the scorecard UUID.', found);
}
