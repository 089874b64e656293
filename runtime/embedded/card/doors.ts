import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { groupField, parseForm, textField } from './form-encoding.ts';
import { endedPage, type FormState, noticePage, pagePolicy, payPage, successUrl } from './page.ts';
import type { Processor } from './processor.ts';
import { type Session, sessionObject } from './sessions.ts';
import type { CardEntry } from './test-cards.ts';
import { WireError } from './wire-error.ts';

const BODY_LIMIT = 64 * 1024;

export interface DoorContext {
  readonly processor: Processor;
  readonly url: string;
  readonly options: {
    readonly secretKey: string;
    readonly log: { warn(fields: object, message: string): void };
  };
}

/** Answers one request: the API below `/v1/` with the secret key, the payment pages below `/pay/` without. */
export async function answer(
  context: DoorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', context.url);
  const api = pathname.startsWith('/v1/');
  try {
    const body = await readBody(request);
    if (api) await answerApi(context, request, response, pathname, searchParams, body);
    else await answerPage(context, request, response, pathname, body);
  } catch (error) {
    if (!(error instanceof WireError)) {
      context.options.log.warn({ err: error }, 'the card processor failed on a request');
    }
    const known =
      error instanceof WireError ? error : new WireError(500, 'api_error', 'The card processor failed.');
    if (response.headersSent) response.destroy();
    else if (api || wantsJson(request)) sendJson(response, known.status, known.body());
    else sendPage(response, known.status, noticePage('Not possible', known.message), null);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > BODY_LIMIT) throw new WireError(413, 'invalid_request_error', 'The body is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readForm(body: string): ReturnType<typeof parseForm> {
  try {
    return parseForm(body);
  } catch (error) {
    throw new WireError(400, 'invalid_request_error', (error as Error).message);
  }
}

function authenticate(request: IncomingMessage, secretKey: string): void {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ');
  const given =
    scheme?.toLowerCase() === 'basic' ? (Buffer.from(value, 'base64').toString().split(':')[0] ?? '') : value;
  if (!timingSafeEqual(digest(given), digest(secretKey))) {
    throw new WireError(401, 'invalid_request_error', 'Invalid API Key provided.', {
      code: 'api_key_invalid',
    });
  }
}

async function answerApi(
  { processor, url, options }: DoorContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
  body: string,
): Promise<void> {
  authenticate(request, options.secretKey);
  const route = `${request.method} ${path.replace(/\/((?:cs_test|evt|du)_[0-9a-f]+)/, '/:id')}`;
  const id = /\/((?:cs_test|evt|du)_[0-9a-f]+)/.exec(path)?.[1] ?? '';
  const header = request.headers['idempotency-key'];
  const key = typeof header === 'string' ? header : null;
  switch (route) {
    case 'POST /v1/checkout/sessions':
      return sendJson(response, 200, await processor.create(readForm(body), body, key));
    case 'POST /v1/refunds':
      return sendJson(response, 200, await processor.refund(readForm(body), body, key));
    case 'GET /v1/charges': {
      const data = processor.charges(query.get('payment_intent'));
      return sendJson(response, 200, { object: 'list', url: '/v1/charges', has_more: false, data });
    }
    case 'GET /v1/disputes': {
      const data = processor.disputes(query.get('payment_intent'));
      return sendJson(response, 200, { object: 'list', url: '/v1/disputes', has_more: false, data });
    }
    case 'POST /v1/disputes/:id':
      return sendJson(response, 200, await processor.dispute(id, readForm(body)));
    case 'POST /v1/disputes/:id/close':
      return sendJson(response, 200, await processor.dispute(id, null));
    case 'GET /v1/checkout/sessions/:id':
      return sendJson(response, 200, sessionObject(processor.find(id), url));
    case 'POST /v1/checkout/sessions/:id/expire':
      return sendJson(response, 200, sessionObject(await processor.expire(id), url));
    case 'GET /v1/events': {
      const limit = Math.min(Math.max(Number(query.get('limit') ?? 10) || 10, 1), 100);
      const { data, more } = processor.events(query.get('type'), limit, query.get('starting_after'));
      return sendJson(response, 200, { object: 'list', url: '/v1/events', has_more: more, data });
    }
    case 'GET /v1/events/:id':
      return sendJson(response, 200, processor.event(id));
    default:
      throw new WireError(
        404,
        'invalid_request_error',
        `Unrecognized request URL (${request.method}: ${path}).`,
      );
  }
}

async function answerPage(
  { processor, url }: DoorContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  body: string,
): Promise<void> {
  const id = /^\/pay\/(cs_test_[0-9a-f]+)$/.exec(path)?.[1];
  if (id === undefined) throw new WireError(404, 'invalid_request_error', 'There is no such page.');
  const session = processor.find(id);
  const json = wantsJson(request);
  if (request.method === 'GET' || request.method === 'HEAD') {
    if (json) return sendJson(response, 200, sessionObject(session, url));
    const html = session.status === 'open' ? payPage(session) : endedPage(session);
    return sendPage(response, session.status === 'expired' ? 410 : 200, html, session);
  }
  if (request.method !== 'POST') {
    response.setHeader('allow', 'GET, HEAD, POST');
    throw new WireError(405, 'invalid_request_error', 'A payment page is read and posted to.');
  }
  const { card, name } = readCard(request, body);
  try {
    const paid = await processor.pay(id, card);
    if (json) return sendJson(response, 200, sessionObject(paid, url));
    response.writeHead(303, { location: successUrl(paid), 'cache-control': 'no-store' }).end();
  } catch (error) {
    if (json || !(error instanceof WireError)) throw error;
    sendPage(response, error.status, refusalPage(session, card, name, error), session);
  }
}

function refusalPage(session: Session, card: CardEntry, name: string, error: WireError): string {
  if (session.status !== 'open') return endedPage(session);
  const state: FormState = {
    name,
    expMonth: card.expMonth,
    expYear: card.expYear,
    problem: { message: error.message, field: error.param },
  };
  return payPage(session, state);
}

/** Reads the page's form, or the same fields as a JSON object. */
function readCard(request: IncomingMessage, body: string): { card: CardEntry; name: string } {
  let read: (name: string) => string;
  if (request.headers['content-type']?.startsWith('application/json')) {
    const fields = readJson(body);
    read = (name) => (['string', 'number'].includes(typeof fields[name]) ? String(fields[name]) : '');
  } else {
    const form = readForm(body);
    const card = groupField(form, 'card');
    read = (name) => textField(form, name) ?? textField(card, name) ?? '';
  }
  return {
    card: {
      number: read('number'),
      expMonth: read('exp_month'),
      expYear: read('exp_year'),
      cvc: read('cvc'),
    },
    name: read('name'),
  };
}

function readJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (value !== null && typeof value === 'object') return value as Record<string, unknown>;
  } catch {}
  throw new WireError(400, 'invalid_request_error', 'The body is not a JSON object.');
}

function wantsJson(request: IncomingMessage): boolean {
  const accept = request.headers.accept ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

function sendPage(response: ServerResponse, status: number, html: string, session: Session | null): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy(session),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .end(html);
}
