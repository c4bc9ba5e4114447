import { isContainer, type JsonObject, type JsonValue } from '../base/json/json';
import { memberKey, rememberByName, snakeCase } from './fieldNames';

/** Replaces a masked value. Its length is fixed, so that it reveals nothing. */
export const mask = '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022';

const secretName =
  /passw(or)?d|passphrase|passcode|(^|[^a-z])(pwd|pass|otp|pin|jwt|bearer|dsn)([^a-z]|$)|secret|token|credential|api_?key|private_?key|access_?key|user_?name|(^|[^a-z])login([^a-z]|$)|authorization|cookie|session_?id|snippet_matching$|connection_?string|(^|[^a-z])(ssh|client|signing|encryption)_?keys?(?![a-z]|_(alg|algorithm|type|length|size|bits|exchange|fingerprint)($|_))/;

/** The same in German. An umlaut is read as `_`, `o_` or `oe`: see `snakeCase`. */
const germanSecretName =
  /(passw|kennw)(oe?|o?_)rt|nutzer_?name|anmelde_?name|(zugangs|anmelde)_?(daten|code|kennung)|geheimnis|(privat|geheim|api|zugriff|zugang|signatur)[a-z]{0,30}_?schl(ue|u?_)ssel|sitzungs_?(id|kennung)/;

/**
 * Names that tools of secrets give to what they have found, as they are written: gitleaks, Trivy, TruffleHog with its
 * siblings, Nosey Parker, secretlint and GitLab.
 */
const foundSecret =
  /(^|\.)(Match|Raw|RawV2|offender|stringsFound|printDiff|match_content|sourceContent|raw_source_code_extract)$/;

/** Members with the code around a secret, by those of the same object that only one tool of secrets writes, all of them. */
const aroundSecret: readonly { readonly name: string; readonly beside: readonly string[] }[] = [
  // TruffleHog 2, with its siblings, and 3 of another author.
  { name: 'diff', beside: ['stringsFound'] },
  { name: 'context', beside: ['secret', 'rule'] },
  // gitleaks before version 8.
  { name: 'line', beside: ['offender'] },
  // Nosey Parker.
  { name: 'groups', beside: ['rule_structural_id'] },
  { name: 'before', beside: ['matching'] },
  { name: 'after', beside: ['matching'] },
  { name: 'snippet.before', beside: ['snippet.matching'] },
  { name: 'snippet.after', beside: ['snippet.matching'] },
  { name: 'snippet_before', beside: ['snippet_matching'] },
  { name: 'snippet_after', beside: ['snippet_matching'] },
  // ThreatMapper, in CSV.
  { name: 'Content', beside: ['Signature', 'Node Name'] },
];

const besideSecret: ReadonlySet<string> = new Set(
  aroundSecret.flatMap(({ name, beside }) => [name, ...beside]),
);

/** What says of a secret what it is, or how many there are, and how many checks pass. */
const aboutSecret =
  /(^|_)(secret|token|credential|password)s?_(type|kind|category|count|group|detector)(_(display_?)?(name|label))?$|^is_(secret|password|token)$|(^|_)(total_pass|pass_?count|tokens?_usage)$/;

/** Members that have the secret itself, or the code around it, in a list about secrets. */
const secretMaterial = /^(match(es|ed)?|raw(_.*)?|content|snippet|code|plain_?text|text|lines?)$/;

/** Names that are secret-like only together with that of the object around them, such as `name` of `user`. */
const dependentName = /^(key|keys|name|id|string|matching)$/i;

/** Members that say what the value of an object is, as in a list of HTTP headers. */
const nameMember =
  /^((header|field|param|parameter|variable|attribute|property|setting|option)(_?(name|key))?|name|key|feld|schl(ue|u?_)ssel)$/;
const valueMember =
  /^((header|field|param|parameter|variable|attribute|property|setting|option|string)_?)?(value|values|val|wert|werte)$/;

/**
 * What a name says of its value: it is secret, it names the value of the same object, or it is that
 * value.
 */
export type FieldMeaning = 'secret' | 'name' | 'value' | 'other';

/** Results by name: the entries of a list repeat the same few names thousands of times. */
const meanings = new Map<string, FieldMeaning>();
const maxCachedNames = 1_000;

/** @param around the name of the object that the field is in, which may make it secret: `key` in `api`. */
export function fieldMeaning(name: string, around = ''): FieldMeaning {
  if (around !== '' && dependentName.test(name) && fieldMeaning(`${around}_${name}`) === 'secret') {
    return 'secret';
  }
  const known = meanings.get(name);
  if (known !== undefined) {
    return known;
  }
  const words = snakeCase(name);
  const meaning =
    (isSecretName(words) && !aboutSecret.test(words)) || foundSecret.test(name)
      ? 'secret'
      : nameMember.test(words)
        ? 'name'
        : valueMember.test(words)
          ? 'value'
          : 'other';
  if (meanings.size < maxCachedNames && name.length <= maxNameLength) {
    meanings.set(name, meaning);
  }
  return meaning;
}

/**
 * Whether a field holds something that must not be shown by default. Findings of leaked credentials carry
 * `password` and `user_name`; no list of fields is published, so the name decides.
 */
export function isSecretField(name: string, around = ''): boolean {
  return fieldMeaning(name, around) === 'secret';
}

/** Whether a field of a finding in a list about secrets has the secret: its other fields say what was found. */
export function isSecretMaterial(name: string): boolean {
  // A member of an object may have the names of both.
  const own = name.slice(name.lastIndexOf('.') + 1);
  return secretMaterial.test(snakeCase(own)) || fieldMeaning(own) === 'value';
}

/** Whether a member may tell, together with others of its object, that one of these has the code around a secret. */
export function isBesideSecret(name: string): boolean {
  return besideSecret.has(name);
}

/** For each group of members that only together tell that another one has the code around a secret, that group. */
export function findBesideSecret(name: string): readonly (readonly string[])[] {
  return aroundSecret.flatMap((each) => (each.name === name ? [each.beside] : []));
}

/** The members of an object that have the code around a secret, as its other members tell. */
export function findAroundSecret(has: (name: string) => boolean): readonly string[] {
  return aroundSecret.flatMap(({ name, beside }) =>
    has(name) && beside.every((each) => has(each)) ? [name] : [],
  );
}

/** What has code in the object beside the rule of a result of Semgrep. */
const codeObject = 'extra';
const codeMembers: ReadonlySet<string> = new Set(['lines', 'metavars', 'fix', 'dataflow_trace']);

/** Whether a member has the code of a result, which the object around its own is. */
export function isCodeOfResult(name: string, around: string): boolean {
  return around === codeObject && codeMembers.has(name);
}

/**
 * What names the rule of a result, in Semgrep, Checkov, Bandit, gosec and SARIF, and the tool of SARIF: in snake case, as
 * headings of CSV have other blanks and letters.
 */
const ruleMembers: ReadonlySet<string> = new Set([
  'check_id',
  'test_id',
  'test_name',
  'rule_id',
  'rule.id',
  'runs.tool.driver.name',
  'tool.driver.name',
]);

/** Whether a member of a result tells whether it is about a secret: by its rule, or by its tool. */
export const isRuleOrTool = rememberByName((name) => ruleMembers.has(memberKey(name)));

/** The same in objects of the result, or of the run that it is in (SARIF 3.14.6 and 3.27.7), by their names. */
export const pathsOfRuleOrTool: readonly (readonly string[])[] = [
  ['rule', 'id'],
  ['tool', 'driver', 'name'],
];

/**
 * What has code in a result: in the region of a place in SARIF (3.30.13), in gosec, Checkov and Bandit, whose text quotes
 * what was found, too.
 */
const snippets: ReadonlySet<string> = new Set([
  'snippet',
  'code',
  'code_block',
  'issue_text',
  // Of Checkov: the block as it would be right.
  'fixed_definition',
]);

/** Whether a member is a snippet of code, unless its value is none, such as that of a status: see `isErrorCode`. */
export const isSnippet = rememberByName((name) => snippets.has(snakeCase(name)));

/** The most UTF-16 code units of the code of an error. */
export const maxErrorCodeLength = 12;

/** Whether a text is the code of an error or a rule, such as `404`, `E401` and `KSV-0109`, not code of a program. */
export function isErrorCode(text: string): boolean {
  return text.length <= maxErrorCodeLength && /^([A-Z]{1,5}[-_]?)?\d{1,5}$/.test(text);
}

/** Whether a member of an object is the text of a message in SARIF, which some rules quote the secret in. */
export function isMessage(name: string, around: string): boolean {
  return name === 'text' && around === 'message';
}

const toolsOfSecrets =
  /^(gitleaks|betterleaks|trufflehog|ggshield|gitguardian|nosey ?parker|kingfisher|detect-secrets|ripsecrets|secretlint|talisman|whispers)(?![a-z])/i;

/** Rules of Bandit that say what was found: `Possible hardcoded password: 'secret'`. */
const quotingRules = /^(B10[5-7]|hardcoded_password_(string|funcarg|default))$/;

/** Whether the messages of a rule quote the secret that it has found. */
export function quotesSecrets(rule: string): boolean {
  return quotingRules.test(rule);
}

/** Rules of gosec, Bandit and Checkov, which have only numbers. */
const rulesOfSecrets =
  /^(G101|B10[5-7]|CKV_SECRET_\d+|CKV_(AWS_4[156]|AZURE_45|OPENSTACK_1|BCW_1|LIN_1|PAN_1|OCI_1))$/;

/** Rules by their names, or by the group of rules that they are in. */
const groupOfSecrets = /(^|[./])secrets?[./]/i;
const isInCode = /(hard[-_ ]?coded|(^|[./_ -])detected)(?=[./_ -])/i;
const whatIsInCode = /[./_ -](secret|credential|password|token|key)s?(?![a-z])/i;
const secretWord = /(^|[./_ -])secrets?(?![a-z0-9])/i;
/** Rules about where secrets are kept, whose code has none. */
const secretStore =
  /secrets?[-_ ]?(manager|store|rotation)|key[-_ ]?vault|unencrypted|not[-_ ]encrypted/i;

/** Longer texts name no rule and no tool. */
const maxRuleLength = 1_000;

/**
 * Whether a rule or a tool looks for secrets, as `generic.secrets.security.detected-aws-key` and gitleaks do: then code
 * has one.
 */
export function looksForSecrets(ruleOrTool: string): boolean {
  if (ruleOrTool.length > maxRuleLength) {
    return false;
  }
  const isOfSecrets = [toolsOfSecrets, rulesOfSecrets, groupOfSecrets].some((each) =>
    each.test(ruleOrTool),
  );
  return (
    isOfSecrets ||
    isFoundInCode(ruleOrTool) ||
    (secretWord.test(ruleOrTool) && !secretStore.test(ruleOrTool))
  );
}

/** Whether a rule says that it finds a secret in code: the word for a secret is anywhere behind that. */
function isFoundInCode(rule: string): boolean {
  const found = isInCode.exec(rule);
  return found !== null && whatIsInCode.test(rule.slice(found.index + found[0].length));
}

/** Members with what was sent by HTTP or came back, as ZAP, Burp and Nuclei write them; also as a command of curl. */
const traffic =
  /(^|_)(requests?|responses?|headers?|curl|http_?(message|traffic)|evidence|proof|poc)(_|$)/;

/** Whether a member may have headers of HTTP, of which some are secret. */
export const isTraffic = rememberByName((name) => traffic.test(snakeCase(name)));

/** The last words of headers, and of members, whose value is secret where they are in a text. */
const secretHeader =
  /(^|_)(authorization|cookie2?|token|secret|password|session_?id|(api|access|auth|private|secret)_?key)$/;

/** Whether the value of a header may be secret. */
export const mayBeSecretHeader = rememberByName((name) => secretHeader.test(snakeCase(name)));

/**
 * Whether a header, or another value with a name in a text, is secret, such as `Cookie` and `X-Vault-Token`. Without `=`,
 * that of `Set-Cookie` says which cookie is meant, or what is wrong with it.
 */
export function isSecretHeader(name: string, value: string): boolean {
  return (
    mayBeSecretHeader(name) && value.trim() !== '' && (!/^set-/i.test(name) || value.includes('='))
  );
}

const secretParameter = /(^|_)(pass|passwd|pwd|passphrase|jwt|sid|signature|sig)$/;

/** Whether the parameter of a link or of a form has a secret value. */
export const isSecretParameter = rememberByName(
  (name) => mayBeSecretHeader(name) || secretParameter.test(snakeCase(name)),
);

/** A sentence may have a secret-like word without being the name of a value. */
const maxNameWords = 3;
const maxNameLength = 100;

/** Whether a text that names a value, such as `Authorization`, makes that value secret. */
export function namesSecret(text: string): boolean {
  return (
    text.length <= maxNameLength &&
    text.trim().split(/\s+/).length <= maxNameWords &&
    isSecretName(snakeCase(text))
  );
}

/** @param words in snake case. */
function isSecretName(words: string): boolean {
  return secretName.test(words) || germanSecretName.test(words);
}

/** What tells of a secret in a text as a whole, in which members may be cut off. */
const secretInText = /snippet_(matching|before)(_|$)/;
const foundInText =
  /"(Match|Raw|RawV2|offender|stringsFound|printDiff|match_content|sourceContent|raw_source_code_extract)"+\s*:/;

/**
 * Whether a text contains a word that would make a name secret-like, such as a record that is cut off. The text may
 * have any length.
 */
export function containsSecretWord(text: string): boolean {
  const words = snakeCase(text);
  return (
    isSecretName(words) ||
    secretInText.test(words) ||
    foundInText.test(text) ||
    findAroundSecret((name) => text.includes(`"${name}"`)).length > 0
  );
}

/**
 * Masks the values of secret-like fields at any depth.
 * @returns a copy, or the entry itself if there is nothing to mask, as in most entries.
 */
export function maskSecrets(entry: JsonObject): JsonObject {
  return hasSecrets(entry) ? maskedCopy(entry) : entry;
}

/** Whether an entry has a value that `maskSecrets` would mask. */
export function hasSecrets(value: JsonValue | undefined, around = ''): boolean {
  if (!isContainer(value)) {
    return false;
  }
  if (Array.isArray(value)) {
    return value.some((element) => hasSecrets(element));
  }
  const isNamed = isNamedSecret(value);
  return (
    findAroundSecret((name) => Object.hasOwn(value, name)).length > 0 ||
    Object.keys(value).some(
      (name) => isMasked({ name, around, isNamed }, value[name]) || hasSecrets(value[name], name),
    )
  );
}

/** Whether the value of a member is secret: its name says so, or another member that names it. */
export function isSecretMember(container: JsonObject, name: string): boolean {
  const meaning = fieldMeaning(name);
  return meaning === 'secret' || (meaning === 'value' && isNamedSecret(container));
}

/** Whether an object has a value that another of its members names as secret. */
function isNamedSecret(container: JsonObject): boolean {
  const names = Object.keys(container);
  const namesIt = (name: string) => {
    const text = fieldMeaning(name) === 'name' ? container[name] : undefined;
    return typeof text === 'string' && namesSecret(text);
  };
  return names.some((name) => fieldMeaning(name) === 'value') && names.some(namesIt);
}

interface MemberOfEntry {
  readonly name: string;
  /** The name of the object that it is in; empty if that has none. */
  readonly around: string;
  /** Whether another member names its value as secret. */
  readonly isNamed: boolean;
}

function isMasked({ name, around, isNamed }: MemberOfEntry, value: JsonValue | undefined): boolean {
  const meaning = fieldMeaning(name, around);
  return (
    value !== null && value !== '' && (meaning === 'secret' || (isNamed && meaning === 'value'))
  );
}

function maskedCopy(entry: JsonObject, around = ''): JsonObject {
  const isNamed = isNamedSecret(entry);
  const masked = findAroundSecret((name) => Object.hasOwn(entry, name));
  // A spread defines own properties, so a member named `__proto__` stays an ordinary member.
  const copy = { ...entry };
  for (const [name, member] of Object.entries(copy)) {
    const isSecret = isMasked({ name, around, isNamed }, member) || masked.includes(name);
    copy[name] = isSecret ? mask : maskedValue(member, name);
  }
  return copy;
}

function maskedValue(value: JsonValue, around = ''): JsonValue {
  if (!isContainer(value)) {
    return value;
  }
  return Array.isArray(value)
    ? value.map((element) => maskedValue(element))
    : maskedCopy(value, around);
}
