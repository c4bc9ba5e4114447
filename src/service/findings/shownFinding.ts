import { defined } from '../../base/defined';
import { isContainer, type JsonObject, type JsonValue } from '../../base/json/json';
import { arrangeFinding } from '../../summary/arrangeFinding';
import { columnTitles } from '../../summary/columnTitles';
import type { RecordFact, ShownField, ShownRecord } from '../../summary/shownRecord';
import type { Texts } from '../../summary/texts';
import { roleOfField } from '../../vocabulary/fieldOrder';
import { isSecretField, mask } from '../../vocabulary/secretFields';
import type { FindingRecord } from '../../vocabulary/findingSummary';

/** The longest value that is sent to the page, in UTF-16 units; the JSON document has all of it. */
const longestText = 200_000;
/** The most fields that are sent. */
const maxFields = 2_000;

/**
 * A finding of the service as users read it.
 * @param entry with secret-like values masked, unless they are shown.
 * @param names the names of its fields with facts.
 * @param severityOfType for a finding without a severity: that of its issue type, if it is known.
 */
export function shownFinding(
  entry: JsonObject,
  names: Pick<FindingRecord, 'severity' | 'status' | 'firstSeen' | 'lastSeen'>,
  texts: Texts,
  severityOfType?: RecordFact,
): Pick<ShownRecord, 'facts' | 'key' | 'more'> {
  const fields = withTitles(
    Object.entries(entry)
      .slice(0, maxFields)
      .map(([id, value]) => createField(id, value)),
    texts,
  );
  const named = (name: string | undefined) => fields.find(({ id }) => id === name);
  const shown = arrangeFinding(
    fields,
    {
      severity: named(names.severity),
      status: named(names.status),
      firstSeen: named(names.firstSeen),
      lastSeen: named(names.lastSeen),
    },
    texts,
  );
  const hasSeverity = shown.facts.some(({ kind }) => kind === 'severity');
  return hasSeverity || !severityOfType
    ? shown
    : { ...shown, facts: [severityOfType, ...shown.facts] };
}

function withTitles(fields: readonly ShownField[], texts: Texts): readonly ShownField[] {
  const titles = columnTitles(fields, texts);
  return fields.map((field) => {
    const title = titles.get(field.id);
    return title === undefined || title === field.name ? field : { ...field, title };
  });
}

function createField(id: string, value: JsonValue): ShownField {
  const role = roleOfField(id);
  return {
    id,
    name: id.slice(0, longestText),
    cell: createCell(id, value),
    ...defined({ role }),
  };
}

function createCell(name: string, value: JsonValue): ShownField['cell'] {
  if (value === null) {
    return { kind: 'null', text: '' };
  }
  if (isMasked(name, value)) {
    return { kind: 'text', text: mask, masked: true };
  }
  const kind = isContainer(value) ? 'json' : typeof value === 'string' ? 'text' : 'number';
  const text = textOfValue(value);
  return text.length > longestText
    ? { kind, text: text.slice(0, longestText), cut: true }
    : { kind, text };
}

/** Whether a value of a finding is masked itself, rather than a part of it. */
export function isMasked(name: string, value: JsonValue): boolean {
  return value === mask && isSecretField(name);
}

/** A value of a finding as text: a text as it is, another value as JSON. */
export function textOfValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
