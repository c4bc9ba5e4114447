import assert from 'node:assert/strict';
import { orderFields, splitFields } from '../../../src/vocabulary/fieldOrder';
import { ColumnModel } from '../../../src/webview/state/columnModel';
import { column } from '../../helpers/column';
import { areFindings } from '../../../src/vocabulary/findingColumns';

describe('The order of the fields of a finding', () => {
  const columns = [
    column('id', 'id'),
    column('factor', 'factor'),
    column('note'),
    column('when', 'firstSeen'),
    column('status', 'status'),
    column('host', 'asset'),
    column('scorecard', 'id'),
    column('type', 'issueType'),
    column('severity', 'severity'),
    column('port'),
  ];
  const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name);

  it('The order of the fields of a finding begins with what was found and where, and ends with identifiers', () => {
    assert.deepEqual(names(orderFields(columns)), [
      'severity',
      'type',
      'host',
      'status',
      'when',
      'factor',
      'port',
      'note',
      'id',
      'scorecard',
    ]);
  });

  it('The order of the fields of a finding is the same whether a field has a role or only the name of an asset or an identifier', () => {
    const fields = ['note', 'findingUid', 'ip', 'message', 'cve', 'port', 'issue_id', 'domain'];
    const ordered = ['cve', 'ip', 'domain', 'message', 'port', 'note', 'findingUid', 'issue_id'];
    assert.deepEqual(names(orderFields(fields.map((name) => ({ name })))), ordered);
    const withRoles = fields.map((name) =>
      name === 'domain'
        ? column(name, 'asset')
        : name.endsWith('d')
          ? column(name, 'id')
          : column(name),
    );
    assert.deepEqual(names(orderFields(withRoles)), ordered);
  });

  it('The order of the fields of a finding of Trivy begins with severity, title, one id, package and file', () => {
    const vulnerability = [
      column('VulnerabilityID', 'id'),
      column('CVE', 'id'),
      column('PkgID', 'id'),
      column('PkgName', 'asset'),
      column('Status'),
      column('Layer.Digest'),
      column('PrimaryURL'),
      column('DataSource.Title'),
      column('Title'),
      column('Severity', 'severity'),
      column('Results.Target'),
    ];
    const expected = ['Severity', 'Title', 'VulnerabilityID', 'PkgName', 'Results.Target', 'CVE'];
    assert.deepEqual(names(orderFields(vulnerability)).slice(0, 6), expected);
    assert.deepEqual(names(orderFields(vulnerability.toReversed())).slice(0, 6), expected);
    const model = new ColumnModel();
    model.update(vulnerability);
    assert.deepEqual(
      model.shown.slice(0, 6).map((shown) => shown.column.name),
      expected,
    );
  });

  it('The order of the fields of a finding keeps the id of a vulnerability beside its issue type, and the name of a rule beside its id', () => {
    const ordered = (...fields: readonly string[]) =>
      names(orderFields(fields.map((name) => ({ name }))));
    assert.deepEqual(ordered('host', 'vulnerability_id', 'issue_type'), [
      'vulnerability_id',
      'issue_type',
      'host',
    ]);
    assert.deepEqual(ordered('host', 'check_name', 'check_id'), ['check_name', 'check_id', 'host']);
  });

  it('The order of the fields of a finding has two parts, the first without empty fields', () => {
    const { key, more } = splitFields(columns, ({ name }) => name === 'host');
    assert.deepEqual(names(key), ['severity', 'type', 'status', 'when', 'factor', 'port']);
    assert.deepEqual(names(more), ['host', 'note', 'id', 'scorecard']);
  });

  it('The order of the fields of a finding keeps a nested field that may be the address of a page about it among the others', () => {
    const { key } = splitFields([{ name: 'references.url' }, { name: 'url' }], () => false);
    assert.deepEqual(names(key), ['url']);
  });

  it('The order of the fields of a finding is not that of a file without a severity, an issue type or an ID of an issue', () => {
    assert.equal(areFindings(columns), true);
    assert.equal(areFindings([column('issue_id', 'id')]), true);
    assert.equal(areFindings([column('note'), column('host', 'asset')]), false);
  });
});
