const severities = ['critical', 'high', 'medium', 'low'] as const;
const types = ['open_port', 'tlscert_expired', 'own_type'] as const;

function finding(number: number, status: string) {
  return {
    issue_id: `F-${number}`,
    issue_type: types[number % 3],
    severity: severities[number % 4],
    status,
    domain: `host-${number % 7}.example`,
    password: `hunter${status === 'active' ? 1 : 2}`,
    open: { port: 80 + (number % 3) },
  };
}

/** Two dumps of 200 findings or more: in the newer one 37 are new, 12 are gone, and 5 have changed. */
export function comparedDumps(): { readonly before: string; readonly after: string } {
  const text = (findings: readonly object[]) =>
    findings.map((one) => `${JSON.stringify(one)}\n`).join('');
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  const kept = numbers
    .slice(12)
    .map((number) => finding(number, number < 17 ? 'resolved' : 'active'));
  const added = Array.from({ length: 37 }, (_, number) => finding(1000 + number, 'active'));
  return {
    before: text(numbers.map((number) => finding(number, 'active'))),
    after: text([...added, ...kept.reverse()]),
  };
}
