import { type Message, message } from '../../base/message';
import type { TableErrorCode } from '../../engine';

/** Why a table gave no answer, and what to do. */
export const tableErrorTexts: Readonly<Record<TableErrorCode, Message>> = {
  notFound: message('The file no longer exists. Restore it and try again, or close this tab.'),
  unreadable: message('Could not read the file. Check its permissions, then try again.'),
  notATable: message(
    'This file contains no table. Tables are CSV, JSON or NDJSON files. Open the file as text instead.',
  ),
  noList: message(
    'This file has no such list. Reload the table, and choose one of the lists it has.',
  ),
  utf32: message('UTF-32 files are not supported. Convert the file to UTF-8, then try again.'),
  changed: message(
    'The file changed while it was open. Reload the table to show its current content.',
  ),
  disk: message(
    'Not enough disk space to unpack or convert the file. Free some disk space, then try again.',
  ),
  badRequest: message('Invalid query. Clear the filters, or reload the table.'),
  noSql: message('This view cannot be written as SQL.'),
  gone: message('A later query replaced these rows. Run the query again.'),
  cancelled: message('Cancelled. The rows are unchanged.'),
  superseded: message('A later query replaced this one.'),
  memory: message(
    'The table ran out of memory and was closed. Try again, and sort or group by fewer columns.',
  ),
  closed: message('The table was closed. Open it again.'),
  internal: message(
    'An unexpected error occurred in the table. Try again, or see the log for details.',
  ),
};
