import assert from 'node:assert/strict';
import type { TableInfo } from '../../../src/engine/data/tableInfo';
import { fileNotices, whyNoRows } from '../../../src/summary/fileNotices';
import { pageTexts } from '../../../src/summary/pageTexts';
import { Texts } from '../../../src/summary/texts';
import { column, infoOf } from '../../helpers/column';

describe('Why a table has no rows', () => {
  const why = (info: Partial<TableInfo>) =>
    whyNoRows({ columns: [], invalidRows: 0, ...info } as TableInfo);

  it('Why a table has no rows is that the report has no findings, if it could have some', () => {
    for (const list of ['results[]', 'runs[].results[]', '"data.findings"[]', 'alerts{}']) {
      assert.equal(why({ list }), 'noFindings', list);
    }
    assert.equal(why({ columns: [column('a'), column('Severity')] }), 'noFindings');
  });

  it('Why a table has no rows is unknown in other files, and in those that are damaged', () => {
    for (const list of [undefined, '[]', 'users[]', 'results[].users[]', '""[]']) {
      assert.equal(why({ ...(list !== undefined && { list }) }), 'noRows', list);
    }
    assert.equal(why({ columns: [column('a')] }), 'noRows');
    for (const damage of [
      { truncated: 'record' },
      { invalidRows: 1 },
      { bytesAfterValue: 2 },
    ] as const) {
      assert.equal(why({ list: 'results[]', ...damage }), 'noRows');
    }
  });
});

describe('What is said of a file', () => {
  const english = Object.entries(pageTexts).map(([key, { text }]) => [key, text] as const);
  const texts = new Texts(Object.fromEntries(english), 'en');

  it('What is said of a file is right for one column and one byte, and for many', () => {
    const say = (info: Partial<TableInfo>) =>
      fileNotices(infoOf([], info), texts).map(({ text }) => text);
    assert.deepEqual(say({ moreColumns: 1, bytesAfterValue: 1 }), [
      'Only the first JSON value in this file is shown. 1 byte follows it.',
      '1 more column is not shown. Open a record to see its value in the text.',
    ]);
    assert.deepEqual(say({ moreColumns: 1_200, bytesAfterValue: 2 }), [
      'Only the first JSON value in this file is shown. 2 bytes follow it.',
      '1,200 more columns are not shown. Open a record to see their values in its text.',
    ]);
  });
});

describe('The notices of a file', () => {
  it('The notices of a file say in which encoding it is read where that is a guess, and offer others', () => {
    const texts = new Texts(
      Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
      'en',
    );
    const format = { kind: 'csv', gzip: false, encoding: 'windows-1252' } as const;
    const notices = (isGuessed: boolean) =>
      fileNotices(
        infoOf([column('a')], {
          format: { ...format, ...(isGuessed && { isEncodingGuessed: true }) },
        }),
        texts,
      );
    assert.deepEqual(notices(false), []);
    assert.deepEqual(notices(true), [
      {
        action: 'reopenWithEncoding',
        severity: 'warning',
        text: 'Read as Western (Windows 1252): this file is not valid UTF-8.',
      },
    ]);
  });
});
