import type { TableHandle } from '../../../engine';
import { membersOfRow } from '../../../vocabulary/memberTexts';
import {
  findWorkspaceLinks,
  type LinkOptions,
  type WorkspaceLinks,
} from '../../../workbench/workspaceLinks';

/** Where a row leads in the workspace. @throws TableError */
export async function linksOfRow(
  table: Pick<TableHandle, 'call' | 'info'>,
  record: number,
  options: LinkOptions,
): Promise<WorkspaceLinks> {
  const { fields } = await table.call('record', { record });
  const asset = table.info.columns.find(({ role }) => role === 'asset')?.id;
  const cell = fields.find(({ column }) => column === asset)?.cell;
  return findWorkspaceLinks(membersOfRow(fields), {
    ...options,
    asset: cell?.masked ? undefined : cell?.text,
  });
}
