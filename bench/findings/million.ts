import { FindingsService } from './findings';
import { limited, line, type Row } from '../line';
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
      const ms = { row, unit: 'ms' } as const;
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
        limited({ ...ms, what: 'cancel', ours: ours.cancel }, 100, '<='),
        limited({ ...ms, what: 'filter, first rows', ours: ours.firstMatches }, 300),
        limited({ ...ms, what: 'filter', ours: ours.word }, 300),
        limited({ ...ms, what: 'filter, longest wait', ours: ours.longestDelay }, 50),
        limited({ ...ms, what: 'filter, next letter', ours: ours.longerWord }, 300),
      ];
    } finally {
      await service.stop();
    }
  },
};
