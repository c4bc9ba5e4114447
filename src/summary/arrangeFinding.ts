import { formatLine } from '../base/text/formatLine';
import { columnTitle } from './columnTitles';
import { splitFields } from '../vocabulary/fieldOrder';
import { findTone } from './severityTones';
import type { RecordFact, ShownField, ShownRecord } from './shownRecord';
import type { Texts } from './texts';
import type { ColumnRole } from '../vocabulary/columnRole';
import { exploitSignOf, readEpss, saysExploited } from '../vocabulary/exploited';

type FactMeaning = 'status' | 'firstSeen' | 'lastSeen';

/** The fields that tell facts, as far as they are known. */
export type FactFields = Partial<Record<'severity' | FactMeaning, ShownField | undefined>>;

/** The longest value that is a fact, in UTF-16 units: a longer one stays among the fields. */
const longestFact = 100;

/** The longest name that is a label, in UTF-16 units; a longer one is cut. */
const longestLabel = 60;

/** The facts of a finding and its other fields, in the one order in which users read findings. */
export function arrangeFinding(
  fields: readonly ShownField[],
  factFields: FactFields,
  texts: Texts,
): Pick<ShownRecord, 'facts' | 'key' | 'more'> {
  const { severity, status, firstSeen, lastSeen } = factFields;
  const told = [
    severityFact(severity, texts),
    exploitedFact(fields, texts),
    epssFact(fields, texts),
    fact('status', status, texts),
    fact('firstSeen', firstSeen, texts),
    fact('lastSeen', lastSeen, texts),
  ].filter((one) => one !== undefined);
  const inFacts = new Set<ShownField | undefined>(told.map(({ field }) => field));
  // What has changed stays among the fields, which show both values.
  const others = fields.filter((field) => field.cell.was !== undefined || !inFacts.has(field));
  const { key, more } = splitFields(others, ({ cell }) => cell.text === '' && !cell.was);
  const isChange = ({ cell, role }: ShownField) => role === 'change' || cell.was !== undefined;
  const all = [...key, ...more];
  const changed = all.filter(isChange);
  return {
    facts: told.map(({ shown }) => shown),
    key: [
      ...changed.filter(({ role }) => role === 'change'),
      ...changed.filter(({ role }) => role !== 'change'),
      ...key.filter((field) => !isChange(field)),
    ],
    more: more.filter((field) => !isChange(field)),
  };
}

interface ToldFact {
  /** The field that need not be shown again, as the fact says all of it. */
  readonly field?: ShownField;
  readonly shown: RecordFact;
}

function severityFact(field: ShownField | undefined, texts: Texts): ToldFact | undefined {
  if (!field || !isShort(field)) {
    return undefined;
  }
  const { cell } = field;
  const shown = {
    label: texts.get('severity'),
    kind: 'severity',
    ...writeWords(cell, 'severity', texts),
    tone: findTone(cell.text, field),
  } as const;
  return { field, shown };
}

/** That attackers are known to exploit it, if a field says so. */
function exploitedFact(fields: readonly ShownField[], texts: Texts): ToldFact | undefined {
  const isKnown = fields.some(
    ({ name, cell }) =>
      exploitSignOf(name) === 'known' && !cell.masked && saysExploited(name, cell.text),
  );
  return isKnown
    ? { shown: { label: texts.get('exploited'), text: texts.get('knownExploited'), kind: 'text' } }
    : undefined;
}

/** The EPSS that a list contains. A number may be a probability or percents, so that it stays as it is. */
function epssFact(fields: readonly ShownField[], texts: Texts): ToldFact | undefined {
  const lists = fields.filter(
    ({ name, cell: { kind, masked } }) =>
      kind === 'json' && !masked && exploitSignOf(name) === 'likely',
  );
  const [epss] = lists.flatMap(({ cell }) => readEpss(cell.text) ?? []);
  return epss === undefined
    ? undefined
    : { shown: { label: texts.get('epss'), text: texts.probability(epss), kind: 'text' } };
}

/** If the name of the field may mean something else, the label is that name in words. */
function fact(
  meaning: FactMeaning,
  field: ShownField | undefined,
  texts: Texts,
): ToldFact | undefined {
  if (!field || !isShort(field)) {
    return undefined;
  }
  const { name, cell } = field;
  const role = meaning === 'lastSeen' ? {} : { role: meaning };
  const label = formatLine(columnTitle({ name, ...role }, texts), longestLabel);
  if (meaning === 'status') {
    return { field, shown: { label, kind: 'text', ...writeWords(cell, 'status', texts) } };
  }
  return texts.date(cell.text) === undefined
    ? undefined
    : { field, shown: { label, kind: 'date', text: formatLine(cell.text, longestFact) } };
}

function isShort({ cell: { kind, text, masked } }: ShownField): boolean {
  return kind !== 'json' && !masked && text.length <= longestFact && text.trim() !== '';
}

/** @param cell a short one */
function writeWords(
  cell: ShownField['cell'],
  role: ColumnRole,
  texts: Texts,
): Pick<RecordFact, 'text' | 'written'> {
  const text = formatLine(texts.value(cell, role), longestFact);
  const written = formatLine(cell.text, longestFact);
  return { text, ...(written !== text && { written }) };
}
