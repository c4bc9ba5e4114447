import { FindingsService } from './findings';
import { line, type Row } from '../line';
import type { MillionFigures } from './millionChild';
import { Program } from '../programs';

const findings = 1_000_000;

/** A list of a million findings in the tree's model, compared with the same findings as plain objects. */
export const million: Row = {
  name: 'million findings',
  work: `${findings.toLocaleString('en-US')} findings in the tree's model, 500 a page`,
  async measure() {
    const service = await FindingsService.start(0, findings);
    try {
      const { programArgs } = service;
      const run = (mode: string) =>
        Program.result('findings/millionChild', mode, `${findings}`, ...programArgs);
      const ours = (await run('model')) as MillionFigures;
      const plain = (await run('plain')) as Pick<MillionFigures, 'milliseconds' | 'memoryMb'>;
      const row = this.name;
      const asPlain = { row, peer: 'fetch, plain objects' };
      const ms = { row, unit: 'ms', peer: 'limit' } as const;
      return [
        line(
          {
            ...asPlain,
            what: 'memory',
            unit: 'MB',
            ours: ours.memoryMb,
            theirs: plain.memoryMb,
            aim: '<= 1.2 x',
          },
          (mine, theirs) => mine <= 1.2 * theirs,
        ),
        line(
          {
            ...asPlain,
            what: 'time',
            unit: 'ms',
            ours: ours.milliseconds,
            theirs: plain.milliseconds,
            aim: '<= 1.2 x',
          },
          (mine, theirs) => mine <= 1.2 * theirs,
        ),
        line(
          {
            row,
            what: 'a page at the end',
            unit: 'ms',
            ours: ours.lastPages,
            peer: 'at the start',
            theirs: ours.firstPages,
            aim: '<= 1.2 x',
          },
          (mine, theirs) => mine <= 1.2 * theirs,
        ),
        line(
          { ...ms, what: 'cancel', ours: ours.cancel, theirs: 100, aim: '<= 100 ms' },
          (mine, limit) => mine <= limit,
        ),
        line(
          {
            ...ms,
            what: 'filter, first rows',
            ours: ours.firstMatches,
            theirs: 300,
            aim: '< 300 ms',
          },
          (mine, limit) => mine < limit,
        ),
        line(
          { ...ms, what: 'filter', ours: ours.firstLetter, theirs: 300, aim: '< 300 ms' },
          (mine, limit) => mine < limit,
        ),
        line(
          {
            ...ms,
            what: 'filter, longest wait',
            ours: ours.longestTurn,
            theirs: 50,
            aim: '< 50 ms',
          },
          (mine, limit) => mine < limit,
        ),
        line(
          {
            ...ms,
            what: 'filter, next letter',
            ours: ours.secondLetter,
            theirs: 300,
            aim: '< 300 ms',
          },
          (mine, limit) => mine < limit,
        ),
      ];
    } finally {
      await service.stop();
    }
  },
};
