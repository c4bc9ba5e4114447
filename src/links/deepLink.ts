import { message } from '../base/message';
import { isUuid } from '../base/text/uuid';
import { UserError } from '../base/userError';
import { isIssueType } from '../vocabulary/issueTypes';

/*
 * Links into this extension, as another person or program passes them on. They name things and have no secret: no key,
 * no address of a service, no value of a finding but its id. Whoever makes one is not trusted.
 */

/** What a link leads to. */
export type DeepLink =
  | {
      readonly kind: 'finding';
      readonly scorecardId: string;
      readonly issueType: string;
      readonly issueId: string;
      /** Its number in the list when the link was made, from 1: where it is looked for first. */
      readonly number: number;
    }
  | { readonly kind: 'report'; readonly id: string }
  /** A file below a folder of the workspace. */
  | { readonly kind: 'file'; readonly path: string };

/** A longer link is refused before it is read. */
const maxLink = 4_000;
const maxText = 500;

/** The parts of a URI for a link. @throws UserError if what it names can have none */
export function formatDeepLink(link: DeepLink): { readonly path: string; readonly query: string } {
  try {
    const query = Object.entries(membersOf(link))
      .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`)
      .join('&');
    const parts = { path: `/${link.kind}`, query };
    parseDeepLink(parts);
    return parts;
  } catch (cause) {
    throw new UserError(
      message('No link can be made to this: its name has characters that links must not have.'),
      'badRequest',
      { cause },
    );
  }
}

function membersOf(link: DeepLink): Record<string, string> {
  switch (link.kind) {
    case 'finding': {
      const { scorecardId, issueType, issueId, number } = link;
      return { scorecard: scorecardId, type: issueType, id: issueId, at: String(number) };
    }
    case 'report':
      return { id: link.id };
    case 'file':
      return { path: link.path };
  }
}

/** Reads a link. @throws UserError that says what is wrong with it, and what to do */
export function parseDeepLink({
  path,
  query,
}: {
  readonly path: string;
  readonly query: string;
}): DeepLink {
  if (query.length <= maxLink) {
    const members = new URLSearchParams(query);
    const text = (name: string) => members.get(name) ?? '';
    switch (path) {
      case '/finding': {
        const [scorecardId, issueType, issueId] = [text('scorecard'), text('type'), text('id')];
        const number = /^[1-9]\d{0,8}$/.test(text('at')) ? Number(text('at')) : 1;
        if (isUuid(scorecardId) && isIssueType(issueType) && isPlain(issueId)) {
          const id = scorecardId.toLowerCase();
          return { kind: 'finding', scorecardId: id, issueType, issueId, number };
        }
        break;
      }
      case '/report':
        if (/^[\w-]{1,100}$/.test(text('id'))) {
          return { kind: 'report', id: text('id') };
        }
        break;
      case '/file':
        if (isRelative(text('path'))) {
          return { kind: 'file', path: text('path') };
        }
        break;
    }
  }
  throw new UserError(
    message(
      'This link leads to nothing that Scorecard Explorer knows. It may be cut off, or made by a newer version. Ask for it again, or update the extension.',
    ),
    'badRequest',
  );
}

/** Whether a text has some characters, and none that is invisible or that a line ends with. */
function isPlain(text: string): boolean {
  return text !== '' && text.length <= maxText && !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(text);
}

/** Whether a path leads to a place below a folder, on each system. */
function isRelative(path: string): boolean {
  const isOfWindows = /^[a-z]:|\\/i.test(path);
  const parts = path.split('/');
  return isPlain(path) && !isOfWindows && parts.every((part) => !['', '.', '..'].includes(part));
}
