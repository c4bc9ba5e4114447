/*
 * Results of SARIF leave out what their rules say (SARIF 2.1.0, sections 3.27.10 and 3.49.14).
 */

interface Rule {
  readonly level: string | undefined;
  readonly securitySeverity: string | undefined;
}

/** Rules by their ids. */
export type SarifRules = ReadonlyMap<string, Rule>;

/** The members of rules that matter. */
interface WrittenRule {
  readonly id?: unknown;
  readonly defaultConfiguration?: { readonly level?: unknown };
  readonly properties?: Readonly<Record<string, unknown>>;
}

export const securitySeverity = 'security-severity';
/** The members of a result on which depends what it gets. */
export const levelNames = ['level', 'kind', 'ruleId', securitySeverity];

/** @param texts arrays of rules, as JSON. Others are left out. */
export function rulesIn(texts: readonly string[]): SarifRules {
  const rules = new Map<string, Rule>();
  for (const { id, defaultConfiguration, properties } of texts.flatMap(parsed)) {
    if (typeof id === 'string' && !rules.has(id)) {
      const level = readText(defaultConfiguration?.level);
      rules.set(id, { level, securitySeverity: readText(properties?.[securitySeverity]) });
    }
  }
  return rules;
}

function parsed(text: string): readonly WrittenRule[] {
  try {
    return JSON.parse(text) as readonly WrittenRule[];
  } catch {
    return [];
  }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/**
 * The members that a result gets, with a comma after each.
 * @param members its plain members, as JSON.
 */
export function levelMembers(members: string, rules: SarifRules): string {
  const { level, kind, ruleId, ...others } = recordIn(`{${members}}`);
  const rule = typeof ruleId === 'string' ? findRule(ruleId, rules) : undefined;
  // Where a rule has only a score, that says more than the level of all rules that have none.
  const ruleLevel = rule?.level ?? (rule?.securitySeverity === undefined ? 'warning' : undefined);
  const added = {
    ...(level === undefined && { level: (kind ?? 'fail') === 'fail' ? ruleLevel : 'none' }),
    ...(others[securitySeverity] === undefined && { [securitySeverity]: rule?.securitySeverity }),
  };
  const text = JSON.stringify(added).slice(1, -1);
  return text === '' ? '' : `${text},`;
}

const nameOfSuppressions = Buffer.from('"suppressions"');

/**
 * Whether a result is suppressed (SARIF 2.1.0, sections 3.27.23 and 3.35). A request without a status is
 * accepted; one that is under review or rejected leaves the result open.
 * @param result as JSON
 */
export function isSuppressed(result: Buffer): boolean {
  if (!result.includes(nameOfSuppressions)) {
    return false;
  }
  const { suppressions: requests } = recordIn(result.toString('utf8'));
  const isAccepted = (request: { readonly status?: unknown } | null) =>
    (request?.status ?? 'accepted') === 'accepted';
  return Array.isArray(requests) && requests.length > 0 && requests.every(isAccepted);
}

function recordIn(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The rule of an id such as `CA1000/1`, whose last part a result may add. */
function findRule(id: string, rules: SarifRules): Rule | undefined {
  const slash = id.lastIndexOf('/');
  return rules.get(id) ?? (slash > 0 ? findRule(id.slice(0, slash), rules) : undefined);
}
