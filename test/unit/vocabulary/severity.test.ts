import assert from 'node:assert/strict';
import { gradeScale } from '../../../src/vocabulary/grade';
import { areAllKnown, compareListed } from '../../../src/vocabulary/scale';
import {
  mayBeSeverities,
  findSeverityLevel,
  isMoreSevere,
  severityOrder,
  severityScale,
} from '../../../src/vocabulary/severity';
import { statusScale } from '../../../src/vocabulary/status';
import { findScale } from '../../../src/vocabulary/valueOrder';

describe('Ordered words', () => {
  it('Ordered words are listed in their natural order in any case, before other words by count', () => {
    const listed = (scale: typeof severityScale | undefined, ...words: string[]) =>
      words
        .map((word, count) => ({ word, count }))
        .sort((one, other) => compareListed(scale, one, other))
        .map(({ word }) => word);
    assert.deepEqual(
      listed(severityScale, 'own', 'positive', 'None', 'low', 'Moderate', 'HIGH', 'critical', 'x'),
      ['critical', 'HIGH', 'Moderate', 'low', 'None', 'positive', 'x', 'own'],
    );
    assert.deepEqual(listed(gradeScale, 'F', 'b', 'A', 'E', 'D', 'C'), [
      'A',
      'b',
      'C',
      'D',
      'E',
      'F',
    ]);
    assert.deepEqual(listed(statusScale, 'decayed', 'departed', 'active', 'resolved'), [
      'active',
      'resolved',
      'departed',
      'decayed',
    ]);
    assert.deepEqual(listed(undefined, 'high', 'low'), ['low', 'high']);
  });

  it('Ordered words have a higher sort position the worse they are', () => {
    const sorted = (scale: typeof severityScale, ...words: string[]) =>
      words.sort((one, other) => scale.sortPositionOf(other) - scale.sortPositionOf(one));
    assert.deepEqual(sorted(severityScale, 'own', 'low', 'critical', 'info'), [
      'critical',
      'low',
      'info',
      'own',
    ]);
    assert.deepEqual(sorted(gradeScale, 'A', 'F', 'C'), ['F', 'C', 'A']);
    assert.deepEqual(sorted(statusScale, 'decayed', 'active'), ['active', 'decayed']);
  });

  it('Ordered words have the level that they mean in other languages and forms', () => {
    const levels = {
      critical:
        'Critique|Crítico|crítica|Kritiek|严重|Критический|🔴 Critical|🔴|Critical - 9.8|9.8 (Critical)|Severity 1|Priority 1|Catastrophic|Sev-1',
      high: 'Élevée|Alto|ALTA|Hoog|高|Высокий|🟠|High [7.5]|7.5 / High|CAT I|Cat1|VULNERABILITY|High : 7.5',
      medium: 'Moyen|Média|medio|Gemiddeld|中|Średni|🟡 Medium|CAT II|Severity 3',
      low: 'Faible|Baja|Basso|Laag|低|🟢 Low|CAT III',
      info: 'Best practice|BEST_PRACTICES|Security Hotspot|Suggestion|🔵 Info',
      positive: 'Skip|IGNORED|PASS',
    };
    for (const [level, words] of Object.entries(levels)) {
      for (const word of words.split('|')) {
        assert.equal(findSeverityLevel(word, 'severity'), level, word);
      }
    }
    assert.equal(findSeverityLevel('5', 'severity'), undefined);
    assert.equal(findSeverityLevel('9-8', 'severity'), undefined);
    // Of ratings, and of Sonatype.
    assert.equal(findSeverityLevel('Severe', 'severity'), 'critical');
    assert.equal(findSeverityLevel('severe', 'securityIssues.threatCategory'), 'high');
  });

  it('Ordered words that say that a severity is unknown have no level, and are no worse than information', () => {
    for (const word of ['UNKNOWN', 'unknown', 'Undefined', 'Unassigned', 'n/a', 'Unbekannt', '']) {
      assert.equal(findSeverityLevel(word, 'Severity'), undefined, word);
    }
    assert.equal(mayBeSeverities('level', ['unknown', 'info']), false);
    assert.equal(mayBeSeverities('level', ['unknown', 'high']), true);
    assert.equal(isMoreSevere('low', 'unknown'), true);
    assert.equal(isMoreSevere('info', 'unknown'), false);
    assert.equal(isMoreSevere('unknown', 'low'), false);
    assert.equal(isMoreSevere('high', undefined), false);
  });

  it('Ordered words need all values of a column to match a scale, or a column name that says so', () => {
    assert.equal(findScale('any', ['high', '', 'LOW']), severityScale);
    assert.equal(findScale('any', ['A', 'f']), gradeScale);
    assert.equal(findScale('any', ['active', 'resolved']), statusScale);
    assert.equal(findScale('issue_severity', ['high', 'low', 'own']), severityScale);
    assert.equal(findScale('group_status', ['active', 'decayed', 'own']), statusScale);
    for (const words of [[], ['high'], ['high', 'High'], ['high', 'own'], ['high', 'A']]) {
      assert.equal(findScale('any', words), undefined, String(words));
    }
    assert.equal(findScale('severity', ['1', '2']), undefined);
    const many = ['info', 'none', 'Info', 'NONE', 'low', 'Low', 'LOW', 'high', 'High', 'medium'];
    assert.deepEqual(
      [areAllKnown(severityScale, many), areAllKnown(severityScale, [...many, 'HIGH'])],
      [true, false],
    );
  });

  it('Ordered words are numbers in columns of priorities, of which 1 is the most urgent', () => {
    const levels = ['critical', 'high', 'medium', 'low', 'info', undefined] as const;
    for (const name of ['Priority', 'attributes.priority', 'Prio', 'Priorität', 'Prioritaet']) {
      assert.deepEqual(
        ['1', '2', '3', '4', '5', '6'].map((text) => findSeverityLevel(text, name)),
        levels,
      );
      assert.equal(mayBeSeverities(name, ['1', '3', '']), true);
      assert.equal(mayBeSeverities(name, ['1', '10']), false);
    }
    assert.equal(findSeverityLevel('High', 'Priority'), 'high');
    assert.equal(mayBeSeverities('level', ['1', '3']), false);
    const sorted = ['3', '1', '5', 'x', 'High'].toSorted((one, other) =>
      compareListed(severityOrder('Priority'), { word: one, count: 1 }, { word: other, count: 1 }),
    );
    assert.deepEqual(sorted, ['1', 'High', '3', '5', 'x']);
  });

  it('Ordered words have no level where only the tool knows the scale of its numbers', () => {
    // 5 is the worst for Qualys, and the best for Bugcrowd.
    for (const name of ['Severity', 'attributes.severity', 'criticality', 'Schweregrad']) {
      assert.equal(findSeverityLevel('5', name), undefined);
      assert.equal(findSeverityLevel('5.5', name), 'medium');
      assert.equal(findSeverityLevel('9', name), 'critical');
    }
    for (const name of ['CVSS', 'risk_score', 'security-severity']) {
      assert.equal(findSeverityLevel('5', name), 'medium');
    }
  });

  it('Ordered words are normal or secure only in a column that is named so', () => {
    assert.deepEqual(
      ['Normal', 'MINIMAL', 'secure', 'Defcon1'].map((word) => findSeverityLevel(word)),
      ['medium', 'low', 'positive', 'critical'],
    );
    assert.equal(mayBeSeverities('Priority', ['Very High', 'Normal']), true);
    assert.equal(findScale('blood pressure', ['high', 'normal', 'low']), undefined);
  });

  it('Ordered words are the numbers of incidents', () => {
    const levels = (...words: string[]) => words.map((word) => findSeverityLevel(word, 'severity'));
    for (const write of [
      'Sev1 SEV2 sev3 sev4 Sev5',
      'S1 s2 S3 S4 s5',
      'SEV-1 sev-2 Sev_3 sev-4 sev-5',
    ]) {
      assert.deepEqual(levels(...write.split(' ')), ['critical', 'high', 'medium', 'low', 'info']);
    }
  });

  it('Ordered words are scores of Orca', () => {
    assert.equal(mayBeSeverities('OrcaScore', ['2.0', '9.5']), true);
    assert.equal(mayBeSeverities('score', ['2.0', '9.5']), false);
  });

  it('Ordered words are the severities of many tools', () => {
    const sorted = (...words: string[]) =>
      words.toSorted(
        (one, other) => severityScale.sortPositionOf(other) - severityScale.sortPositionOf(one),
      );
    // As each tool orders them, from worst to best.
    for (const words of [
      ['BLOCKER', 'CRITICAL', 'MAJOR', 'MINOR', 'INFO'],
      ['error', 'warning', 'note', 'none'],
      ['Highest', 'High', 'Medium', 'Low', 'Lowest'],
      ['Höchste', 'Hoch', 'Mittel', 'Niedrig', 'Niedrigste'],
      ['Very High', 'High', 'Medium', 'Low', 'Very Low', 'Informational'],
      ['critical', 'important', 'moderate', 'low'],
      ['Critical', 'High', 'Medium', 'Low', 'Negligible', 'Unknown'],
      ['critical', 'serious', 'moderate', 'minor'],
      ['severe', 'material', 'moderate', 'minor'],
      ['severe', 'elevated', 'low'],
      ['5 - Critical', '4 - High', '3 - Medium', '2 - Low', '1 - Info'],
      ['High (Medium)', 'Medium (High)', 'Low (High)', 'Informational (Low)'],
      ['3.0-medium', '2.0-low'],
      ['C', 'H', 'M', 'L', 'I'],
      ['P1', 'P2', 'P3', 'P4', 'P5'],
      ['Kritisch', 'Hoch', 'Mittel', 'Niedrig', 'Unbekannt'],
      ['Sehr hoch', 'Hoch', 'Erhöht', 'Mittel', 'Gering', 'Sehr niedrig'],
    ]) {
      assert.deepEqual(sorted(...words.toReversed()), words);
      const positions = new Set(words.map((word) => severityScale.positionOf(word)));
      assert.deepEqual([positions.size, positions.has(undefined)], [words.length, false]);
    }
    assert.deepEqual(
      ['9.8', '10', '7', '6.9', '0.1', '0.0', '10.1', '2024', 'Defcon'].map((word) =>
        findSeverityLevel(word),
      ),
      ['critical', 'critical', 'high', 'medium', 'low', 'info', undefined, undefined, undefined],
    );
    assert.deepEqual(
      [
        '9.8 CRITICAL',
        'Low Risk',
        'SEVERITY_HIGH',
        'Risk: Medium',
        '\u{1f534} High',
        '3 days',
        '1c',
      ].map((word) => findSeverityLevel(word)),
      ['critical', 'low', 'high', 'medium', 'high', undefined, undefined],
    );
    assert.deepEqual(
      ['9,8', '3,1', '1,234'].map((word) => findSeverityLevel(word)),
      ['critical', 'low', 'low'],
    );
    assert.deepEqual(
      ['3.5', '9.8', '7.1', 'x', '7.2']
        .map((word, count) => ({ word, count }))
        .sort((one, other) => compareListed(severityOrder(''), one, other))
        .map(({ word }) => word),
      ['9.8', '7.2', '7.1', '3.5', 'x'],
    );
  });
});
