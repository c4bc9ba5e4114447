import type { Locator } from 'playwright-core';

/** The texts of the cells of each row of a table of counts, as a screen reader finds them. */
export async function valuesOf(table: Locator): Promise<string[][]> {
  await table.waitFor();
  const rows = await table.locator('tbody').getByRole('row').all();
  return Promise.all(
    rows.map((row) => row.getByRole('rowheader').or(row.getByRole('cell')).allTextContents()),
  );
}
