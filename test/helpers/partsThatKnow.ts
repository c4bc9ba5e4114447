import { weighSeverities, noEvidence } from '../../src/engine/read/lists/severityEvidence';
import { WorstSeverityCache } from '../../src/service/findings/severity';
import { whyNoRows } from '../../src/summary/fileNotices';
import { shownRow } from '../../src/viewer/table/shownRow';
import { pageTexts } from '../../src/summary/pageTexts';
import { Texts } from '../../src/summary/texts';
import { areFindings } from '../../src/vocabulary/findingColumns';
import { findingProblem } from '../../src/vocabulary/findingProblem';
import { findingRecord, summaryFields } from '../../src/vocabulary/findingSummary';
import { columnRoles, findRoles } from '../../src/vocabulary/roles';
import { findOrder } from '../../src/vocabulary/valueOrder';
import { severityPosition } from '../../src/vocabulary/worstSeverity';
import { ColumnModel } from '../../src/webview/state/columnModel';

/** By part of the product: whether it takes the field with this name as the severity of a finding. */
export function partsThatKnow(name: string): Readonly<Record<string, boolean>> {
  const finding = { note: 'x', [name]: 'High', host: 'a.example' };
  const sample = Object.entries(finding).map(([each, text]) => ({
    name: each,
    texts: [text],
    dates: 0,
  }));
  const roles = columnRoles(sample);
  const columns = sample.map((column) => {
    const role = roles.get(column);
    return {
      id: `/${column.name}`,
      name: column.name,
      type: 'text',
      verified: true,
      secret: false,
      ...(role && { role }),
    } as const;
  });
  const model = new ColumnModel();
  model.update(columns);
  const texts = new Texts(
    Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
    'en',
  );
  const record = {
    record: 0,
    text: '',
    cut: false,
    masked: false,
    fields: Object.entries(finding).map(([each, text]) => ({
      column: `/${each}`,
      name: each,
      cell: { kind: 'text', text } as const,
    })),
  };
  const severities = findRoles(sample).get('severity');
  const info = {
    format: { kind: 'csv', gzip: false },
    rows: 0,
    done: true,
    bytesRead: 0,
    bytes: 0,
    columns,
    moreColumns: 0,
    invalidRows: 0,
    checked: true,
  } as const;
  return {
    'a row of the tree': severityPosition(finding) === 1,
    'a list of the tree':
      new WorstSeverityCache().of([{ key: 'a', number: 1, entry: finding }])?.position === 1,
    'a tooltip of the tree': summaryFields(finding, 1)[0]?.name === name,
    'the record of a finding': findingRecord(finding, 1).severity === name,
    'the role of a column': columns.some((one) => one.name === name && one.role === 'severity'),
    'the order of columns': model.shown[0]?.column.name === name,
    'the record of a row': shownRow(record, { info, secrets: 'none' }, texts).facts.some(
      ({ kind }) => kind === 'severity',
    ),
    'the order of values': findOrder(name, ['Low', 'own', 'High'])?.positionOf('own') !== undefined,
    'the overview and a comparison': severities?.column.name === name && severities.isNamed,
    'whether rows are findings': areFindings(columns),
    'a file without rows': whyNoRows(info) === 'noFindings',
    'the list of a document': weighSeverities([new Map([[name, 'High']])]) !== noEvidence,
    Problems: findingProblem(finding).level === 'error',
  };
}
