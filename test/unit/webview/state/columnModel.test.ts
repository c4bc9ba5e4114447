import assert from 'node:assert/strict';
import { ColumnModel } from '../../../../src/webview/state/columnModel';
import { column } from '../../../helpers/column';

const shown = (model: ColumnModel) => model.shown.map(({ column: { name } }) => name);

describe('The columns of a grid', () => {
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

  it('The columns of a grid are ordered by role, then by what their names say, then as in the file, with narrow ids last', () => {
    const model = new ColumnModel();
    model.update(columns);
    const names = ['severity', 'type', 'host', 'status', 'when', 'factor', 'port', 'note'];
    assert.deepEqual(shown(model), [...names, 'id', 'scorecard']);
    const widthOf = (name: string) =>
      model.shown.find((one) => one.column.name === name)?.width ?? 0;
    const holds = (id: string) => (id === '/id' ? 'id' : id === '/status' ? 'change' : 'value');
    model.fit(columns.map(({ id }) => ({ id, width: 500, holds: holds(id) })));
    const widths = ['note', 'id', 'status', 'scorecard'].map(widthOf);
    assert.deepEqual(widths, [360, 120, 500, 360]);
  });

  it('The columns of a grid keep a width that the user set, and fit a measured width to other rows', () => {
    const measured = (width: number) =>
      columns.map(({ id }) => ({ id, width, holds: 'value' }) as const);
    const model = new ColumnModel();
    model.update(columns);
    model.fit(measured(100));
    model.resize('/note', 90);
    const later = new ColumnModel(model.state);
    later.update(columns);
    const widths = () =>
      ['note', 'host'].map((name) => later.shown.find(({ column: { id } }) => id === `/${name}`));
    assert.deepEqual(
      widths().map((one) => one?.width),
      [90, 100],
    );
    later.fit(measured(150));
    assert.deepEqual(
      widths().map((one) => one?.width),
      [90, 150],
    );
  });

  it('The columns of a grid start with the change columns of a comparison', () => {
    const model = new ColumnModel();
    model.update([...columns, column('change', 'change'), column('changed_fields', 'change')]);
    assert.deepEqual(shown(model).slice(0, 3), ['change', 'changed_fields', 'severity']);
  });

  it('The columns of a grid put changed columns after severity, issue type and asset until the user moves a column', () => {
    const compared = [...columns, column('change', 'change')];
    const changed = compared.map((one) =>
      ['port', 'status'].includes(one.name) ? { ...one, changed: true as const } : one,
    );
    const model = new ColumnModel();
    model.update(compared);
    assert.deepEqual(shown(model).slice(0, 3), ['change', 'severity', 'type']);
    model.update(changed);
    const inFront = ['change', 'severity', 'type', 'host'];
    assert.deepEqual(shown(model).slice(0, 7), [...inFront, 'status', 'port', 'when']);
    model.move(5, 1);
    model.update([...changed, column('late', undefined, { changed: true })]);
    const moved = ['change', 'port', 'severity', 'type', 'host', 'status'];
    assert.deepEqual(shown(model).slice(0, 6), moved);
    const reloaded = new ColumnModel(model.state);
    reloaded.update(changed);
    assert.deepEqual(shown(reloaded).slice(0, 6), moved);
  });

  it('The columns of a grid put an id before the changed columns when a comparison has no asset', () => {
    const model = new ColumnModel();
    model.update([
      column('note'),
      column('size', undefined, { changed: true }),
      column('key', 'id'),
      column('change', 'change'),
    ]);
    assert.deepEqual(shown(model), ['change', 'key', 'size', 'note']);
  });

  it('The columns of a grid keep their order when columns are found later, and put these before the ids', () => {
    const model = new ColumnModel();
    model.update(columns.slice(0, 3));
    assert.deepEqual(shown(model), ['factor', 'note', 'id']);
    model.update(columns);
    const late = ['severity', 'type', 'host', 'status', 'when', 'port'];
    assert.deepEqual(shown(model), ['factor', 'note', ...late, 'id', 'scorecard']);
  });

  it('The columns of a grid end with what is the same in a list of findings', () => {
    const model = new ColumnModel();
    model.update([
      column('issue_id', 'id'),
      column('parent_domain', 'asset'),
      column('count'),
      column('first_seen_time', 'firstSeen'),
      column('group_status', 'status'),
      column('password'),
    ]);
    const useful = ['group_status', 'first_seen_time', 'password'];
    assert.deepEqual(shown(model), [...useful, 'issue_id', 'parent_domain', 'count']);
  });

  it('The columns of a grid say early what was found and where in code', () => {
    const model = new ColumnModel();
    model.update([
      column('ruleIndex'),
      column('message.text'),
      column('locations'),
      column('ruleId', 'id'),
      column('level', 'severity'),
    ]);
    assert.deepEqual(shown(model), ['level', 'ruleId', 'locations', 'message.text', 'ruleIndex']);
  });

  it('The columns of a grid end with details of a place, and with what repeats the file of another column', () => {
    const ofSarif = new ColumnModel();
    ofSarif.update([
      column('ruleId'),
      column('ruleIndex', 'id'),
      column('kind'),
      column('locations'),
      column('locations.physicalLocation.artifactLocation.uri', 'asset'),
      column('message.text'),
      column('level', 'severity'),
    ]);
    const first = ['level', 'ruleId', 'locations', 'message.text', 'kind'];
    const uri = 'locations.physicalLocation.artifactLocation.uri';
    assert.deepEqual(shown(ofSarif), [...first, 'ruleIndex', uri]);

    const ofSemgrep = new ColumnModel();
    ofSemgrep.update([
      column('check_id'),
      column('path', 'asset'),
      ...['start.line', 'start.col', 'start.offset', 'end.line', 'end.col'].map((name) =>
        column(name),
      ),
      column('extra.message'),
      column('extra.severity', 'severity'),
      column('extra.metadata.confidence'),
    ]);
    const useful = ['extra.severity', 'check_id', 'path', 'start.line', 'extra.message'];
    const details = ['start.col', 'start.offset', 'end.line', 'end.col'];
    assert.deepEqual(shown(ofSemgrep), [...useful, 'extra.metadata.confidence', ...details]);
  });

  it('The columns of a grid keep the order of the file when the rows are not findings', () => {
    const model = new ColumnModel();
    const orders = [
      column('order_id', 'id'),
      column('customer'),
      column('status', 'status'),
      column('paid_at', 'firstSeen'),
    ];
    model.update(orders.slice(0, 2));
    model.update(orders);
    assert.deepEqual(shown(model), ['order_id', 'customer', 'status', 'paid_at']);
  });

  it('The columns of a grid keep the order of the user once there is one', () => {
    const model = new ColumnModel([{ id: '/id' }, { id: '/port' }, { id: '/severity' }]);
    model.update(columns.filter(({ name }) => ['severity', 'id', 'port', 'note'].includes(name)));
    assert.deepEqual(shown(model), ['id', 'port', 'severity', 'note']);
  });
});

describe('Empty columns', () => {
  const none = { empty: true } as const;
  const columns = [column('a', undefined, none), column('b'), column('c', undefined, none)];

  function opened(): ColumnModel {
    const model = new ColumnModel();
    model.update(columns);
    return model;
  }

  it('Empty columns are hidden and counted until a value is found', () => {
    const model = opened();
    assert.deepEqual([shown(model), model.hiddenEmptyCount], [['b'], 2]);
    model.update([column('a'), column('b'), column('c', undefined, none)]);
    assert.deepEqual([shown(model), model.hiddenEmptyCount], [['a', 'b'], 1]);
  });

  it('Empty columns can be shown, together or one by one, and hidden again', () => {
    const model = opened();
    model.setEmptyHidden(false);
    assert.deepEqual([shown(model), model.hiddenEmptyCount], [['a', 'b', 'c'], 0]);
    model.setEmptyHidden(true);
    assert.deepEqual(shown(model), ['b']);
    model.setHidden('/c', false);
    assert.deepEqual([shown(model), model.hiddenEmptyCount], [['b', 'c'], 1]);
  });

  it('Empty columns stay shown after a reload when they had a value before it', () => {
    const model = opened();
    model.update([column('a'), column('b'), column('c', undefined, none)]);
    const later = new ColumnModel(model.state);
    // As far as the file is read by now.
    later.update(columns);
    assert.deepEqual(shown(later), ['a', 'b']);
    later.update([column('a'), column('b'), column('c')]);
    assert.deepEqual(shown(later), ['a', 'b', 'c']);
  });

  it('Empty columns stay hidden when the user hid them, even after a value is found', () => {
    const model = opened();
    model.setEmptyHidden(false);
    model.setHidden('/a', true);
    model.update([column('a'), column('b'), column('c')]);
    assert.deepEqual(shown(model), ['b', 'c']);
  });

  it('Empty columns are shown when all others are hidden, as in a layout of another file', () => {
    const model = new ColumnModel();
    model.arrange([{ id: '/b', hidden: true }]);
    model.update(columns);
    assert.ok(shown(model).length > 0);
    const alone = new ColumnModel();
    alone.arrange([{ id: '/b', hidden: true }]);
    alone.update([column('b')]);
    assert.deepEqual([shown(alone), alone.hiddenFilledCount], [['b'], 1]);
  });

  it('Empty columns are shown when there are no others', () => {
    const model = new ColumnModel();
    model.update(columns.filter((one) => one.empty));
    assert.deepEqual([shown(model), model.emptyCount], [['a', 'c'], 0]);
  });
});
