import type { ControlFormat } from '../../../vocabulary/formats';
import { findScoreRange } from '../../../vocabulary/severity';
import { parseStatus } from '../../../vocabulary/status';
import type { PartOfRun } from './partsOfRun';
import type { RowMembers } from './rowMembers';

/** The names of the members that rows may get. */
export const controlMembers = ['status', 'severity'];

interface Control {
  readonly status?: unknown;
  readonly severity?: unknown;
}

/**
 * Gives controls, as in reports of compliance, what came of their checks, which are in an array in them, and the
 * severity of their number.
 */
export class CheckedRows implements RowMembers {
  readonly asked = controlMembers;
  /** The numbers of controls by their ids. */
  private readonly numbers = new Map<unknown, unknown>();

  /** @param catalog the controls that have the numbers, if those of the rows have none. */
  constructor(
    private readonly format: ControlFormat,
    catalog: readonly PartOfRun[],
  ) {
    const { id, number } = format;
    for (const { value } of catalog) {
      const control = value as Readonly<Record<string, unknown>>;
      this.numbers.set(control[id], control[number]);
    }
  }

  membersOf(_run: number, _asked: string, json: Buffer): string {
    const control = parse(json);
    const { id, number, scale, outcomes } = this.format;
    // InSpec ("impact" of a control) and Kubescape have the levels of CVSS.
    const value = control[number] ?? this.numbers.get(control[id]);
    const score = (typeof value === 'number' ? value : NaN) * (10 / scale);
    const severity = findScoreRange(score.toFixed(1))?.level;
    const status = findOutcome(control[outcomes]);
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
  const words = (Array.isArray(checks) ? (checks as readonly unknown[]) : []).flatMap((check) => {
    const { status } = (check ?? {}) as Control;
    return typeof status === 'string' ? [status] : [];
  });
  const has = (isOpen: boolean) => words.find((word) => parseStatus(word)?.isOpen === isOpen);
  return has(true) ?? words.find((word) => parseStatus(word) === undefined) ?? has(false);
}

function parse(json: Buffer): Control & Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(json.toString('utf8')) as Control & Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
