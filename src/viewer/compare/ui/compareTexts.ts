import * as vscode from 'vscode';
import { isIdentityName } from '../../../vocabulary/identity';
import { usualIdentity } from '../../../vocabulary/meanings';
import { differingText } from '../../../base/text/dates';
import { plainText } from '../../../base/text/plainText';
import {
  type TableError,
  type ComparedSide,
  type ComparisonAbout,
  type SincePrevious,
  type Comparison,
  type KeyChoice,
  type NoKeyError,
} from '../../../engine';
import { describeTableError } from '../../table/ui/tableErrors';
import { localize } from '../../../workbench/describe';
import { formatNumber, formatPercent } from '../../../workbench/format';
import { localizedTexts } from '../../../workbench/webviewPage';
import { Texts } from '../../../summary/texts';
import { changesFact, comparedDays, comparisonModel } from '../../../summary/comparisonModel';
import { handedOn } from '../../../summary/countRows';
import type { ComparedInput } from './comparedInput';

const { t } = vscode.l10n;

export function describeCompareError(
  { code, details }: Pick<TableError, 'code' | 'details'>,
  before: Pick<ComparedInput, 'title'>,
  after: Pick<ComparedInput, 'title'>,
): string {
  switch (code) {
    case 'memory':
      return details.length > 0
        ? details.map(localize).join(' ')
        : t('The comparison ran out of memory. Close other tables, then try again.');
    case 'changed':
      return t('A file changed while it was compared. Compare the files again.');
    case 'disk':
      return t('Not enough disk space for the differences. Free some disk space, then try again.');
    case 'notFound':
      return t('A file to compare no longer exists. Choose another one.');
    case 'notATable':
      return t('Only CSV, JSON and NDJSON files can be compared. Choose another file.');
    case 'noList':
      return [
        t('"{0}" and "{1}" have no list in common to compare.', before.title, after.title),
        ...details.map(localize),
        t('Compare two files of the same tool, or show the same list in both tables first.'),
      ].join(' ');
    default:
      return describeTableError(code);
  }
}

/** Why records cannot be identified by a key: which file lacks it, or that it was not found soon enough. */
export function noKeyCause({ key, isMissing }: Pick<NoKeyError, 'key' | 'isMissing'>): string {
  const name = plainText(key, 60);
  if (isMissing.before) {
    return isMissing.after
      ? t('Neither file has values in a column "{0}".', name)
      : t('The older file has no values in a column "{0}".', name);
  }
  return isMissing.after
    ? t('The newer file has no values in a column "{0}".', name)
    : t('The first records have no values in a column "{0}".', name);
}

/** The same, and what to do, for a call that cannot ask. */
export function noKeyText(error: Pick<NoKeyError, 'key' | 'isMissing' | 'choices'>): string {
  const names = error.choices.slice(0, 10).map(({ name }) => plainText(name, 80));
  const next =
    names.length === 0
      ? t('No column in both files identifies their records, so they cannot be compared.')
      : t('Pass another column in the argument key: {0}.', names.join(', '));
  return `${noKeyCause(error)} ${next}`;
}

/** Why a key is proposed: `Rule and place · Tells 98% of rows apart in both files`. */
export function describeKey({ kind, share, sampled }: KeyChoice): string {
  const what = {
    fingerprint: t('Fingerprint of the tool'),
    id: t('Named like an ID'),
    rulePlace: t('Rule and place'),
    packagePlace: t('Rule, package and place'),
    other: undefined,
  }[kind];
  return [what, tellsApart(share, sampled)].filter(Boolean).join(' \u00b7 ');
}

function tellsApart(share: number, sampled: number | undefined): string {
  if (sampled === undefined) {
    return share === 1
      ? t('Tells all rows apart in both files')
      : t('Tells {0} of rows apart in both files', formatPercent(share));
  }
  const rows = formatNumber(sampled);
  return share === 1
    ? t('Tells all of the first {0} rows apart in both files', rows)
    : t('Tells {0} of the first {1} rows apart in both files', formatPercent(share), rows);
}

/** A warning if another key was chosen automatically, because the usual one is missing. */
export function keyWarnings({
  key,
  recognizedBy,
}: Pick<Comparison, 'key' | 'recognizedBy'>): string[] {
  // A page says that findings are recognized by rule and place: that is no reason to doubt its numbers.
  return isIdentityName(key) || recognizedBy
    ? []
    : [t('Without "{0}", records are recognized by "{1}".', usualIdentity, plainText(key, 60))];
}

/** The warnings to read before the numbers of a comparison are used. */
export function comparisonWarnings({
  key,
  recognizedBy,
  withoutKey,
  duplicates,
  invalid,
  onlyBefore,
  onlyAfter,
  truncated,
}: Comparison): string[] {
  const missing = withoutKey.before + withoutKey.after;
  const warnings = recognizedBy ? findingWarnings(missing, duplicates) : [];
  if (missing > 0 && !recognizedBy) {
    warnings.push(
      missing === 1
        ? t(
            '1 record has no "{0}". It counts as unchanged if an identical one is in the other file, else as new or no longer reported.',
            plainText(key, 60),
          )
        : t(
            '{0} records have no "{1}". Identical ones count as unchanged, all others as new or no longer reported.',
            formatNumber(missing),
            plainText(key, 60),
          ),
    );
  }
  if (duplicates > 0 && !recognizedBy) {
    warnings.push(
      duplicates === 1
        ? t(
            '1 record shares its "{0}" with another record. Identical ones are matched first, the others in the order of the files.',
            plainText(key, 60),
          )
        : t(
            '{0} records share their "{1}" with another record. Identical ones are matched first, the others in the order of the files.',
            formatNumber(duplicates),
            plainText(key, 60),
          ),
    );
  }
  const unread = invalid.before + invalid.after;
  if (unread > 0) {
    warnings.push(
      unread === 1
        ? t('1 record could not be read and is not compared.')
        : t('{0} records could not be read and are not compared.', formatNumber(unread)),
    );
  }
  const names = (columns: readonly string[]) =>
    columns.map((name) => plainText(name, 60)).join(', ');
  if (onlyBefore.length > 0) {
    warnings.push(t('Only the older file has these fields: {0}', names(onlyBefore)));
  }
  if (onlyAfter.length > 0) {
    warnings.push(t('Only the newer file has these fields: {0}', names(onlyAfter)));
  }
  if (truncated) {
    warnings.push(t('A file is incomplete: it ends in the middle.'));
  }
  return warnings;
}

/** What is said where findings that are no longer reported have no texts, because there were too many to keep these. */
export function textWarnings(count: number): string[] {
  return count === 0
    ? []
    : [
        count === 1
          ? t(
              '1 finding that is no longer reported has only its severity: of so many findings, rules, titles and places are not kept.',
            )
          : t(
              '{0} findings that are no longer reported have only their severity: of so many findings, rules, titles and places are not kept.',
              formatNumber(count),
            ),
      ];
}

/** The warnings where findings are recognized by rule and place. */
function findingWarnings(missing: number, duplicates: number): string[] {
  const ofMissing =
    missing === 1
      ? t(
          '1 finding has no rule or no place. It counts as unchanged if an identical one is in the other file, else as new or no longer reported.',
        )
      : t(
          '{0} findings have no rule or no place. Identical ones count as unchanged, all others as new or no longer reported.',
          formatNumber(missing),
        );
  const ofEqual =
    duplicates === 1
      ? t(
          '1 finding has the rule and the place of another one. Identical ones are matched first, the others in the order of the files.',
        )
      : t(
          '{0} findings have the rule and the place of another one. Identical ones are matched first, the others in the order of the files.',
          formatNumber(duplicates),
        );
  return [...(missing > 0 ? [ofMissing] : []), ...(duplicates > 0 ? [ofEqual] : [])];
}

/** `37 new, 12 no longer reported, 3 closed, 2 changed since 15 Nov`, as pages say it. */
export function sinceText(counts: SincePrevious): string {
  return changesFact(counts, textsOfPages()).text;
}

/** What a comparison has found, in the words of its page and of a copy of it. */
export function comparisonFactTexts(about: ComparisonAbout): string[] {
  return handedOn(comparisonModel(about, textsOfPages()).facts);
}

/** `Comparison · 15 Nov → 22 Nov`, or the names of the files. */
export function tabTitle(before: ComparedSide, after: ComparedSide): string {
  return `${t('Comparison')} \u00b7 ${comparedDays({ before, after }, textsOfPages())}`;
}

/** `Changes since 15 Nov` */
export function comparisonHeading({ madeAt: at }: ComparedSide, after: ComparedSide): string {
  return at === undefined || after.madeAt === undefined
    ? t('Comparison')
    : t('Changes since {0}', differingText(at, after.madeAt, vscode.env.language));
}

/** The texts of pages, for what is written without one. */
export function textsOfPages(): Texts {
  return new Texts(localizedTexts(), vscode.env.language);
}
