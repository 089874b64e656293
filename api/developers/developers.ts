import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../agents/errors.ts';
import { type Html, html, sentence } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { App } from '../http/app.ts';
import { replyPage } from '../http/negotiate.ts';
import { DEVELOPERS } from '../words/developers.ts';
import { developersPage } from './developers-page.ts';

const hidden = { schema: { hide: true } } as const;
const CHANGELOG = fileURLToPath(new URL('../../CHANGELOG.md', import.meta.url));

/** The pages for developers: the interface, and what changed. */
export function developerRoutes(app: App, { baseUrl }: { readonly baseUrl: string }): void {
  let made: Html | undefined;
  app.get('/developers', hidden, async (_request, reply) => {
    made ??= developersPage(app.swagger(), baseUrl);
    return replyPage(reply, made);
  });

  let changes: Html | undefined;
  app.get('/changelog', hidden, async (_request, reply) => {
    if (!existsSync(CHANGELOG))
      throw new AppError('not-found', 'The changelog is not part of this installation.');
    changes ??= changelogPage(readFileSync(CHANGELOG, 'utf8'));
    return replyPage(reply, changes);
  });
}

/** Headings and points of a changelog, as a page. */
export function changelogPage(markdown: string): Html {
  const parts = markdown.split(/^## /m).slice(1);
  const body = html`<h1>${DEVELOPERS.changelog}</h1>${parts.map((part) => {
    const [points = '', ...chapters] = part.split(/^### /m);
    return html`<section><h2>${points.split('\n')[0]}</h2>${pointsIn(points)}${chapters.map(
      (chapter) => html`<h3>${chapter.split('\n')[0]}</h3>${pointsIn(chapter)}`,
    )}</section>`;
  })}`;
  return page(DEVELOPERS.changelog, body, '/developers');
}

/** Of a link its words stay: where it leads is a file, which no page of this service shows. */
function pointsIn(text: string): Html | false {
  const points = text
    .split(/^[*-] /m)
    .slice(1)
    .map((point) =>
      point
        .replace(/\s+/g, ' ')
        .replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1')
        .trim(),
    );
  return points.length > 0 && html`<ul>${points.map((point) => html`<li>${sentence(point)}</li>`)}</ul>`;
}
