/** One of our figures, compared with that of a peer or with a limit: a line of the table. */
export interface Line {
  readonly row: string;
  /** What was measured, for example `time to rows`. */
  readonly what: string;
  readonly ours: number;
  readonly unit: 'ms' | 'MB' | 'MB/s' | 'KB' | '%' | 'requests';
  /** What it is compared with. */
  readonly peer: string;
  /** The peer's figure in the same unit; `undefined` if there is none. */
  readonly theirs: number | undefined;
  /** The aim in words, for example `at most 1.1 x + 15 ms`; `none` if the peer is only shown. */
  readonly aim: string;
  /** `undefined` if there is no figure of the peer, or no aim. */
  readonly met: boolean | undefined;
  /** Why there is no figure of the peer, if it is installed. */
  readonly missing?: string;
  /** Whether another line summarizes this one. */
  readonly isDetail?: boolean;
}

/** How much is measured. */
export interface Extent {
  /** For a try: the files of tables have a tenth of their size, and are measured once. */
  readonly isSmall: boolean;
  /** Only the shapes of files with this text in their names are measured. */
  readonly shape: string;
}

/** A kind of work that is measured: a row of the list of aims. */
export interface Row {
  readonly name: string;
  /** What is done, for the reader of the table. */
  readonly work: string;
  measure(extent: Extent): Promise<readonly Line[]>;
}

/** Judges a figure against its peer; without a peer there is no verdict. */
export function line(
  facts: Omit<Line, 'met'>,
  isMet: (ours: number, theirs: number) => boolean,
): Line {
  const { ours, theirs } = facts;
  return { ...facts, met: theirs === undefined ? undefined : isMet(ours, theirs) };
}

/** A figure whose peer is only shown for comparison. */
export function beside(facts: Omit<Line, 'aim' | 'met'>): Line {
  return { ...facts, aim: 'none', met: undefined };
}

/** A figure that must not exceed a limit. */
export function limited(
  facts: Pick<Line, 'row' | 'what' | 'ours' | 'unit'>,
  limit: number,
  sign: '<' | '<=' = '<',
): Line {
  const aim = `${sign} ${Math.round(limit).toLocaleString('en-US')} ${facts.unit}`;
  return line({ ...facts, peer: 'limit', theirs: limit, aim }, (ours, most) =>
    sign === '<' ? ours < most : ours <= most,
  );
}

/** The table that is printed at the end: one line for each figure. */
export function table(lines: readonly Line[]): string {
  const cells = [
    ['row', 'figure', 'ours', 'beside', 'theirs', 'ratio', 'aim', 'met'],
    ...lines.map((one) => [
      one.row,
      one.what,
      `${rounded(one.ours)} ${one.unit}`,
      one.peer,
      one.theirs === undefined
        ? (one.missing ?? 'not installed')
        : `${rounded(one.theirs)} ${one.unit}`,
      one.theirs ? `${(one.ours / one.theirs).toFixed(2)} x` : '',
      one.aim,
      one.met === undefined ? '-' : one.met ? 'yes' : 'NO',
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const [head = '', ...rest] = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [head, rule, ...rest].join('\n');
}

function rounded(value: number): string {
  return value >= 100 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en-US')
    : value.toFixed(1);
}
