import { isClosing } from '../../../vocabulary/closing';
import { isClosedStatus } from '../../../vocabulary/status';
import { parseObject, type RowMembers } from './rowMembers';

/** The name of the member that rows get. */
export const decisionMember = 'decision.status';

/** Gives findings the status that somebody has decided to give them, as a file of exceptions or of VEX does. */
export class DecidedRows implements RowMembers {
  readonly asked = ['Status'];

  /** @param status of rows without one. */
  constructor(private readonly status: string) {}

  membersOf(_run: number, asked: string): string {
    const { Status: own } = parseObject(`{${asked}}`);
    const isOwn = typeof own === 'string' && isClosedStatus(own);
    // In other rows of Trivy, only such as `fixed` say whether there is a fix.
    const isEnough = isOwn && isClosing('outcome', own);
    return isEnough ? '' : `"${decisionMember}":${JSON.stringify(isOwn ? own : this.status)},`;
  }
}
