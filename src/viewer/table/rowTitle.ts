import { plainText } from '../../base/text/plainText';
import type { Column } from '../../engine';
import type { ColumnRole } from '../../vocabulary/columnRole';
import { findingProblem } from '../../vocabulary/findingProblem';
import { findingTitle, findSubject } from '../../vocabulary/findingSummary';
import { membersOfRow } from '../../vocabulary/memberTexts';
import { formatWords } from '../../summary/countRows';
import type { ShownField } from '../../summary/shownRecord';
import type { Texts } from '../../summary/texts';

/** UTF-16 units of a part of a title. */
const longestPart = 120;

/** What a row is about: its issue type or what it says, then its subject or its asset; empty if nothing tells. */
export function rowTitle(
  fields: readonly (Pick<ShownField, 'name' | 'cell'> & { readonly column: string })[],
  columns: readonly Column[],
  texts: Texts,
): string {
  const textIn = (role: ColumnRole) => {
    const id = columns.find((column) => column.role === role)?.id;
    const cell = fields.find(({ column }) => column === id)?.cell;
    return cell?.masked ? '' : (cell?.text ?? '');
  };
  const members = membersOfRow(fields);
  const written = textIn('issueType');
  const asset = plainText(textIn('asset'), longestPart);
  if (written === '') {
    const said = plainText(findingProblem(members).message ?? '', longestPart);
    return [said, asset].filter(Boolean).join(' \u00b7 ');
  }
  const issueType = plainText(formatWords(written, texts), longestPart);
  const subject = plainText(findSubject(members) ?? '', longestPart);
  // A vulnerability may be the issue and the subject.
  const label = subject === '' || subject.includes(written) ? asset : subject;
  return label === '' ? issueType : findingTitle(issueType, label);
}
