/** The last text may have no end. */
const token = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}:,]|[^\s"[\]{}:,]+/g;

/** Members that name an element, the one that says most first. */
const naming = ['title', 'name'] as const;

type Named = Partial<Record<string, string>>;

/**
 * What the elements of a list are called: texts, or the titles or names of objects, such as what npm audit writes as
 * `via`. `undefined` if one of them has none.
 * @param json may be cut off: what is whole of its last element counts.
 */
export function listWords(json: string): string | undefined {
  if (!/^\s*\[\s*["{]/.test(json)) {
    return undefined;
  }
  const words: (string | undefined)[] = [];
  let depth = 0;
  let element: Named | undefined;
  /** The last text of an object of the list, and whether it is the name of the member that follows. */
  let member: string | undefined;
  let isValue = false;
  for (const [part] of json.matchAll(token)) {
    const text = part.startsWith('"') ? readString(part) : undefined;
    if (part.startsWith('"') && text === undefined) {
      break;
    }
    if (part === '{' || part === '[') {
      depth += 1;
      element = depth === 2 && part === '{' ? {} : element;
      isValue = false;
    } else if (part === '}' || part === ']') {
      depth -= 1;
      if (depth === 1) {
        words.push(nameOf(element));
        element = undefined;
      }
    } else if (depth === 1 && part !== ',') {
      words.push(text);
    } else if (depth === 2 && element) {
      if (part === ':') {
        isValue = true;
      } else if (part === ',') {
        isValue = false;
      } else if (!isValue) {
        member = text;
      } else if (member !== undefined && text !== undefined) {
        element[member] = text;
      }
    }
  }
  const known = depth > 1 && nameOf(element) !== undefined ? [...words, nameOf(element)] : words;
  return known.length > 0 && known.every((each) => each) ? known.join(', ') : undefined;
}

function nameOf(element: Named | undefined): string | undefined {
  return naming.map((name) => element?.[name]).find((text) => text !== undefined && text !== '');
}

function readString(part: string): string | undefined {
  try {
    return JSON.parse(part) as string;
  } catch {
    return undefined;
  }
}
