import {
  type Column,
  comparedFields,
  type ComparisonAbout,
  type Field,
  type InvalidReason,
  type ListedRow,
  type TableInfo,
  type TableRecord,
  withoutOldColumns,
} from '../../engine';
import { comparedDays } from '../../summary/comparisonModel';
import type { PageTextKey } from '../../summary/pageTexts';
import { arrangeFinding, type FactFields } from '../../summary/arrangeFinding';
import type { RecordFact, SecretState, ShownField, ShownRecord } from '../../summary/shownRecord';
import type { Texts } from '../../summary/texts';
import { justificationFact, knownFacts, maxShownComment } from '../../summary/knownFacts';
import { columnTitles } from '../../summary/columnTitles';
import { plainText } from '../../base/text/plainText';
import { spellName } from '../../vocabulary/fieldNames';
import { findJustification } from '../../vocabulary/justification';
import { says } from '../../vocabulary/meanings';
import { withoutPlaceLinks } from '../../vocabulary/placeLinks';
import { areFindings } from '../../vocabulary/findingColumns';
import type { ColumnRole } from '../../vocabulary/columnRole';
import { rowTitle } from './rowTitle';

const invalidTexts: Record<InvalidReason, PageTextKey> = {
  syntax: 'invalidSyntax',
  fields: 'invalidFields',
  tooLong: 'invalidTooLong',
  truncated: 'invalidTruncated',
};

/** The longest name of a list of CVEs. */
const maxListName = 100;

/** What is known of a row besides its values. */
interface AboutRow {
  readonly info: TableInfo;
  /** For a file of differences: what was compared. */
  readonly comparison?: ComparisonAbout | undefined;
  readonly secrets: SecretState;
  readonly meaning?: string | undefined;
}

/** A row of a table as users read it: a finding in the order of findings, another row as it is in its file. */
export function shownRow(
  { record, fields, text, cut, invalid, known, wasKnown, comment, listed = [] }: TableRecord,
  { info, comparison, secrets, meaning }: AboutRow,
  texts: Texts,
): ShownRecord {
  const { columns } = comparison ? withoutOldColumns(info) : info;
  const byId = new Map(columns.map((column) => [column.id, column]));
  const titles = columnTitles(columns, texts);
  const shown = (comparison ? comparedFields(fields) : fields).map((field) =>
    shownField(field, byId.get(field.column), titles.get(field.column)),
  );
  const number = texts.get('recordTitle', record + 1);
  const place = comparison ? `${number} \u00b7 ${comparedDays(comparison, texts)}` : number;
  const isFinding = areFindings(columns);
  const title = isFinding ? rowTitle(fields, columns, texts) : '';
  const arranged = isFinding
    ? arrangeFinding(shown, createFactFields(shown, texts), texts)
    : { facts: [], key: shown, more: [] };
  return {
    ...(title === '' ? { title: place } : { title, subtitle: place }),
    ...arranged,
    facts: [
      ...knownFacts(
        { known, wasKnown, comment: comment && plainText(comment, maxShownComment) },
        texts,
      ),
      ...listed.flatMap((each) => listedFacts(each, texts)),
      ...arranged.facts,
      ...justificationFact(isFinding ? justificationOf(shown) : undefined, texts),
    ],
    ...(invalid !== undefined && { notice: texts.get(invalidTexts[invalid]) }),
    ...(meaning !== undefined && { meaning }),
    secrets,
    source: { text, cut, open: invalid !== undefined },
  };
}

function justificationOf(fields: readonly ShownField[]): string | undefined {
  const text = findJustification(fields);
  return text && plainText(text, maxShownComment);
}

/** What a list of CVEs says of a finding. */
function listedFacts(
  { name, at, cve, isKnown, epss }: ListedRow,
  texts: Texts,
): readonly RecordFact[] {
  const shown = plainText(name, maxListName);
  const day = texts.utcDay(at);
  const fact = (key: 'exploited' | 'epss', text: string): RecordFact => ({
    label: texts.get(key),
    text,
    kind: 'text',
  });
  return [
    ...(isKnown ? [fact('exploited', texts.get('inCveList', cve, shown, day))] : []),
    ...(epss === undefined
      ? []
      : [fact('epss', texts.get('epssInList', texts.probability(epss), cve, shown, day))]),
  ];
}

function shownField(
  { column: id, name, cell: written }: Field,
  column: Column | undefined,
  title = spellName(name),
): ShownField {
  const cell = says('messageOfSarif', name) ? readMessage(written) : written;
  return {
    id,
    name,
    cell,
    ...(title !== name && { title }),
    ...(column?.role && { role: column.role }),
    ...(column?.scale && { scale: column.scale }),
  };
}

/** A message of SARIF as users read it. */
function readMessage(cell: ShownField['cell']): ShownField['cell'] {
  const { was } = cell;
  return {
    ...cell,
    text: withoutPlaceLinks(cell.text),
    ...(was && { was: { ...was, text: withoutPlaceLinks(was.text) } }),
  };
}

function createFactFields(fields: readonly ShownField[], texts: Texts): FactFields {
  const withRole = (role: ColumnRole) => fields.find((field) => field.role === role);
  const isLastSeen = ({ name, cell }: ShownField) =>
    says('lastSeen', name) && texts.date(cell.text) !== undefined;
  return {
    severity: withRole('severity'),
    status: withRole('status'),
    firstSeen: withRole('firstSeen'),
    lastSeen: fields.find(isLastSeen),
  };
}
