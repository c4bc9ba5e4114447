import type { ComparisonAbout } from '../../engine/values/comparisonAbout';
import type { Texts } from '../texts';
import {
  type Change,
  type ChangeRow,
  changeSections,
  type ChangeTable,
  changeTables,
} from './comparisonModel';
import { choice, type Choose, countTable } from './countTable';

/** Tiles by severity for new, gone and changed records, and bars for the scorecards and the issue types. */
export function comparisonParts(about: ComparisonAbout, texts: Texts, choose: Choose) {
  return (
    <>
      {about.warnings.length > 0 && (
        <ul class="warnings" aria-label={texts.get('comparisonNotes')}>
          {about.warnings.map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
      {changeSections(about, texts).map((section) => countTable(section, texts, choose))}
      {changeTables(about, texts).map((table) => divergingTable(table, texts, choose))}
    </>
  );
}

/**
 * A table of the new and gone records of each issue type or scorecard, with bars to the right and to the left.
 * Each number is a button.
 */
function divergingTable(
  { id: kind, title, heading, rows, more }: ChangeTable,
  texts: Texts,
  choose: Choose,
) {
  const most = Math.max(1, ...rows.map(({ tally }) => Math.max(tally.new, tally.gone)));
  const id = `overview-${kind}`;
  const hasSeverities = rows.some(({ severity }) => severity !== undefined);
  const head = [
    ...(hasSeverities ? (['worstSeverity'] as const) : []),
    'goneOnes',
    'newOnes',
    'changedOnes',
  ] as const;
  const number = (row: ChangeRow, change: Change) => {
    const text = texts.number(row.tally[change]);
    if (row.tally[change] === 0) {
      return <span class="faint">{text}</span>;
    }
    const label = `${row.label}, ${texts.get(`${change}Ones`)}: ${text}`;
    return choice(row.chosen(change), choose, text, label, { class: 'text-button' });
  };
  const bar = (change: 'new' | 'gone', count: number) =>
    // Even an empty bar has a border, which would look like a count.
    count > 0 && (
      <span
        class={`diverging-bar ${change}`}
        aria-hidden="true"
        // The number takes 8ch; the longest bar takes the rest.
        style={{ width: `max(2px, calc((100% - 8ch) * ${count / most}))` }}
      />
    );
  return (
    <section class="section changes">
      <div class="section-head">
        <h3 id={id}>{title}</h3>
      </div>
      <table aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            {head.map((key) => (
              <th scope="col" class={key === 'worstSeverity' ? 'severity' : key}>
                {texts.get(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row" title={row.label}>
                {row.label}
              </th>
              {hasSeverities && (
                <td class={row.severity && 'severity'} data-tone={row.severity?.tone}>
                  {row.severity?.text}
                </td>
              )}
              <td class="gone">
                <span class="diverging">
                  {number(row, 'gone')}
                  {bar('gone', row.tally.gone)}
                </span>
              </td>
              <td class="new">
                <span class="diverging">
                  {bar('new', row.tally.new)}
                  {number(row, 'new')}
                </span>
              </td>
              <td class="end">{number(row, 'changed')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more !== undefined && <p class="faint">{more}</p>}
    </section>
  );
}
