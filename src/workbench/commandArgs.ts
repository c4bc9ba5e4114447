import * as vscode from 'vscode';
import { HumanError } from '../base/humanError';
import { isIssueType } from '../base/issueTypes';
import { findUuids, isUuid } from '../base/uuid';
import type { CommandCall } from './commandRunner';

const { t } = vscode.l10n;

/** A string argument. @throws HumanError when it is not a string. */
export function textArg(call: CommandCall, name: string): string | undefined {
  const value = call.args[name];
  if (value === undefined || typeof value === 'string') {
    return value;
  }
  throw new HumanError(t('The argument {0} must be a string.', name), 'badRequest');
}

/** A boolean argument. @throws HumanError when it is not a boolean. */
export function flagArg(call: CommandCall, name: string): boolean | undefined {
  const value = call.args[name];
  if (value === undefined || typeof value === 'boolean') {
    return value;
  }
  throw new HumanError(t('The argument {0} must be true or false.', name), 'badRequest');
}

/** One of several words that a program may say. @throws HumanError for any other. */
export function choiceArg<T extends string>(
  call: CommandCall,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = textArg(call, name);
  const found = choices.find((choice) => choice === value);
  if (value !== undefined && found === undefined) {
    throw new HumanError(
      t('The argument {0} must be one of {1}, not "{2}".', name, choices.join(', '), value),
      'badRequest',
    );
  }
  return found;
}

/** The scorecard ID of a call. @throws HumanError when it is not a UUID. */
export function scorecardIdArg(call: CommandCall, name = 'scorecardId'): string | undefined {
  const value = textArg(call, name)?.trim().toLowerCase();
  if (value === undefined || isUuid(value)) {
    return value;
  }
  throw new HumanError(notAUuid(value), 'badRequest');
}

/** The issue type of a call. @throws HumanError when it is invalid. */
export function issueTypeArg(call: CommandCall): string | undefined {
  const value = textArg(call, 'issueType');
  if (value === undefined || isIssueType(value)) {
    return value;
  }
  throw new HumanError(
    t(
      '"{0}" is not an issue type. Enter a key such as open_port: lower-case letters, digits and underscores.',
      value,
    ),
    'badRequest',
  );
}

/** The number of a finding in a call. @throws HumanError when it is not a positive integer. */
export function numberArg(call: CommandCall): number | undefined {
  const value = call.args.number;
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1)) {
    return value as number | undefined;
  }
  throw new HumanError(
    t('The argument number must be a positive integer: the position of the finding in its list.'),
    'badRequest',
  );
}

/** Explains why a text is not a scorecard ID. */
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

/** What is wrong with a text from which a scorecard's UUID should be taken; `undefined`: nothing. */
export function scorecardIdProblem(text: string): string | undefined {
  const found = findUuids(text).length;
  if (found === 1 || text.trim() === '') {
    return undefined;
  }
  return found === 0
    ? notAUuid(text.trim())
    : t('This text contains {0} UUIDs. Paste only the scorecard UUID.', found);
}
