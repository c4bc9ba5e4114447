import * as v from 'valibot';
import { message } from '../../../base/message';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';
import type { ScopeRequest } from '../../../viewer/table/tableScope';

/** What a language model gives a tool. Its schema is in package.json, and nothing checks it before. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The most rows that a model gets, and how many it gets without asking. */
const maxRows = 50;
export const defaultRows = 20;

const forms = {
  filter: '[{ column, text }]',
  sort: '[{ column, descending }]',
  columns: '[name]',
} as const;

const question = v.object({
  filter: v.nullish(v.array(v.object({ column: v.string(), text: v.string() }))),
  sort: v.nullish(v.array(v.object({ column: v.string(), descending: v.optional(v.boolean()) }))),
  columns: v.nullish(v.array(v.string())),
});

/** Which rows and columns a model asks for. @throws UserError that names the member which is wrong */
export function parseQuestion(input: ToolInput): ScopeRequest {
  const { success, output, issues } = v.safeParse(question, input, { abortEarly: true });
  if (success) {
    return output;
  }
  const name = String(issues[0].path?.[0].key) as keyof typeof forms;
  throw new UserError(
    message('The argument {0} must be a list of this form: {1}.', name, forms[name]),
    'badRequest',
  );
}

/** How many rows a model gets for the number that it asks for. */
export function rowLimit(asked: unknown): number {
  const limit = Math.floor(Number(asked ?? defaultRows)) || defaultRows;
  return Math.max(1, Math.min(maxRows, limit));
}

export function parseNames(value: unknown): string[] {
  return Array.isArray(value) ? value.map(parseText) : [];
}

/** The name of a list of a JSON document; `undefined` for the one with findings. @throws UserError as `parseText` */
export function parseList(named: unknown): string | undefined {
  return named === undefined ? undefined : parseText(named);
}

/** @throws UserError if the value is not a string, or is empty. */
export function parseText(value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new UserError(
      message('Expected a text, not {0}.', plainText(JSON.stringify(value ?? null), 60)),
      'badRequest',
    );
  }
  return value;
}
