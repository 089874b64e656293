import { assets } from '../assets/bundle.ts';
import { SHARE_SIZE } from '../share/share-size.ts';
import { WORDS } from '../words/every-page.ts';
import { type Html, html, raw } from './html.ts';

/** Headers of every page: script, style and pictures of this service alone, nothing inline, and no framing. */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

/** The five places. A page names the place that it belongs to. */
const PLACES = [
  ['/', WORDS.places.check],
  ['/catalogue', WORDS.places.market],
  ['/agents/directory', WORDS.places.agents],
  ['/dashboard', WORDS.places.dashboard],
  ['/developers', WORDS.places.developers],
] as const;
export type Place = (typeof PLACES)[number][0];

const MARK = raw(
  '<svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" ' +
    'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 3l7 3v5c0 5-3.2 8.2-7 10-3.8-1.8-7-5-7-10V6z"/>' +
    '<path d="M9 12l2.2 2.2L15.5 10"/></svg>',
);

/** What a page tells those that show links to it. */
interface Shared {
  readonly description?: string;
  /** The whole address of its picture, a PNG of `SHARE_SIZE`. */
  readonly picture?: string | undefined;
}

/** A whole page. `body` goes into `main` and starts with its `h1`; `place` marks the current entry of the navigation. */
export function page(title: string, body: Html, place: Place | '' = '', shared: Shared = {}): Html {
  const current = raw(' aria-current="page"');
  const items = PLACES.map(
    ([href, name]) => html`<li><a href="${href}"${href === place && current}>${name}</a></li>`,
  );
  const made = assets();
  const description = shared.description ?? WORDS.description;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${WORDS.name}</title>
<meta name="description" content="${description}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:site_name" content="${WORDS.name}">
<meta property="og:type" content="website">
${shared.picture !== undefined && pictureTags(shared.picture, title)}
<link rel="icon" href="${made.path('mark.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${made.path('page.css')}">
<script type="module" src="${made.path('page.js')}"></script>
</head>
<body>
<a class="skip" href="#main">${WORDS.skip}</a>
<header class="top"><div class="wrap">
<a class="brand" href="/">${MARK}<span>${WORDS.name}</span></a>
<nav aria-label="${WORDS.main}"><ul>${items}</ul></nav>
<div class="tools">
<form action="/search" method="get" role="search"><input type="search" name="q" required maxlength="200" aria-label="${WORDS.search}" placeholder="${WORDS.search}" autocomplete="off" autocapitalize="none" spellcheck="false"></form>
<span class="network">${WORDS.network}</span>
<connect-wallet></connect-wallet>
</div>
</div></header>
<main id="main" tabindex="-1" class="wrap">
${body}
</main>
<footer><div class="wrap">
<span>${WORDS.testnets}</span>
<a href="/pricing">${WORDS.prices}</a>
<a href="/specs/verification-record/2026-09-06.1">${WORDS.records}</a>
<a href="/verdicts">${WORDS.verdicts}</a>
<a href="/health">${WORDS.status}</a>
</div></footer>
<div id="live-words" class="hidden" aria-live="polite"></div>
<div class="toasts" role="status" aria-live="polite"></div>
</body>
</html>
`;
}

/** Few readers of links take a picture without its size, or as SVG. */
function pictureTags(url: string, title: string): Html {
  return html`<meta property="og:image" content="${url}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${SHARE_SIZE.width}">
<meta property="og:image:height" content="${SHARE_SIZE.height}">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">`;
}

const TABS = [
  ['/catalogue', WORDS.tabs.sale],
  ['/orders', WORDS.tabs.book],
  ['/matches', WORDS.tabs.deals],
  ['/close-calls', WORDS.tabs.near],
  ['/names', WORDS.tabs.names],
] as const;

/** Where the parts of a long page are, by the ids of their headings; nothing where there is but one. */
export function partsNav(parts: readonly (readonly [id: string, name: string])[]): Html | false {
  if (parts.length < 2) return false;
  const items = parts.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`);
  return html`<nav class="tabs" aria-label="${WORDS.parts}"><ul>${items}</ul></nav>`;
}

/** The tabs of the market. */
export function marketTabs(path: (typeof TABS)[number][0]): Html {
  const items = TABS.map(
    ([href, name]) =>
      html`<li><a href="${href}"${href === path && raw(' aria-current="page"')}>${name}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="${WORDS.places.market}"><ul>${items}</ul></nav>`;
}
