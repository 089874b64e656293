import { expect, it } from 'vitest';
import { HandshakeError, handshake } from './client.ts';

const BASE = 'https://handshake.example';

/** A client as a program has it that no compiler checked, and what it asked for. */
function asking() {
  const asked: string[] = [];
  const answering: typeof fetch = async (url, init) => {
    asked.push(`${init?.method} ${url}`);
    return new Response('{}');
  };
  const client = handshake(BASE, { fetch: answering });
  return { asked, client: client as unknown as Record<string, (...given: unknown[]) => Promise<unknown>> };
}

it.each<[string, string, unknown[], string, string]>([
  ['an operation that is none', 'call', ['nonsense'], 'operation', 'operationId'],
  ['an operation that every object has', 'call', ['toString'], 'operation', 'operationId'],
  ['a name of the path beside it', 'call', ['agent', { handle: 'a' }], 'handle', 'path: { handle }'],
  ['a filter beside the query', 'call', ['catalogue', { category: 'a' }], 'category', 'query: { category }'],
  [
    'a filter that is misspelt',
    'call',
    ['catalogue', { query: { categry: 'a' } }],
    'query.categry',
    'category',
  ],
  ['a list as a filter', 'call', ['catalogue', { query: { category: ['a'] } }], 'query.category', 'text'],
  ['a query that is a text', 'call', ['catalogue', { query: 'category=a' }], 'query', 'object'],
  [
    'a query of the platform',
    'call',
    ['catalogue', { query: new URLSearchParams('a=b') }],
    'query',
    'object',
  ],
  ['no path', 'call', ['agent'], 'path.handle', 'required'],
  ['a path that is null', 'call', ['agent', { path: null }], 'path.handle', 'required'],
  ['an empty name', 'call', ['agent', { path: { handle: '' } }], 'path.handle', 'no such thing'],
  [
    'a name that leads elsewhere',
    'call',
    ['agent', { path: { handle: '..' } }],
    'path.handle',
    'no such thing',
  ],
  ['half a character', 'call', ['agent', { path: { handle: '\ud800' } }], 'path.handle', 'no such thing'],
  ['a name that the path has not', 'call', ['agent', { path: { handle: 'a', id: 1 } }], 'path.id', 'handle'],
  ['an unknown option', 'call', ['health', { timeout: 5 }], 'timeout', 'idempotencyKey'],
  ['a key that is no text', 'call', ['order', { body: {}, idempotencyKey: 5 }], 'idempotencyKey', 'text'],
  ['a body that a GET cannot have', 'call', ['home', { body: {} }], 'body', 'GET'],
  ['a body that is no JSON', 'call', ['order', { body: { price: 1n } }], 'body', 'JSON'],
  ['an unknown tier', 'evaluate', ['tier9', 'digital-products', {}], 'tier', 'tier2'],
  ['an unknown category', 'evaluate', ['tier2', 'foo', {}], 'category', 'digital-products'],
  ['a tier that other operations begin with', 'evaluate', ['agent', 'orders', {}], 'tier', 'tier2'],
  [
    'an unknown option of an evaluation',
    'evaluate',
    ['tier2', 'digital-products', {}, { key: 1 }],
    'key',
    'use',
  ],
  ['no record', 'record', [], 'of', 'id of a record'],
  ['an answer that names no record', 'record', [{}], 'of', 'id of a record'],
])('asks nobody, and says which field is wrong and why, for %s', async (_, method, given, path, why) => {
  const { asked, client } = asking();
  const error = await client[method]!(...given).then(
    () => null,
    (thrown: HandshakeError) => thrown,
  );
  expect(error).toBeInstanceOf(HandshakeError);
  expect(error?.errors).toEqual([{ path, message: expect.stringContaining(why) }]);
  expect(error?.message).toContain(path);
  expect(error?.remedy).not.toBe('');
  expect(asked).toEqual([]);
});

it('asks for what the path, the query and the body say, and leaves out what is undefined', async () => {
  const { asked, client } = asking();
  await client.call!('agent', { path: { handle: 'a/b' }, signal: undefined });
  await client.call!('catalogue', { query: { category: 'digital-products', limit: 3, cursor: undefined } });
  await client.call!('order-cancel', { path: { orderId: 7 }, body: {}, idempotencyKey: 'mine' });
  await client.check!('0xab', null);
  await client.record!({ recorded: { recordId: 'rec_1' } }, null);
  expect(asked).toEqual([
    `GET ${BASE}/agent/a%2Fb`,
    `GET ${BASE}/catalogue?category=digital-products&limit=3`,
    `POST ${BASE}/order/7/cancel`,
    `GET ${BASE}/determination?address=0xab`,
    `GET ${BASE}/records/rec_1`,
  ]);
});
