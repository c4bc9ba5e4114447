import { line, type Row } from '../line';
import { Program } from '../programs';
import type { DayResult } from './requestsChild';

const perHour = 5000;
const perDay = 24 * perHour;

/** Whether the budget is observed and used, compared with what a perfect limiter would send. */
export const requests: Row = {
  name: 'requests',
  work: 'a day of 3 windows that always want more, simulated clock, windows reloaded',
  async measure() {
    const { sent, maxInAnHour } = (await Program.result('budget/requestsChild')) as DayResult;
    return [
      line(
        {
          row: this.name,
          what: 'most in 60 minutes',
          ours: maxInAnHour,
          unit: 'requests',
          peer: 'limit',
          theirs: perHour,
          aim: 'never over',
        },
        (ours, limit) => ours <= limit,
      ),
      line(
        {
          row: this.name,
          what: 'sent in the day',
          ours: sent,
          unit: 'requests',
          peer: 'all that is allowed',
          theirs: perDay,
          aim: '>= 99 %',
        },
        (ours, allowed) => ours >= 0.99 * allowed,
      ),
    ];
  },
};
