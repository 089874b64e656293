import { createHash } from 'node:crypto';
import { type Html, html, raw } from './html.ts';
import { STYLE } from './style.ts';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Headers of every page: no script, the one style sheet by its hash, and no framing. */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

const NAV = [
  ['/catalogue', 'Catalogue'],
  ['/orders', 'Order book'],
  ['/matches', 'Matches'],
  ['/close-calls', 'Close calls'],
  ['/names', 'Names'],
  ['/agents/directory', 'Agents'],
  ['/pricing', 'Prices'],
  ['/desk', 'Owner’s desk'],
] as const;

const STYLE_TAG = raw(`<style>${STYLE}</style>`);
const MARK = raw(
  '<svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" ' +
    'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 3l7 3v5c0 5-3.2 8.2-7 10-3.8-1.8-7-5-7-10V6z"/>' +
    '<path d="M9 12l2.2 2.2L15.5 10"/></svg>',
);

/** A whole page. `body` goes into `main` and starts with its `h1`; `path` marks the current entry of the navigation. */
export function page(title: string, body: Html, path = ''): Html {
  const items = NAV.map(
    ([href, name]) =>
      html`<li><a href="${href}"${href === path ? raw(' aria-current="page"') : ''}>${name}</a></li>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Safe Handshake</title>
<link rel="icon" href="data:,">
${STYLE_TAG}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="wrap">
<a class="brand" href="/">${MARK}<span>Safe Handshake</span></a>
<nav aria-label="Main"><ul>${items}</ul></nav>
</div></header>
<main id="main" tabindex="-1" class="wrap">
${body}
</main>
<footer><div class="wrap">
<span>Test networks only: no real money moves here.</span>
<a href="/openapi.json">Interface description</a>
<a href="/specs/verification-record/2026-09-06.1">Verification record</a>
<a href="/health">Status</a>
</div></footer>
</body>
</html>
`;
}
