/** What the page of a Report Table is made of. Addresses are those the webview can load. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  /** Of the webview: where its files may come from. */
  readonly cspSource: string;
  /** Random, new for each page; base64 or hexadecimal. */
  readonly nonce: string;
  readonly title: string;
  /** BCP 47. */
  readonly locale: string;
}

/**
 * The page before its script runs: an empty body. Nothing of a file stands in it, nothing is loaded but
 * one script and one style sheet, and nothing inline is run or applied.
 */
export function pageHtml({ script, style, cspSource, nonce, title, locale }: PageParts): string {
  const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'; img-src 'none'; form-action 'none'; base-uri 'none'`;
  return `<!DOCTYPE html>
<html lang="${escape(locale)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${escape(style)}">
<title>${escape(title)}</title>
</head>
<body>
<script nonce="${escape(nonce)}" src="${escape(script)}"></script>
</body>
</html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
