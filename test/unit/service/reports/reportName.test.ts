import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Message } from '../../../../src/base/message';
import { nameReport, nameScope, titleReport } from '../../../../src/service/reports/reportName';

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Readonly<
  Record<string, string>
>;

const languages = {
  English: (text: Message) => String(text),
  German: ({ text, args }: Message) => String(new Message(german[text] ?? '?', args)),
} as const;

describe('The name of a report', () => {
  const reports = [
    { kind: 'full', title: 'Alle Befunde' },
    { kind: 'detailed', title: 'Bluefjord: Bank', scorecardId: 'b' },
    { kind: 'issues', title: 'Bluefjord: Bank', scorecardId: 'b' },
  ] as const;

  it('The name of a report is in the language of the user, whatever it was when the report was requested', () => {
    const names = Object.values(languages).map((localize) =>
      reports.map((report) => nameReport(report, localize)),
    );
    assert.deepEqual(names, [
      [
        'Full report: All findings',
        'Detailed report: Bluefjord: Bank',
        'Issues report: Bluefjord: Bank',
      ],
      [
        'Vollst\u00e4ndiger Bericht: Alle Befunde',
        'Detaillierter Bericht: Bluefjord: Bank',
        'Problembericht: Bluefjord: Bank',
      ],
    ]);
  });

  for (const [language, localize] of Object.entries(languages)) {
    it(`The name of a report begins its title and ends with its scope in ${language}`, () => {
      for (const report of reports) {
        const name = nameReport(report, localize);
        assert.equal(titleReport(report, '22 Nov 14:03', localize), `${name} \u00b7 22 Nov 14:03`);
        assert.ok(name.endsWith(`: ${nameScope(report, localize)}`));
      }
    });
  }

  it('The name of a report has no command of a link', () => {
    const report = {
      kind: 'full',
      title: '[a](command:b)',
      scorecardId: 'c',
    } as const;
    assert.doesNotMatch(nameReport(report, String), /\]\(|command:/);
  });
});
