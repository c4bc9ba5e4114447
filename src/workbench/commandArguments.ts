import * as v from 'valibot';
import * as vscode from 'vscode';
import { findUuids, isUuid } from '../base/text/uuid';
import { UserError } from '../base/userError';
import { type ArgumentOf, argumentSchema, type CommandId } from '../commands';

const { t } = vscode.l10n;

/**
 * Checks the argument of a program.
 * @throws UserError that names the member which is wrong, and says what it must be.
 */
export function checkArgument<Id extends CommandId>(id: Id, argument: object): ArgumentOf<Id> {
  const { success, output, issues } = v.safeParse(argumentSchema(id), argument, {
    abortEarly: true,
  });
  if (success) {
    return output;
  }
  const [{ path, message, input }] = issues;
  throw new UserError(problem(message, String(path?.[0].key), shownInput(input)), 'badRequest');
}

/** A value as text. An object is not turned into text: it may have no `toString`. */
function shownInput(input: unknown): string {
  return typeof input === 'string' || typeof input === 'number' ? String(input) : typeof input;
}

/** @param expected as the schemas in src/commands.ts name it. */
function problem(expected: string, name: string, value: string): string {
  const [kind, detail = ''] = expected.split(': ', 2);
  switch (kind) {
    case 'text':
      return t('The argument {0} must be a string.', name);
    case 'flag':
      return t('The argument {0} must be true or false.', name);
    case 'choice':
      return t('The argument {0} must be one of {1}, not "{2}".', name, detail, value);
    case 'uuid':
      return notAUuid(value);
    case 'issueType':
      return t(
        '"{0}" is not an issue type. Enter a key such as open_port: lower-case letters, digits and underscores.',
        value,
      );
    case 'finding':
      return t(
        'The argument number must be a positive integer: the position of the finding in its list.',
      );
    case 'count':
      return t('The argument {0} must be a whole number, starting at 1.', name);
    case 'row':
      return t('The argument row must be a positive integer: the number of the row in the file.');
    case 'findings':
      return t('The argument numbers must be a list of finding numbers, starting at 1.');
    case 'issueTypes':
      return t('The argument issueTypes must be a list of keys, such as ["open_port"].');
    case 'object':
      return t('The argument body must be a JSON object.');
    default:
      return t('The argument {0} must be a list of this form: {1}.', name, detail);
  }
}

/**
 * The UUID of a scorecard that a program passes where some services take a domain, too.
 * @throws UserError for another text.
 */
export function parseScorecardId(text: string): string {
  const id = text.trim().toLowerCase();
  if (!isUuid(id)) {
    throw new UserError(notAUuid(id), 'badRequest');
  }
  return id;
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
export function findScorecardIdProblem(text: string): string | undefined {
  const found = findUuids(text).length;
  if (found === 1 || text.trim() === '') {
    return undefined;
  }
  return found === 0
    ? notAUuid(text.trim())
    : t('This text contains {0} UUIDs. Paste only the scorecard UUID.', found);
}
