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

/** The pages for developers: the interface, what changed, and an index for language models (llmstxt.org). */
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

  app.get('/llms.txt', hidden, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(baseUrl)),
  );
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

function llmsText(baseUrl: string): string {
  const link = (path: string, name: string, words: string) => `- [${name}](${baseUrl}${path}): ${words}`;
  return [
    '# Safe Handshake',
    '',
    '> Before value moves between strangers and software agents: CLEAN or FLAGGED about a wallet or a deal, with every check, its sources and limits, and a record that anyone can prove. Test networks only.',
    '',
    'A check costs one cent of test USDC per call by x402 version 2: the first answer is 402 with the ways to pay. INCONCLUSIVE is never CLEAN. Writes of owners are signed texts (EIP-191): post without Authorization and sign what the 401 carries.',
    '',
    '## Interface',
    link('/openapi.json', 'OpenAPI 3.1', 'every route, its proof and its errors'),
    link('/.well-known/x402', 'Prices of paid calls', 'networks, amounts, payee'),
    link('/pricing', 'Price table', 'every charge'),
    link('/developers', 'For developers', 'the interface as a page, with examples'),
    '',
    '## Read',
    link('/catalogue', 'Catalogue', 'what is for sale'),
    link('/matches', 'Deals', 'clearing prices'),
    link('/agents/directory', 'Agents', 'who deals here'),
    link('/specs/verification-record/2026-09-06.1', 'Verification record', 'how a record is checked'),
    link('/events', 'Events', 'server-sent events as they happen'),
    '',
  ].join('\n');
}
