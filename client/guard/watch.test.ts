import { expect, it } from 'vitest';
import { watching } from './watch.ts';

const SHOP = 'https://shop.example/data';
const RESULT = 'https://shop.example/result';

/** What is asked for when a payment goes along and this is answered first, by a program that writes. */
async function askedFor(method: string, status: number) {
  const asked: Request[] = [];
  const inner = async (input: unknown) => {
    asked.push(input as Request);
    if (asked.length > 1) return new Response('{}');
    return new Response(null, { status, headers: { location: '/result' } });
  };
  const body = method === 'GET' ? undefined : '{"of":"mine"}';
  const headers = { 'payment-signature': 'one', 'content-type': 'application/json' };
  const { status: told } = await watching(() => 0).wrapFetch(inner)(SHOP, { method, headers, body });
  const last = asked.at(-1)!;
  const sent = [last.method, await last.text(), last.headers.get('content-type')];
  expect(last.headers.get('payment-signature')).toBe('one');
  return [told, last.url, ...sent];
}

const WRITTEN = ['{"of":"mine"}', 'application/json'];
it.each([
  ['POST', 303, 'GET', ['', null]],
  ['PUT', 303, 'GET', ['', null]],
  ['POST', 302, 'GET', ['', null]],
  ['POST', 301, 'GET', ['', null]],
  ['POST', 307, 'POST', WRITTEN],
  ['POST', 308, 'POST', WRITTEN],
  ['PUT', 302, 'PUT', WRITTEN],
  ['GET', 303, 'GET', ['', 'application/json']],
])('a paid %s that is answered %i goes on as a %s', async (method, status, next, sent) => {
  expect(await askedFor(method, status)).toEqual([200, RESULT, next, ...sent]);
});

it('takes no answer for a redirect that is none', async () => {
  expect(await askedFor('GET', 304)).toEqual([304, SHOP, 'GET', '', 'application/json']);
});
