import assert from 'node:assert/strict';
import * as paths from '../../../src/api/paths';
import { fnv1a } from '../../../src/base/fnv1a';
import { isPlainObject } from '../../../src/base/json';

/** The labels of the routes in a value: those of a route, or of the routes in a record. */
function labelsIn(value: unknown): string[] {
  if (!isPlainObject(value)) {
    return [];
  }
  return typeof value.label === 'string' ? [value.label] : Object.values(value).flatMap(labelsIn);
}

describe('the routes of the service', () => {
  it('have names before a request is sent, because another window may have sent one', () => {
    const labels = Object.values(paths).flatMap(labelsIn);
    assert.ok(labels.length >= 4);
    assert.deepEqual(
      labels.filter((label) => paths.endpointLabel(fnv1a(Buffer.from(label))) !== label),
      [],
      'A route is made with serviceRoute',
    );
  });
});
