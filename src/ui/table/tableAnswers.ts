import * as vscode from 'vscode';
import type { AskMessage } from '../../table/protocol';
import type { RequestOptions, TableHandle } from '../../table/engine';
import { TableError } from '../../table/tableError';

/** What a question of the page comes to. @throws TableError */
export async function answerTo(
  table: TableHandle,
  ask: AskMessage,
  options: RequestOptions,
): Promise<unknown> {
  switch (ask.type) {
    case 'query':
      return table.query(ask.query, options);
    case 'rows':
      return table.rows(ask.view, ask.from, ask.count, ask.columns, options);
    case 'groups':
      return table.groups(ask.view, ask.from, ask.count, options);
    case 'distinct': {
      const { filter, contains, limit } = ask;
      const request = {
        ...(filter && { filter }),
        ...(contains !== undefined && { contains }),
        ...(limit !== undefined && { limit }),
      };
      return table.distinct(ask.column, request, options);
    }
    case 'count':
      return table.count(ask.filter, options);
    case 'find':
      return (await table.find(ask.view, ask.text, ask.from, ask.backwards, options)) ?? null;
    case 'locate':
      return (await table.locate(ask.view, ask.record, options)) ?? null;
    case 'record':
      return table.record(ask.record, options);
    case 'copy': {
      const { text, ...copied } = await table.copy(ask, options);
      if (options.signal?.aborted === true) {
        // What is in the clipboard stays there.
        throw new TableError('cancelled', 'The copy was cancelled.');
      }
      await vscode.env.clipboard.writeText(text);
      return copied;
    }
  }
}
