/* Scores of CVSS 3.0 and 3.1 by their vectors (version 3.1, sections 7.1 and 7.4). */

const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};

/** If the scope changes, the privileges that are needed weigh less. */
const changedPrivileges: Readonly<Record<string, number>> = { N: 0.85, L: 0.68, H: 0.5 };

/** Whether a text is a vector of CVSS, of any version that begins with its own. */
export function isVector(text: string): boolean {
  return /^CVSS:\d\.\d(\/[A-Z]{1,3}:[A-Z])+$/.test(text);
}

/**
 * The base score of a vector such as `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H`, from 0 to 10; `undefined` if it
 * is none, or of another version.
 */
export function findVectorScore(vector: string): number | undefined {
  if (!/^CVSS:3\.[01](\/[A-Z]{1,3}:[A-Z])+$/.test(vector)) {
    return undefined;
  }
  const metrics = new Map(
    vector.split('/').map((part) => part.split(':') as [name: string, value: string]),
  );
  const scope = metrics.get('S') ?? '';
  const isChanged = scope === 'C';
  const weigh = (name: string): number => {
    const values = name === 'PR' && isChanged ? changedPrivileges : weights[name];
    return values?.[metrics.get(name) ?? ''] ?? NaN;
  };
  const base = 1 - (1 - weigh('C')) * (1 - weigh('I')) * (1 - weigh('A'));
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base;
  const exploitability = 8.22 * weigh('AV') * weigh('AC') * weigh('PR') * weigh('UI');
  const sum = (impact + exploitability) * (isChanged ? 1.08 : 1);
  return Number.isNaN(sum) || !/^[UC]$/.test(scope)
    ? undefined
    : impact <= 0
      ? 0
      : roundUp(Math.min(10, sum));
}

/** To one decimal, as appendix A says, so that 4.02 is 4.1 and 4.00 is 4.0 on every machine. */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}
