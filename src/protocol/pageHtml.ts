import { escapeHtml } from '../base/text/html';

/** The pages, which have one script and one style sheet. */
export type PageName = 'table' | 'record' | 'trend';

/** The parts of the page's HTML. URIs are those the webview can load. */
interface PageParts {
  readonly page: PageName;
  readonly script: string;
  readonly style: string;
  /** The CSP source of the webview. */
  readonly cspSource: string;
  /** Random, new for each page; base64 or hexadecimal. */
  readonly nonce: string;
  readonly title: string;
  /** Of the texts. BCP 47. */
  readonly language: string;
}

/**
 * The page before its script runs: an empty body. It contains nothing of the file, loads only one
 * script and one style sheet, and allows nothing inline.
 */
export function pageHtml({
  page,
  script,
  style,
  cspSource,
  nonce,
  title,
  language,
}: PageParts): string {
  const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'; img-src 'none'; form-action 'none'; base-uri 'none'`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${escapeHtml(style)}">
<title>${escapeHtml(title)}</title>
</head>
<body data-page="${page}">
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(script)}"></script>
</body>
</html>`;
}
