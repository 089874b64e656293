import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../agents/errors.ts';
import { type Html, html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { App } from '../http/app.ts';
import { replyPage } from '../http/negotiate.ts';
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
function changelogPage(markdown: string): Html {
  const parts = markdown.split(/^## /m).slice(1);
  const body = html`<h1>Changelog</h1>${parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    const points = lines
      .join('\n')
      .split(/^[*-] /m)
      .slice(1);
    return html`<section><h2>${title}</h2><ul>${points.map((point) => html`<li>${point.replace(/\s+/g, ' ').trim()}</li>`)}</ul></section>`;
  })}`;
  return page('Changelog', body, '/developers');
}
