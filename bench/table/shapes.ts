import type { FindingTexts } from './findingTexts';

/** A form that the files of reports have. */
export interface Shape {
  readonly name: string;
  readonly format: 'CSV' | 'JSON';
  readonly extension: 'csv' | 'csv.gz' | 'ndjson' | 'ndjson.gz' | 'json';
  readonly before: string;
  readonly record: (finding: FindingTexts) => string;
  /** Between two records. */
  readonly separator: string;
  readonly after: string;
  /** The name of the column of assets, in SQL as well. */
  readonly asset: string;
  /** A text in the assets of one host in a thousand, which is in no other value. */
  readonly searched: string;
}

const domain = 'example.com';

function searchedIn(ofHost: string): string {
  return `424.${ofHost}`;
}

function csvShape(
  name: string,
  record: Shape['record'],
  {
    lineBreak = '\n',
    heading = '',
    ...rest
  }: Partial<Shape> & { lineBreak?: string; heading?: string } = {},
): Shape {
  return {
    name: `CSV, ${name}`,
    format: 'CSV',
    extension: 'csv',
    before: `issue_id,issue_type,factor,severity,asset,port,first_seen,status,score,description${heading}${lineBreak}`,
    record,
    separator: lineBreak,
    after: lineBreak,
    asset: 'asset',
    searched: searchedIn(domain),
    ...rest,
  };
}

function jsonShape(name: string, record: Shape['record'], rest: Partial<Shape> = {}): Shape {
  return {
    name,
    format: 'JSON',
    extension: 'ndjson',
    before: '',
    record,
    separator: '\n',
    after: '\n',
    asset: 'asset',
    searched: searchedIn(domain),
    ...rest,
  };
}

/** The fields of a CSV record before its description. */
function csvFields(finding: FindingTexts, ofHost = domain): string {
  const { id, type, factor, severity, host, port, firstSeen, status, score } = finding;
  return `${id},${type},${factor},${severity},${host}.${ofHost},${port},${firstSeen},${status},${score}`;
}

const plain: Shape['record'] = (finding) =>
  `${csvFields(finding)},Weak cipher ${finding.detail} offered by the host`;

const quotes: Shape['record'] = (finding) =>
  `${csvFields(finding)},"The host offers ""weak cipher"" ${finding.detail}, replace it"`;

const lineBreaks: Shape['record'] = (finding) =>
  `${csvFields(finding)},"The host offers a weak cipher.\nNumber: ${finding.detail}, port: ${finding.port}"`;

const attributes = Array.from({ length: 190 }, (_, number) => `,attribute_${number}`).join('');
const attributeValues = Array.from({ length: 512 }, (_, number) =>
  number % 4 === 0 ? '' : number % 4 === 1 ? String(number * 7) : `value ${number}`,
);

const wide: Shape['record'] = (finding) => {
  let text = plain(finding);
  for (let column = 0; column < 190; column += 1) {
    text += `,${finding.random.pick(attributeValues)}`;
  }
  return text;
};

/** Sentences of a long cell, in quotes as it has commas and quotes. */
const sentences = Array.from(
  { length: 4096 },
  (_, number) =>
    `Response ${number} of the server, header by header: Set-Cookie: session=${number * 7919}; Path=/, Server: "nginx". `,
).map((sentence) => sentence.replaceAll('"', '""'));
const evidence = sentences.join('');
const sentenceStarts = sentences.reduce<number[]>(
  (starts, sentence) => [...starts, (starts.at(-1) ?? 0) + sentence.length],
  [0],
);

const longCells: Shape['record'] = (finding) => {
  const first = finding.random.below(sentences.length - 64);
  const text = evidence.slice(
    sentenceStarts[first],
    sentenceStarts[first + 8 + finding.random.below(56)],
  );
  return `${csvFields(finding)},"${finding.detail}: ${text}"`;
};

const languages = [
  'Der Server verwendet veraltete Schlüssel, bitte prüfen und größere wählen',
  'サーバーは古い暗号スイートを提供しています',
  '⚠️ Weak cipher 🔒 on this host',
  'Überprüfung nötig: ungültiges Zertifikat für münchen.example',
  '証明書の有効期限が切れています 🚨',
].map((text) => text.replaceAll(',', ';'));
const foreignDomain = 'bücher.example';

const nonAscii: Shape['record'] = (finding) =>
  `${csvFields(finding, foreignDomain)},${finding.random.pick(languages)} ${finding.detail}`;

/** The members of a flat JSON object, before its description. */
function members(finding: FindingTexts, ofHost = domain): string {
  const { id, type, factor, severity, host, port, firstSeen, status, score } = finding;
  return `"issue_id":"${id}","issue_type":"${type}","factor":"${factor}","severity":"${severity}","asset":"${host}.${ofHost}","port":${port},"first_seen":"${firstSeen}","status":"${status}","score":${score}`;
}

const flat: Shape['record'] = (finding) =>
  `{${members(finding)},"description":"Weak cipher ${finding.detail} offered by the host"}`;

const nested: Shape['record'] = (finding) => {
  const { id, type, factor, severity, host, port, firstSeen, status, score, detail } = finding;
  return `{"issue_id":"${id}","issue_type":"${type}","factor":"${factor}","severity":"${severity}","asset":{"host":"${host}.${domain}","port":${port}},"first_seen":"${firstSeen}","status":"${status}","details":{"score":${score},"tags":["tls","cipher ${detail}"],"path":"C:\\\\keys\\\\${detail}"},"description":"The host offers \\"weak cipher\\" ${detail}.\\nReplace it \\u2013 soon."}`;
};

const nonAsciiJson: Shape['record'] = (finding) =>
  `{${members(finding, foreignDomain)},"description":"${finding.random.pick(languages)} ${finding.detail}"}`;

const indented: Shape['record'] = (finding) => {
  const { id, type, factor, severity, host, port, firstSeen, status, score, detail } = finding;
  return `  {
    "issue_id": "${id}",
    "issue_type": "${type}",
    "factor": "${factor}",
    "severity": "${severity}",
    "asset": "${host}.${domain}",
    "port": ${port},
    "first_seen": "${firstSeen}",
    "status": "${status}",
    "score": ${score},
    "description": "Weak cipher ${detail} offered by the host"
  }`;
};

const attributeNames = Array.from({ length: 900 }, (_, number) => `attribute_${number}`);

/** Few of many names, as where each issue type has its own. */
const sparse: Shape['record'] = (finding) => {
  const { random, detail } = finding;
  let text = `{${members(finding)}`;
  let name = random.below(attributeNames.length);
  for (let count = 0; count < 6; count += 1) {
    // The steps are so short that no name occurs twice.
    name = (name + 1 + random.below(149)) % attributeNames.length;
    text += `,"${attributeNames[name] ?? ''}":"value ${detail}"`;
  }
  return `${text}}`;
};

/** The forms that the Report Table is measured with. */
export const shapes: readonly Shape[] = [
  csvShape('plain', plain),
  csvShape('quotes', quotes),
  csvShape('line breaks in cells', lineBreaks),
  csvShape('CRLF', plain, { lineBreak: '\r\n' }),
  csvShape('200 columns', wide, { heading: attributes }),
  csvShape('long cells', longCells),
  csvShape('non-ASCII', nonAscii, { searched: searchedIn(foreignDomain) }),
  csvShape('quotes, gzip', quotes, { extension: 'csv.gz' }),
  jsonShape('NDJSON, flat', flat),
  jsonShape('NDJSON, escapes and nested', nested, { asset: 'asset.host' }),
  jsonShape('NDJSON, sparse', sparse),
  jsonShape('NDJSON, non-ASCII', nonAsciiJson, { searched: searchedIn(foreignDomain) }),
  jsonShape('JSON array, indented', indented, {
    extension: 'json',
    before: '[\n',
    separator: ',\n',
    after: '\n]\n',
  }),
  jsonShape('NDJSON, flat, gzip', flat, { extension: 'ndjson.gz' }),
];

/** Where the middle of so many rows is: a row of a sorted view that is read. */
export function middleOf(rows: number): number {
  return Math.floor(rows / 2);
}

/** The shape with a name, which its processes are started with. */
export function shapeNamed(name: string): Shape {
  const found = shapes.find((shape) => shape.name === name);
  if (!found) {
    throw new Error(`There is no shape ${name}.`);
  }
  return found;
}
