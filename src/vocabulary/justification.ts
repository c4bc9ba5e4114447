import { tryParseJson } from '../base/json/tryParseJson';
import { isPlainObject } from '../base/json/json';
import { acceptedFeedback } from './closing';
import { isNameOf, namesWith } from './meanings';
import { isClosedStatus } from './status';

/** A field of a record, as far as it may say why a finding is closed. */
interface WrittenField {
  readonly name: string;
  readonly cell: { readonly kind: string; readonly text: string; readonly masked?: true };
}

/**
 * Why somebody has closed a finding, in their words; `undefined` if nothing tells. It stands in the list of what
 * suppresses the finding, such as that of SARIF 2.1.0 (section 3.35.3), or beside a decision.
 */
export function findJustification(fields: readonly WrittenField[]): string | undefined {
  const readable = fields.filter(({ cell }) => !cell.masked && cell.text.trim() !== '');
  const listsIn = (meaning: 'suppressions' | 'feedback') =>
    readable
      .filter(({ name, cell }) => isNameOf(meaning, name) && cell.kind === 'json')
      .map(({ cell }) => tryParseJson(cell.text));
  const [listed] = [
    ...listsIn('suppressions').flatMap((list) => readJustification(list) ?? []),
    ...listsIn('feedback').flatMap(readAccepted),
  ];
  return listed ?? (readable.some(isDecision) ? findBeside(readable) : undefined);
}

function isDecision({ name, cell }: WrittenField): boolean {
  return isNameOf('decision', name) && isClosedStatus(cell.text);
}

/** @param list of suppressions, or of requests for them: one that is not accepted leaves the finding open. */
function readJustification(list: unknown): string | undefined {
  const all = Array.isArray(list) ? list.filter(isPlainObject) : [];
  const areAccepted = all.every(({ status = 'accepted' }) => status === 'accepted');
  const [first] = areAccepted ? all.flatMap((each) => textOf(each) ?? []) : [];
  return first;
}

/** What the service has accepted, and in the words of a user. @param list of what it was told. */
function readAccepted(list: unknown): string[] {
  return acceptedFeedback(list)
    .map(({ type, comment }) =>
      [type, comment].filter((text) => typeof text === 'string' && text !== '').join(': '),
    )
    .filter((text) => text !== '');
}

function textOf(suppression: Readonly<Record<string, unknown>>): string | undefined {
  return namesWith('justification', Object.keys(suppression))
    .map((name) => suppression[name])
    .find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined;
}

function findBeside(fields: readonly WrittenField[]): string | undefined {
  const texts = fields.filter(({ cell }) => cell.kind === 'text');
  const [name] = namesWith(
    'justification',
    texts.map((field) => field.name),
  );
  return texts.find((field) => field.name === name)?.cell.text;
}
