import { render } from 'preact';
import type { TrendHostMessage, TrendPageMessage } from '../../protocol/trendProtocol';
import { Texts } from '../../summary/texts';
import type { TrendModel } from '../../summary/trendModel';
import { pressArrow, TextButton } from '../dom/components';
import { element, followFocus, keepFocus } from '../dom/dom';
import type { VsCodeApi } from '../state/hostLink';
import { noRecord, recordHead } from './record';

type Send = (message: TrendPageMessage) => void;

/** Shows how findings develop: in words, as charts, and as a table with the same numbers. */
export function startTrendPage(api: Pick<VsCodeApi, 'postMessage' | 'setState'>): void {
  const root = element('main', { class: 'record-page overview trend', tabindex: '0' });
  document.body.append(root);
  const send: Send = (message) => api.postMessage(message);
  window.addEventListener('message', ({ data }: MessageEvent<TrendHostMessage>) => {
    api.setState(data.about);
    if (data.type === 'trend') {
      root.setAttribute('aria-label', data.title);
    }
    keepFocus(() => render(trendPage(data, send), root));
  });
  followFocus(root);
  send({ type: 'ready' });
}

function trendPage(message: TrendHostMessage, send: Send) {
  if (message.type !== 'trend') {
    return (
      <>
        {recordHead(document.title, 1)}
        {noRecord(message, () => send({ type: 'reload' }))}
      </>
    );
  }
  const { title, trend, locale } = message;
  const texts = new Texts(message.texts, locale);
  return (
    <>
      {recordHead(title, 1)}
      {trend.rows.length === 0 ? (
        <p>{texts.get('noTrend')}</p>
      ) : (
        <>
          <ul class="trend-facts">
            {trend.facts.map((fact) => (
              <li>{fact}</li>
            ))}
            {trend.rows.length === 1 && <li>{texts.get('oneTrendPoint')}</li>}
          </ul>
          {trend.rows.length > 1 && charts(trend, texts, send)}
          {table(trend, texts, send)}
        </>
      )}
    </>
  );
}

/** Screen readers get the words above and the table below instead. */
function charts(trend: TrendModel, texts: Texts, send: Send) {
  const { findings, changes, score, days } = trend;
  return (
    <>
      <section class="section">
        <h2>{texts.get('openBySeverity')}</h2>
        <p class="trend-legend" aria-hidden="true">
          {findings.lines.map(({ level, label }) => (
            <span class="severity" data-tone={level}>
              <svg class="trend-sample" viewBox="0 0 32 2">
                <path class="trend-line" d="M0 1H32" />
              </svg>
              {label}
            </span>
          ))}
        </p>
        <div class="trend-chart">
          <span class="trend-most" aria-hidden="true">
            {texts.number(findings.most)}
          </span>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {findings.lines.map(({ level, pieces }) => (
              <g data-tone={level}>{pieces.map(line)}</g>
            ))}
          </svg>
          {marks(trend)}
          {targets(trend, texts, send)}
        </div>
        {dayLine(days)}
      </section>
      {changes && (
        <section class="section">
          <h2>{changes.title}</h2>
          <p class="trend-legend" aria-hidden="true">
            <span class="trend-key new">{texts.get('newOnes')}</span>
            <span class="trend-key gone">{texts.get('goneOnes')}</span>
            {changes.hasClosed && (
              <span class="trend-key closed">{texts.get('nowClosedOnes')}</span>
            )}
          </p>
          <div class="trend-chart low" aria-hidden="true">
            <span class="trend-most">{texts.number(changes.most)}</span>
            <svg viewBox="0 0 100 100" preserveAspectRatio="none">
              <path class="trend-axis" d="M0 50H100" />
              {changes.bars.map(({ x, new: added, gone, closed }) => (
                <>
                  <path
                    class="trend-bar new"
                    d={`M${100 * x} 50v${(-50 * added) / changes.most}`}
                  />
                  <path class="trend-bar gone" d={`M${100 * x} 50v${(50 * gone) / changes.most}`} />
                  <path
                    class="trend-bar closed"
                    d={`M${100 * x} ${50 + (50 * gone) / changes.most}v${(50 * closed) / changes.most}`}
                  />
                </>
              ))}
            </svg>
          </div>
          {dayLine(days)}
        </section>
      )}
      {score && (
        <section class="section">
          <h2>{texts.get('scoreAndGrades')}</h2>
          <div class="trend-chart low" aria-hidden="true">
            <svg viewBox="0 0 100 100" preserveAspectRatio="none">
              {score.bands.map(({ from }) => (
                <path class="trend-axis" d={`M0 ${100 - 100 * from}H100`} />
              ))}
              {score.pieces.map(line)}
            </svg>
            {score.bands.map(({ grade, from, to }) => (
              <span class="trend-grade" style={{ bottom: `${50 * (from + to)}%` }}>
                {grade}
              </span>
            ))}
            {marks(trend)}
          </div>
          {dayLine(days)}
        </section>
      )}
    </>
  );
}

/** A single point would be no line: it becomes a short one. */
function line(places: readonly { readonly x: number; readonly y: number }[]) {
  const [only] = places;
  const points =
    places.length === 1 && only
      ? [
          { ...only, x: only.x - 0.01 },
          { ...only, x: only.x + 0.01 },
        ]
      : places;
  const text = points.map(({ x, y }) => `${(100 * x).toFixed(2)},${(100 - 100 * y).toFixed(2)}`);
  return <polyline class="trend-line" points={text.join(' ')} />;
}

/** The share of a narrow chart that the words of a mark take. */
const markWidth = 0.7;

/** So many words fit below each other into the lowest chart. */
const maxMarkRows = 4;

/** A word is on the side of its line that has more room, and below another word that may reach it. */
function marks({ marks: all }: TrendModel) {
  const ends: number[] = [];
  return all.map(({ x, word, label }) => {
    const isAtEnd = x > 0.5;
    const [from, to] = isAtEnd ? [x - markWidth, x] : [x, x + markWidth];
    const free = ends.findIndex((end) => end <= from);
    const row = free < 0 ? ends.length : free;
    ends[row] = to;
    return (
      <span
        class={`trend-mark${isAtEnd ? ' end' : ''}`}
        style={{
          [isAtEnd ? 'insetInlineEnd' : 'insetInlineStart']: `${100 * (isAtEnd ? 1 - x : x)}%`,
          paddingBlockStart: `${1.6 * (row % maxMarkRows)}em`,
        }}
        title={label}
        aria-hidden="true"
      >
        {word}
      </span>
    );
  });
}

/** One tab stop; arrow keys lead from one report to the next. */
function targets({ targets: all }: TrendModel, texts: Texts, send: Send) {
  return (
    all.length > 0 && (
      <div
        class="trend-targets"
        role="group"
        aria-label={texts.get('openBySeverity')}
        onKeyDown={pressArrow}
      >
        {all.map(({ x, label, source }, at) => (
          <button
            type="button"
            tabIndex={at === all.length - 1 ? 0 : -1}
            style={{ insetInlineStart: `${100 * x}%` }}
            aria-label={label}
            title={label}
            onClick={() => send({ type: 'open', source })}
          />
        ))}
      </div>
    )
  );
}

function dayLine(days: readonly string[]) {
  return (
    <p class="trend-days" aria-hidden="true">
      {days.map((day) => (
        <span>{day}</span>
      ))}
    </p>
  );
}

/** It scrolls to the side by arrow keys where it has no room. */
function table({ headings, rows }: TrendModel, texts: Texts, send: Send) {
  const canCompare = rows.some((row) => row.canCompare);
  return (
    <section class="section trend-table" aria-label={texts.get('trend')} tabIndex={0}>
      <table aria-label={texts.get('trend')}>
        <thead>
          <tr>
            {headings.map((text) => (
              <th scope="col">{text}</th>
            ))}
            {canCompare && <th scope="col">{texts.get('trendChanges')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells: [day, ...cells], source, canCompare: hasBefore }) => (
            <tr>
              <th scope="row">
                {source === undefined ? (
                  day
                ) : (
                  <TextButton onClick={() => send({ type: 'open', source })}>{day}</TextButton>
                )}
              </th>
              {cells.map((text) => (
                <td>{text}</td>
              ))}
              {canCompare && (
                <td>
                  {hasBefore && source !== undefined && (
                    <TextButton
                      aria-label={`${day ?? ''}: ${texts.get('compareWithBefore')}`}
                      onClick={() => send({ type: 'compare', source })}
                    >
                      {texts.get('compareWithBefore')}
                    </TextButton>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
