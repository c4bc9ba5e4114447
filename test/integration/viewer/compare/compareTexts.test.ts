import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  type Comparison,
  noSameList,
  tooManyRecords,
} from '../../../../src/engine/compare/comparison';
import {
  comparisonWarnings,
  describeCompareError,
  keyWarnings,
  sinceText,
} from '../../../../src/viewer/compare/ui/compareTexts';
import { type ComparedInput, swappedArgs } from '../../../../src/viewer/compare/ui/comparedInput';
import type { Message } from '../../../../src/base/message';
import type { TableErrorCode } from '../../../../src/engine/data/tableError';

describe('The text about changes since the previous report', () => {
  it('The text about changes since the previous report counts what has changed in one word each, or says "No changes"', () => {
    const since = { new: 0, gone: 0, changed: 0, at: Date.parse('2026-11-15T12:00:00Z') };
    assert.match(sinceText(since), /^No changes since 15 Nov/);
    assert.match(
      sinceText({ ...since, changed: 1 }),
      /^0 new, 0 no longer reported, 1 changed since 15 Nov/,
    );
    const findings = { ...since, new: 37, gone: 12 };
    assert.match(sinceText(findings), /^37 new, 12 no longer reported, 0 changed since 15 Nov/);
    const closed = { new: 7, gone: 12 };
    assert.match(
      sinceText({ ...findings, closed }),
      /^30 new \(open\), 0 no longer reported \(open\), 0 changed since 15 Nov/,
    );
    assert.match(
      sinceText({ ...since, changed: 9, nowClosed: 4 }),
      /^0 new, 0 no longer reported, 4 closed, 5 changed since 15 Nov/,
    );
    assert.match(
      sinceText({ ...since, new: 7, closed: { new: 7, gone: 0 } }),
      /^0 new \(open\), 0 no longer reported \(open\), 0 changed/,
    );
  });

  it('The text about changes since the previous report includes the time when the previous report is from the same day', () => {
    const since = { new: 0, gone: 0, changed: 0, at: new Date().setHours(0, 0) };
    assert.match(sinceText(since), /^No changes since .* 00:00$/);
    assert.match(
      sinceText({ ...since, new: 1 }),
      /^1 new, 0 no longer reported, 0 changed since .* 00:00$/,
    );
  });
});

describe('The texts of a comparison', () => {
  const same: Comparison = {
    key: 'issue_id',
    new: 0,
    gone: 0,
    changed: 0,
    unchanged: 10,
    duplicates: 0,
    withoutKey: { before: 0, after: 0 },
    invalid: { before: 0, after: 0 },
    onlyBefore: [],
    onlyAfter: [],
    truncated: false,
  };

  function input(title = 'r.csv', id?: string): ComparedInput {
    const uri = vscode.Uri.file('/r.csv');
    return {
      uri,
      title,
      ...(id !== undefined && {
        stored: { id, uri, title, madeAt: 0, label: title, description: title },
      }),
    };
  }

  const warnings = (changed: Partial<Comparison>) => comparisonWarnings({ ...same, ...changed });

  it('The texts of a comparison warn of nothing where all records were compared', () => {
    assert.deepEqual(warnings({}), []);
  });

  it('The texts of a comparison warn of one record as of one', () => {
    const onlyOne = { before: 1, after: 0 };
    assert.deepEqual(warnings({ withoutKey: onlyOne, duplicates: 1, invalid: onlyOne }), [
      '1 record has no "issue_id". It counts as unchanged if an identical one is in the other file, else as new or no longer reported.',
      '1 record shares its "issue_id" with another record. Identical ones are matched first, the others in the order of the files.',
      '1 record could not be read and is not compared.',
    ]);
  });

  it('The texts of a comparison warn of findings without a rule or a place, and of several of one', () => {
    const recognizedBy = ['rule', 'file'];
    const key = 'rule + file';
    assert.deepEqual(keyWarnings({ key, recognizedBy }), []);
    assert.deepEqual(warnings({ key, recognizedBy }), []);
    const one = { key, recognizedBy, withoutKey: { before: 1, after: 0 }, duplicates: 1 };
    assert.deepEqual(warnings(one), [
      '1 finding has no rule or no place. It counts as unchanged if an identical one is in the other file, else as new or no longer reported.',
      '1 finding has the rule and the place of another one. Identical ones are matched first, the others in the order of the files.',
    ]);
    const many = { key, recognizedBy, withoutKey: { before: 1, after: 2000 }, duplicates: 12 };
    assert.deepEqual(warnings(many), [
      '2,001 findings have no rule or no place. Identical ones count as unchanged, all others as new or no longer reported.',
      '12 findings have the rule and the place of another one. Identical ones are matched first, the others in the order of the files.',
    ]);
  });

  it('The texts of a comparison warn of records without a unique key, invalid records and fields of only one file', () => {
    assert.deepEqual(
      warnings({
        withoutKey: { before: 1, after: 1000 },
        duplicates: 12,
        invalid: { before: 3, after: 0 },
        onlyBefore: ['old', '[x](command:y)'],
        onlyAfter: ['new'],
        truncated: true,
      }),
      [
        '1,001 records have no "issue_id". Identical ones count as unchanged, all others as new or no longer reported.',
        '12 records share their "issue_id" with another record. Identical ones are matched first, the others in the order of the files.',
        '3 records could not be read and are not compared.',
        'Only the older file has these fields: old, [x] \u2768command\u2236y)',
        'Only the newer file has these fields: new',
        'A file is incomplete: it ends in the middle.',
      ],
    );
  });

  it('The texts of a comparison say for each error what to do', () => {
    const codes = ['memory', 'changed', 'disk', 'notFound', 'notATable', 'utf32'] as const;
    const files = [{ title: 'a.sarif' }, { title: 'b.json' }] as const;
    const describe = (code: TableErrorCode, details: readonly Message[] = []) =>
      describeCompareError({ code, details }, ...files);
    const texts = codes.map((code) => describe(code));
    assert.equal(new Set(texts).size, codes.length);
    for (const text of texts) {
      assert.match(text, /[Cc]ompare|[Tt]ry again|Choose another/);
    }
    assert.doesNotMatch(describe('memory'), /million/);
    assert.match(describe('memory', [tooManyRecords]), /the limit is 16 million/);
    assert.match(describe('unreadable'), /^Could not read the file\. Check/);
    const { details } = noSameList('runs[].results[]', 'Results[].Vulnerabilities[]');
    assert.equal(
      describe('noList', details),
      '"a.sarif" and "b.json" have no list in common to compare. ' +
        'The older file has the list "runs[].results[]", the newer one "Results[].Vulnerabilities[]". ' +
        'Compare two files of the same tool, or show the same list in both tables first.',
    );
  });

  it('The texts of a comparison offers to swap files, but no reports, whose times tell their order', () => {
    const [file, report] = [input(), input('x', 'r')];
    assert.deepEqual(swappedArgs(file, report), {
      before: 'r',
      after: file.uri.fsPath,
    });
    assert.equal(swappedArgs(report, report), undefined);
    const elsewhere = { ...file, uri: vscode.Uri.parse('vscode-vfs://host/a.csv') };
    assert.equal(swappedArgs(file, elsewhere), undefined);
  });
});
