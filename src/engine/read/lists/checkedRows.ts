import type { CheckedFormat } from '../../../vocabulary/formats';
import { findScoreRange } from '../../../vocabulary/severity';
import { parseStatus } from '../../../vocabulary/status';
import { decisionMember } from './decidedRows';
import type { PartOfRun } from './partsOfRun';
import { parseObject, type RowMembers } from './rowMembers';

/** The names of the members that rows may get. */
export function checkedMembers({ outcomes }: CheckedFormat): readonly string[] {
  return outcomes ? [decisionMember] : ['status', 'severity'];
}

interface Control {
  readonly status?: unknown;
  readonly severity?: unknown;
}

/**
 * Gives controls, as in reports of compliance, what came of their checks, which are in an array in them, and the
 * severity of their number.
 */
export class CheckedRows implements RowMembers {
  readonly asked: readonly string[];
  /** The numbers of controls by their ids. */
  private readonly numbers = new Map<unknown, unknown>();

  /** @param catalog the controls that have the numbers, if those of the rows have none. */
  constructor(
    private readonly format: CheckedFormat,
    catalog: readonly PartOfRun[],
  ) {
    this.asked = checkedMembers(format);
    const { severity } = format;
    for (const { value } of severity ? catalog : []) {
      const control = value as Readonly<Record<string, unknown>>;
      this.numbers.set(control[severity!.id], control[severity!.member]);
    }
  }

  membersOf(_run: number, _asked: string, json: Buffer): string {
    const control = parseObject(json) as Control & Readonly<Record<string, unknown>>;
    const { checks, outcomes, withoutChecks, severity: by } = this.format;
    if (outcomes) {
      const outcome = String(control[checks]);
      const word = Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined;
      return word === undefined ? '' : `"${decisionMember}":${JSON.stringify(word)},`;
    }
    // InSpec ("impact" of a control) and Kubescape have the levels of CVSS.
    const value = by && (control[by.member] ?? this.numbers.get(control[by.id]));
    const number = typeof value === 'number' ? value : NaN;
    const severity = findScoreRange((number * (10 / (by?.highest ?? 10))).toFixed(1))?.level;
    const isInapplicable = by?.isInapplicableAtZero === true && number === 0;
    const status = isInapplicable
      ? 'not_applicable'
      : (findOutcome(control[checks]) ?? withoutChecks);
    const added = {
      ...((control.status ?? undefined) === undefined && { status }),
      ...((control.severity ?? undefined) === undefined && { severity }),
    };
    const members = JSON.stringify(added).slice(1, -1);
    return members === '' ? '' : `${members},`;
  }
}

/** What came of all checks: one that fails decides, and then one that neither fails nor passes. */
function findOutcome(checks: unknown): string | undefined {
  if (typeof checks === 'boolean') {
    return checks ? 'passed' : 'failed';
  }
  if (typeof checks === 'number') {
    return checks === 0 ? 'passed' : 'failed';
  }
  const words = (Array.isArray(checks) ? (checks as readonly unknown[]) : []).flatMap((check) => {
    const { status } = (check ?? {}) as Control;
    return typeof status === 'string' ? [status] : [];
  });
  const has = (isOpen: boolean) => words.find((word) => parseStatus(word)?.isOpen === isOpen);
  return has(true) ?? words.find((word) => parseStatus(word) === undefined) ?? has(false);
}
