import assert from 'node:assert/strict';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text in it, without that of its elements. */
  readonly text: string;
}

/** What XML 1.0 has no characters for, and what is not escaped. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const tag = /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*="[^"<]*")*)\s*(\/?)>/y;
const attribute = /([\w.:-]+)="([^"]*)"/g;
const characters = /[^<]+/y;

/** Reads XML without comments, CDATA and DTDs, and accepts no fault. @throws AssertionError */
export function parseXml(source: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  assert.ok(source.startsWith(declaration), source.slice(0, 100));
  assert.doesNotMatch(source, forbidden);
  const top = { name: '', attributes: {}, children: [] as XmlElement[], text: '' };
  const open = [top];
  let at = declaration.length;
  while (at < source.length) {
    const parent = open.at(-1) ?? top;
    characters.lastIndex = at;
    tag.lastIndex = at;
    const [raw] = characters.exec(source) ?? [];
    if (raw !== undefined) {
      assert.ok(parent !== top || raw.trim() === '', `Text outside of all elements: ${raw}`);
      assert.ok(!raw.includes(']]>'), raw);
      // Line ends are normalized by parsers (2.11): none is written as CR.
      assert.ok(!raw.includes('\r'), JSON.stringify(raw));
      parent.text += unescape(raw);
      at = characters.lastIndex;
      continue;
    }
    const match = tag.exec(source);
    assert.ok(match, `No tag: ${source.slice(at, at + 100)}`);
    const [, slash, name = '', attributes = '', isEmpty] = match;
    at = tag.lastIndex;
    if (slash) {
      assert.equal(parent.name, name);
      open.pop();
      assert.ok(open.length > 0);
    } else {
      const element = { name, attributes: readAttributes(attributes), children: [], text: '' };
      parent.children.push(element);
      if (!isEmpty) {
        open.push(element);
      }
    }
  }
  assert.equal(open.length, 1, 'An element does not end.');
  const [root, ...others] = top.children;
  assert.ok(root && others.length === 0);
  return root;
}

function readAttributes(source: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of source.matchAll(attribute)) {
    assert.ok(!Object.hasOwn(found, name), `Twice: ${name}`);
    found[name] = unescape(value);
  }
  return found;
}

function unescape(raw: string): string {
  return raw.replace(/&([^;]*);?/g, (whole, name: string) => {
    const [, code] = /^#(\d+)$/.exec(name) ?? [];
    const character = code === undefined ? entities[name] : String.fromCodePoint(Number(code));
    assert.ok(character !== undefined && whole.endsWith(';'), `No entity: ${whole}`);
    return character;
  });
}

/** The only element with this name below another one. */
export function findElement(parent: XmlElement, name: string): XmlElement {
  const [found, ...others] = parent.children.filter((child) => child.name === name);
  assert.ok(found && others.length === 0, `${parent.name}/${name}`);
  return found;
}
