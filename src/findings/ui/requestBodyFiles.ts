import * as vscode from 'vscode';
import type { Disposable } from '../../base/events/disposable';
import { issueTypeTitle } from '../../base/text/issueTypes';
import { isPlainObject, type JsonObject } from '../../base/json/json';
import { requestBodyScheme } from '../../contributions';
import type { Scorecards } from '../scorecards';
import { isIssueType } from '../../base/text/issueTypes';
import type { Session } from '../../account/session';
import type { IssueTypeRef } from './pickScorecard';
import { describeError } from '../../workbench/describe';
import type { Files } from '../../workbench/registry';

const { t } = vscode.l10n;

/** The text of a document as last read or saved; it preserves a user's formatting. */
interface BodyText {
  readonly text: string;
  /** The body in the text, normalized. */
  readonly body: string;
  readonly mtime: number;
}

/**
 * The request bodies of issue types as documents. Saving a document writes the body to its scorecard: in the
 * settings or, for the demo, in this window. The documents are files with a URI scheme of their own, so they are
 * saved and closed like other files, and VS Code asks before changes are lost.
 */
export class RequestBodyFiles implements Files, Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly texts = new Map<string, BodyText>();
  private readonly listener: Disposable;

  readonly onDidChangeFile = this.changed.event;

  constructor(
    private readonly scorecards: Scorecards,
    private readonly session: Session,
    /** Resolves when the session of this window is known; a restored tab may be opened before that. */
    private readonly started: Promise<void>,
    private readonly now: () => number,
  ) {
    this.listener = scorecards.onDidChange(() => {
      this.fireChanges();
    });
  }

  /** The address of the document. The demo's scorecards differ from those of the settings. */
  uriOf({ scorecardId, issueType }: IssueTypeRef): vscode.Uri {
    return vscode.Uri.from({
      scheme: requestBodyScheme,
      authority: this.origin(),
      path: `/${scorecardId}/${issueType}.json`,
    });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (!uri.path.endsWith('.json')) {
      // VS Code checks the folders before it writes.
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const { text, mtime } = await this.read(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.read(uri)).text);
  }

  /** @throws FileSystemError, whose message VS Code shows; the document stays unsaved. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await this.read(uri);
    const { scorecardId, issueType } = this.refOf(uri);
    const text = Buffer.from(content).toString('utf8');
    const body = parseBody(text, issueType);
    const before = this.texts.get(uri.toString());
    this.texts.set(uri.toString(), { text, body: JSON.stringify(body), mtime: this.now() });
    try {
      await this.scorecards.setBody(scorecardId, issueType, body);
    } catch (error) {
      if (before) {
        this.texts.set(uri.toString(), before);
      }
      throw vscode.FileSystemError.Unavailable(describeError(error));
    }
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }

  private async read(uri: vscode.Uri): Promise<BodyText> {
    await this.started;
    const { scorecardId, issueType } = this.refOf(uri);
    const value = this.scorecards.bodyOf(scorecardId, issueType);
    const body = JSON.stringify(value);
    const before = this.texts.get(uri.toString());
    if (before?.body === body) {
      return before;
    }
    // An empty body gets a line inside its braces: a brace typed over a selected `{}` would surround it.
    const layout = body === '{}' ? '{\n  \n}' : JSON.stringify(value, undefined, 2);
    const saved = { text: `${layout}\n`, body, mtime: this.now() };
    this.texts.set(uri.toString(), saved);
    return saved;
  }

  /** @throws FileSystemError if there is no such scorecard now. */
  private refOf(uri: vscode.Uri): IssueTypeRef {
    const ref = refIn(uri);
    const isListed = uri.authority === this.origin() && this.scorecards.find(ref.scorecardId);
    if (!isListed || !isIssueType(ref.issueType)) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return ref;
  }

  /** Where the scorecards of the documents come from. */
  private origin(): 'demo' | 'settings' {
    return this.session.demoScorecards === undefined ? 'settings' : 'demo';
  }

  private fireChanges(): void {
    const uris = [...this.texts].flatMap(([address, { body }]) => {
      const uri = vscode.Uri.parse(address);
      const { scorecardId, issueType } = refIn(uri);
      const isCurrent = uri.authority === this.origin();
      const now = this.scorecards.bodyOf(scorecardId, issueType);
      return isCurrent && JSON.stringify(now) !== body ? [uri] : [];
    });
    if (uris.length > 0) {
      this.changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
    }
  }
}

/** The issue type in the address of a document. */
function refIn({ path }: vscode.Uri): IssueTypeRef {
  const [, scorecardId = '', name = ''] = path.split('/');
  return { scorecardId, issueType: name.replace(/\.json$/, '') };
}

function parseBody(text: string, issueType: string): JsonObject {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    // The editor marks the error.
    throw vscode.FileSystemError.Unavailable(
      t('Invalid JSON. Fix the errors in the editor, then save again.'),
    );
  }
  if (!isPlainObject(value)) {
    throw vscode.FileSystemError.Unavailable(
      t(
        'The server filter of {0} must be a JSON object, such as {"params": {}}. An empty object removes it.',
        issueTypeTitle(issueType),
      ),
    );
  }
  return value as JsonObject;
}
