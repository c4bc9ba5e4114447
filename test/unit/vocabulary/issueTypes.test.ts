import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Texts } from '../../helpers/translations';
import {
  findIssueType,
  isIssueType,
  issueTypes,
  titleMessages,
} from '../../../src/vocabulary/issueTypes';

describe('The bundled issue types', () => {
  it('The bundled issue types have unique keys that are valid for the service, and a title', () => {
    assert.ok(issueTypes.length > 50);
    assert.equal(new Set(issueTypes.map(({ key }) => key)).size, issueTypes.length);
    for (const { key, title } of issueTypes) {
      assert.ok(isIssueType(key), key);
      assert.match(title, /^[A-Z]/);
      assert.equal(findIssueType(key)?.title, title);
    }
    assert.equal(findIssueType('__proto__'), undefined);
    assert.equal(Object.keys(titleMessages).length, issueTypes.length + 10 + 4);
  });

  it('The bundled issue types have a meaning in two short sentences, in English and German', () => {
    for (const name of ['issueTypes.json', 'issueTypes.de.json']) {
      const texts = JSON.parse(readFileSync(`l10n/${name}`, 'utf8')) as Texts;
      const meanings = new Map(Object.entries(texts));
      const keys = issueTypes.map(({ key }) => key);
      assert.deepEqual([...meanings.keys()].toSorted(), keys.toSorted(), name);
      for (const [key, meaning] of meanings) {
        assert.equal(meaning.match(/[^.]\.(?= [A-Z]|$)/g)?.length, 2, `${name}: ${key}`);
        assert.ok(meaning.length <= 260, `${name}: ${key} has ${meaning.length} characters`);
      }
    }
  });
});
