import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import * as paths from '../../../src/api/paths';
import { isPlainObject } from '../../../src/base/json/json';
import { repositoryRoot } from '../../host/paths';

/** The labels of a route, or of all routes in a record, by their names in the code. */
function labelsIn(name: string, value: unknown): [name: string, label: string][] {
  if (!isPlainObject(value)) {
    return [];
  }
  return typeof value.label === 'string'
    ? [[`${name}.label`, value.label]]
    : Object.entries(value).flatMap(([key, member]) => labelsIn(`${name}.${key}`, member));
}

describe('The routes of the service', () => {
  const labels = Object.entries(paths).flatMap(([name, value]) => labelsIn(name, value));

  it('have a display name in the request budget', () => {
    const item = readFileSync(path.join(repositoryRoot, 'src/account/ui/budgetItem.ts'), 'utf8');
    assert.ok(labels.length >= 4);
    assert.deepEqual(
      labels.flatMap(([name]) => (item.includes(`[${name}, `) ? [] : [name])),
      [],
      'endpointNames in src/account/ui/budgetItem.ts has each.',
    );
  });
});
