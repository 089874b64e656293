import type { Html } from '../html/html.ts';
import { pageHeaders } from '../html/layout.ts';
import type { Reply, Request } from './app.ts';
import { isForm } from './forms.ts';

/**
 * True when the caller prefers a page (RFC 9110 content negotiation): it names `text/html` and weighs it above JSON.
 * Programs that send no `Accept`, or only a wildcard, get JSON. So does every POST, except from a form of a page.
 */
export function prefersHtml(request: Request): boolean {
  if (request.method !== 'GET' && !isForm(request)) return false;
  const accept = request.headers.accept ?? '';
  const html = quality(accept, 'text/html');
  return (
    html > 0 &&
    html >= quality(accept, 'application/json') &&
    html >= quality(accept, 'application/problem+json')
  );
}

/**
 * Which of these media types the caller names and weighs above JSON and pages; null where there is none. Of several of
 * one weight the first counts.
 */
export function namedAbove(request: Request, types: readonly string[]): string | null {
  const accept = request.headers.accept ?? '';
  const usual = Math.max(quality(accept, 'application/json'), quality(accept, 'text/html'));
  const weighed = types.map((type) => ({ type, weight: quality(accept, type) }));
  const best = weighed.reduce((a, b) => (b.weight > a.weight ? b : a));
  return best.weight > 0 && best.weight >= usual ? best.type : null;
}

function quality(accept: string, type: string): number {
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((p) => p.trim().toLowerCase());
    if (name !== type) continue;
    const q = parameters.find((p) => p.startsWith('q='));
    const value = q === undefined ? 1 : Number(q.slice(2));
    return Number.isFinite(value) ? value : 0;
  }
  return 0;
}

/**
 * Sends a page to people and JSON to programs, from the same data at the same URL.
 * @param render makes the page; called only when the caller prefers HTML
 */
export async function replyPageOrJson<T>(
  request: Request,
  reply: Reply,
  json: T,
  render: (json: T) => Html | Promise<Html>,
): Promise<Reply> {
  reply.header('vary', 'Accept');
  if (!prefersHtml(request)) return reply.send(json);
  return replyPage(reply, await render(json));
}

/** Sends a page with the headers a page needs. */
export function replyPage(
  reply: Reply,
  page: Html,
  headers: Readonly<Record<string, string>> = pageHeaders,
): Reply {
  return reply.headers(headers).type('text/html; charset=utf-8').send(page.text);
}
