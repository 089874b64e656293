import type { Description, Operation } from '../../client/describe-routes.ts';
import type { Random } from '../../simulator/random.ts';
import { type Drawing, type KnownValues, valueFor } from './values.ts';

export interface GeneratedRequest {
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface GenerateDeps {
  readonly random: Random;
  readonly known: KnownValues;
  readonly description: Description;
  /** The operator's key: sent with some requests. */
  readonly operatorKey: string;
}

/** Bodies that are no JSON, or no JSON that anybody expects. */
const BROKEN_BODIES: readonly string[] = [
  ...['', '{', '[]', 'null', '"x"', '1', '{"a":1}{', '{"__proto__":{"x":1}}', '\u0000', '{"a":"\\ud800"}'],
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  JSON.stringify({ a: 'x'.repeat(100_000) }),
];
const CONTENT_TYPES = [
  'text/plain',
  'application/x-ndjson',
  'application/json; charset=utf-16',
  ';',
  'multipart/form-data',
];
const PAYMENTS = [
  'x',
  'e30=',
  '{}',
  'bnVsbA==',
  Buffer.from('{"x402Version":2,"payload":{}}').toString('base64'),
];

/** Draws one request from the description, as a stranger would who has read it, and is careless or hostile now and then. */
export function generateRequest(deps: GenerateDeps): GeneratedRequest {
  const { random, known, description } = deps;
  const [path, operations] = random.pick(Object.entries(description.paths));
  const [method, operation] = random.pick(Object.entries(operations));
  const drawing: Drawing = {
    random,
    known,
    schemas: description.components.schemas,
    hostile: random.pick([0, 0, 0.03, 0.3]),
  };
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path: addressOf(drawing, path, operation),
    headers: headersOf(drawing, deps.operatorKey, operation),
    body: operation.requestBody === undefined ? null : bodyOf(drawing, operation),
  };
}

function addressOf(drawing: Drawing, path: string, { parameters = [] }: Operation): string {
  const { random, hostile } = drawing;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((p) => p.in === 'path' && p.name === name)?.schema ?? {};
    return encoded(valueFor(drawing, schema, name));
  });
  const query = parameters
    .filter((p) => p.in === 'query' && (p.required === true || random.chance(0.4)))
    .flatMap((p) => {
      const pair = `${p.name}=${encoded(valueFor(drawing, p.schema, p.name))}`;
      return random.chance(hostile / 4) ? [pair, pair] : [pair];
    });
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function headersOf(drawing: Drawing, operatorKey: string, operation: Operation): Record<string, string> {
  const { random, hostile } = drawing;
  const headers: Record<string, string> = {};
  if (operation.requestBody !== undefined)
    headers['content-type'] = random.chance(hostile / 2) ? random.pick(CONTENT_TYPES) : 'application/json';
  if (random.chance(0.2))
    headers.accept = random.pick(['application/json', 'text/html', '*/*', 'image/png', ';q=']);
  if (random.chance(0.1)) headers['idempotency-key'] = `key-${random.below(50)}`;
  if (random.chance(0.1)) headers.authorization = `Bearer ${operatorKey}`;
  else if (random.chance(hostile))
    headers.authorization = random.pick(['Bearer', 'EIP191 nonce="x", signature="0x"', 'x']);
  if (random.chance(hostile)) headers['payment-signature'] = random.pick(PAYMENTS);
  return headers;
}

function bodyOf(drawing: Drawing, { requestBody }: Operation): string {
  const { random, hostile } = drawing;
  const [media] = Object.values(requestBody?.content ?? {});
  if (media === undefined || random.chance(hostile / 2)) return random.pick(BROKEN_BODIES);
  return JSON.stringify(valueFor(drawing, media.schema, ''));
}

/** As a client writes it; half a surrogate pair, which nobody can write, as bytes that are no UTF-8. */
function encoded(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  try {
    return encodeURIComponent(text.slice(0, 2_000));
  } catch {
    return '%ed%a0%80';
  }
}
