import {
  containsSecretWord,
  fieldMeaning,
  findAroundSecret,
  isBesideSecret,
  isCodeOfResult,
  isErrorCode,
  isMessage,
  isSnippet,
  isTraffic,
  isRuleOrTool,
  isSecretHeader,
  isSecretMaterial,
  looksForSecrets,
  mask,
  maxErrorCodeLength,
  namesSecret,
  pathsOfRuleOrTool,
  quotesSecrets,
} from '../../vocabulary/secretFields';
import { maskSent } from '../../vocabulary/sentSecrets';
import { JsonSyntax } from './jsonSyntax';

interface MaskOptions {
  /** Whether it is a finding about a secret: see `isSecretMaterial`. */
  readonly isAboutSecrets?: boolean;
  /** Whether it is of a result of a rule or a tool that looks for secrets, so that snippets have one. */
  readonly isOfSecret?: boolean;
  /** Whether its texts were sent by HTTP, or came back: see `isTraffic`. */
  readonly isSent?: boolean;
  /** Members of the object itself that are masked, whatever they are called. */
  readonly hidden?: ReadonlySet<string>;
  /** Whether only those values are masked that other members tell to be secret. */
  readonly isByOthersOnly?: boolean;
}

/**
 * Masks the values of secret-like members in JSON, at any depth. Everything else stays as written,
 * with all digits of numbers. Truncated or invalid text with a secret-like word is masked
 * completely, because it is unknown which part is the value.
 */
export function maskJson(text: string, options: MaskOptions = {}): string {
  return (
    new SecretMembers(options).masked(text) ?? (containsSecretWord(unescaped(text)) ? mask : text)
  );
}

/** Like `maskJson`, for text that may be JSON, such as a CSV field with nested values. */
export function maskField(text: string, options: MaskOptions = {}): string {
  return /^\s*[{[]/.test(text)
    ? (new SecretMembers(options).masked(text) ?? (/^[\s{[]*"/.test(text) ? maskJson(text) : text))
    : text;
}

/** Masks the values of an object, at any depth, that other members of it tell to be secret, for where these are left out. */
export function maskByOthers(object: string): string {
  return maskJson(object, { isByOthersOnly: true });
}

/** Whether the rule or the tool of a result looks for secrets. @param members their values as JSON, by name. */
export function isOfSecret(members: ReadonlyMap<string, string>): boolean {
  return Array.from(members).some(
    ([name, json]) => isRuleOrTool(name) && looksForSecrets(readName(json)),
  );
}

function readName(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

class SecretMembers extends JsonSyntax {
  /** The name of the last member, and where its value begins. */
  private lastName = '';
  private lastValue = -1;
  /** Where snippets begin, in the objects that are open. */
  private readonly snippets: number[] = [];

  constructor(private readonly options: MaskOptions = {}) {
    super();
  }

  /** @returns `undefined` if the text is not JSON. */
  masked(text: string): string | undefined {
    const bytes = Buffer.from(text);
    this.begin(bytes, bytes.length);
    const end = this.skip(this.skipWhitespace(0));
    if (end < 0 || this.skipWhitespace(end) !== this.to) {
      return undefined;
    }
    const parts: string[] = [];
    let copiedTo = 0;
    for (const [from, knownTo, isSent] of this.secretValues()) {
      if (from < copiedTo) {
        continue;
      }
      const to = knownTo ?? this.skip(from);
      if (isSent === true) {
        const sent = readName(bytes.toString('utf8', from, to));
        const left = maskSent(sent);
        if (left !== sent) {
          parts.push(bytes.toString('utf8', copiedTo, from), JSON.stringify(left));
          copiedTo = to;
        }
        continue;
      }
      if (!/^(null|"")$/.test(bytes.toString('latin1', from, Math.min(to, from + 5)))) {
        parts.push(bytes.toString('utf8', copiedTo, from), `"${mask}"`);
        copiedTo = to;
      }
    }
    return copiedTo === 0 ? text : parts.join('') + bytes.toString('utf8', copiedTo);
  }

  /** The ranges of secret values in valid JSON, by their start; some may be inside others. */
  private secretValues(): Range[] {
    const { bytes, to } = this;
    const secrets: Range[] = [];
    const open: OpenValue[] = [];
    for (let at = 0; at < to;) {
      const container = open.at(-1);
      switch (bytes[at]) {
        case quote:
          at = this.textOrMember(at, open, secrets);
          continue;
        case 0x7b:
        case 0x5b:
          open.push({
            name: at === this.lastValue ? this.lastName : '',
            isNamed: false,
            valueFrom: -1,
            values: [],
            sent: [],
            length: 1,
            beside: new Map(),
            isOfSecret: false,
            code: [],
            isQuoted: false,
            messages: [],
            snippetsFrom: this.snippets.length,
          });
          break;
        case 0x2c:
          this.endValue(container, at);
          if (container) {
            container.length += 1;
          }
          break;
        case 0x7d:
        case 0x5d:
          this.endValue(container, at);
          if (container?.isNamed) {
            container.values.forEach((range) => secrets.push(range));
          }
          this.addAround(container, secrets);
          this.addHeader(container, secrets);
          open.pop();
          break;
        default:
          break;
      }
      at += 1;
    }
    if (this.options.isOfSecret === true) {
      this.snippets.forEach((from) => secrets.push([from]));
    }
    const isPart = ([, , isSent]: Range) => Number(isSent === true);
    return secrets.sort((one, other) => one[0] - other[0] || isPart(one) - isPart(other));
  }

  /** Ends the value of a member, if another may name it, before the comma or bracket at this position. */
  private endValue(container: OpenValue | undefined, at: number): void {
    if (container && container.valueFrom >= 0) {
      let to = at;
      while (this.bytes[to - 1]! <= 0x20) {
        to -= 1;
      }
      container.values.push([container.valueFrom, to]);
      container.valueFrom = -1;
    }
  }

  /** Adds the code around a secret, as the members of an object that has ended tell. */
  private addAround(container: OpenValue | undefined, secrets: Range[]): void {
    const { beside = new Map<string, number>() } = container ?? {};
    const found = beside.size < 2 ? [] : findAroundSecret((name) => beside.has(name));
    // Snippets are those of the innermost object around them that is of a secret.
    const code =
      container?.isOfSecret === true
        ? [...container.code, ...this.snippets.splice(container.snippetsFrom)]
        : [];
    const quoted = container?.isQuoted === true ? container.messages : [];
    for (const from of [...found.flatMap((name) => beside.get(name) ?? []), ...code, ...quoted]) {
      secrets.push([from]);
    }
  }

  /** Adds the value of a header that is written as a pair of texts. */
  private addHeader(container: OpenValue | undefined, secrets: Range[]): void {
    const [name, value] = container?.length === 2 ? container.sent : [];
    if (name && value && isSecretHeader(this.textAt(name), this.textAt(value))) {
      secrets.push(value);
    }
  }

  private textAt([from, to]: Range): string {
    return readName(this.bytes.toString('utf8', from, to));
  }

  /** @returns the position after a text, or that of the value if the text is the name of a member. */
  private textOrMember(from: number, open: readonly OpenValue[], secrets: Range[]): number {
    const { bytes } = this;
    const [around, container] = [open.at(-2), open.at(-1)];
    const stop = this.text(from);
    const colon = this.skipWhitespace(stop);
    if (!container || colon >= this.to || bytes[colon] !== 0x3a) {
      const isSent =
        (open.length <= 2 && this.options.isSent === true) ||
        [around, container].some((each) => each !== undefined && isTraffic(each.name));
      if (isSent && this.options.isByOthersOnly !== true) {
        secrets.push([from, stop, true]);
        if (container && container.length <= 2) {
          container.sent.push([from, stop]);
        }
      }
      return stop;
    }
    const at = this.skipWhitespace(colon + 1);
    const name = readName(bytes.toString('utf8', from, stop));
    const isMaterial = this.options.isAboutSecrets === true && isSecretMaterial(name);
    this.lastName = name;
    this.lastValue = at;
    if (isBesideSecret(name)) {
      container.beside.set(name, at);
    }
    if (bytes[at] === quote && isTraffic(name) && this.options.isByOthersOnly !== true) {
      secrets.push([at, this.text(at), true]);
    }
    const result = bytes[at] === quote ? findResult(name, open) : undefined;
    if (result) {
      const rule = readName(bytes.toString('utf8', at, this.text(at)));
      result.isOfSecret ||= looksForSecrets(rule);
      result.isQuoted ||= quotesSecrets(rule);
    }
    if (isMessage(name, container.name)) {
      around?.messages.push(at);
    }
    if (isSnippet(name) && !this.isNumberOrErrorCode(at)) {
      this.snippets.push(at);
    }
    if (isCodeOfResult(name, container.name)) {
      around?.code.push(at);
    }
    const isHidden = open.length === 1 && this.options.hidden?.has(name) === true;
    switch (isMaterial || isHidden ? 'secret' : fieldMeaning(name, container.name)) {
      case 'secret': {
        if (this.options.isByOthersOnly === true) {
          return at;
        }
        const end = this.skip(at);
        secrets.push([at, end]);
        return end;
      }
      case 'name':
        if (bytes[at] === quote) {
          const end = this.text(at);
          container.isNamed ||= namesSecret(readName(bytes.toString('utf8', at, end)));
          return end;
        }
        return at;
      case 'value':
        container.valueFrom = at;
        return at;
      case 'other':
        return at;
    }
  }

  /** Whether a value is a number, or the short code of an error, in which no secret is. */
  private isNumberOrErrorCode(at: number): boolean {
    if (this.bytes[at] !== quote) {
      return /[-\d]/.test(String.fromCharCode(this.bytes[at] ?? 0));
    }
    const start = this.bytes.toString('latin1', at + 1, at + maxErrorCodeLength + 2);
    const end = start.indexOf('"');
    return end >= 0 && isErrorCode(start.slice(0, end));
  }
}

/**
 * From (inclusive) to (exclusive). The end is found later where many values may be inside each other: looking for each
 * would read the innermost as many times as there are values around it. Of what was sent, only headers are secret.
 */
type Range = readonly [from: number, to?: number, isSent?: boolean];

/** An object or array that is being read. */
interface OpenValue {
  /** The name of the member that it is the value of; empty if there is none. */
  readonly name: string;
  /** Whether a member names a secret, which is in `values`. */
  isNamed: boolean;
  /** Where a value begins that another member may name; -1 outside such a value. */
  valueFrom: number;
  readonly values: Range[];
  /** The texts of an array that were sent, or came back, and how many values it has. */
  readonly sent: Range[];
  length: number;
  /** Where the values of members begin that may tell that one of them has the code around a secret. */
  readonly beside: Map<string, number>;
  /** Whether it is a result about a secret, and where its code begins, in objects of it. */
  isOfSecret: boolean;
  readonly code: number[];
  /** Whether its rule quotes the secret in messages, and where the texts of these begin. */
  isQuoted: boolean;
  readonly messages: number[];
  /** How many snippets began before it. */
  readonly snippetsFrom: number;
}

/** The result or the run whose rule or tool a member of the innermost open object names. */
function findResult(name: string, open: readonly OpenValue[]): OpenValue | undefined {
  if (isRuleOrTool(name)) {
    return open.at(-1);
  }
  const path = pathsOfRuleOrTool.find(
    (each) =>
      each.at(-1) === name &&
      each.slice(0, -1).every((around, at) => open.at(at + 1 - each.length)?.name === around),
  );
  return path && open.at(-path.length);
}

const quote = 0x22;

/** Names may be written with escapes. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
}
