import { describe, expect, it } from 'vitest';
import { type Asked, coalesced, type Exchange, type Post, type Told } from './coalesce.ts';

const ask = (id: number, method = 'eth_x', about = `${method} ${id}`): Asked => ({
  ...{ id, about },
  body: JSON.stringify({ jsonrpc: '2.0', id, method }),
});
const answer = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result });

/** A node that answers a batch in reverse order, and keeps what it was sent. */
function node(conduct: (body: string) => Exchange | null = () => null): { sent: string[]; post: Post } {
  const sent: string[] = [];
  return {
    sent,
    async post(body) {
      sent.push(body);
      const own = conduct(body);
      if (own) return own;
      const asked = JSON.parse(body) as { id: unknown; method: string } | { id: unknown; method: string }[];
      const answers = [asked].flat().map(({ id, method }) => answer(id, `of ${method}`));
      return { status: 200, text: JSON.stringify(Array.isArray(asked) ? answers.reverse() : answers[0]) };
    },
  };
}
const resultOf = ({ answer }: Told) => (answer as { result?: unknown } | null)?.result;

describe('questions that are asked together', () => {
  it('go in one batch, and each gets its own answer', async () => {
    const { sent, post } = node();
    const send = coalesced(post);
    const asked = ['a', 'b', 'c'].map((method, i) => send(ask(i, method)));
    expect((await Promise.all(asked)).map(resultOf)).toEqual(['of a', 'of b', 'of c']);
    expect(sent).toHaveLength(1);
    expect(resultOf(await send(ask(9, 'later')))).toBe('of later');
    expect(sent[1]).toBe(ask(9, 'later').body);
  });

  it('are sent once where they ask the same, and each gets the answer as its own', async () => {
    const { sent, post } = node();
    const send = coalesced(post);
    const alike = [1, 2, 3].map((id) => send(ask(id, 'head', 'head')));
    const other = send(ask(4, 'b'));
    const told = await Promise.all([...alike, other]);
    expect(told.map(({ answer }) => answer)).toMatchObject(
      [1, 2, 3, 4].map((id) => ({ id, result: id === 4 ? 'of b' : 'of head' })),
    );
    expect(JSON.parse(sent[0]!)).toHaveLength(2);
    // What is asked while it is on its way needs an answer that may be newer.
    const first = send(ask(5, 'head', 'head'));
    await new Promise((resolve) => setImmediate(resolve));
    const second = send(ask(6, 'head', 'head'));
    await Promise.all([first, second]);
    expect(sent).toHaveLength(3);
  });

  it('all fail where they asked the same and the exchange fails', async () => {
    const send = coalesced(async () => {
      throw new Error('cut');
    });
    const failed = await Promise.allSettled([1, 2].map((id) => send(ask(id, 'head', 'head'))));
    expect(failed.map((f) => f.status)).toEqual(['rejected', 'rejected']);
  });

  it('go at most fifty at once', async () => {
    const { sent, post } = node();
    const send = coalesced(post);
    const all = await Promise.all(Array.from({ length: 120 }, (_, i) => send(ask(i, `m${i}`))));
    expect(all.map(resultOf)).toEqual(Array.from({ length: 120 }, (_, i) => `of m${i}`));
    expect(sent).toHaveLength(3);
  });

  it('go apart when two have one id', async () => {
    const { sent, post } = node();
    const send = coalesced(post);
    const both = await Promise.all([send(ask(1, 'a')), send(ask(1, 'b'))]);
    expect(both.map(resultOf)).toEqual(['of a', 'of b']);
    expect(sent).toHaveLength(2);
  });

  it('all fail when the exchange fails, and the next are asked all the same', async () => {
    let broken = true;
    const { post } = node();
    const send = coalesced(async (body) => {
      if (broken) throw new Error('cut');
      return await post(body);
    });
    const failed = await Promise.allSettled([send(ask(1)), send(ask(2))]);
    expect(failed.map((f) => f.status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect((await Promise.all([send(ask(1)), send(ask(2))])).map(resultOf)).toEqual(['of eth_x', 'of eth_x']);
  });

  it('get nobody else’s answer where theirs is missing or the batch is cut short', async () => {
    const half = node(() => ({ status: 200, text: JSON.stringify([answer(2, 'two')]) }));
    const send = coalesced(half.post);
    const [one, two] = await Promise.all([send(ask(1)), send(ask(2))]);
    expect([one?.answer, resultOf(two as Told)]).toEqual([null, 'two']);
    const cut = coalesced(node(() => ({ status: 200, text: '[{"jsonrpc":"2.0","id":1,"resu' })).post);
    expect((await Promise.all([cut(ask(1)), cut(ask(2))])).map((e) => e.answer)).toEqual([null, null]);
  });

  it.each([429, 500, 503, 401])('all get HTTP %i where that is the answer', async (status) => {
    const { sent, post } = node(() => ({ status, text: 'sorry' }));
    const send = coalesced(post);
    const both = await Promise.all([send(ask(1)), send(ask(2))]);
    expect(both).toEqual([
      { status, answer: null },
      { status, answer: null },
    ]);
    expect(sent).toHaveLength(1);
  });

  it.each([
    [
      'an error instead',
      { status: 200, text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}' },
    ],
    ['HTTP 400', { status: 400, text: 'no' }],
    ['HTTP 413', { status: 413, text: 'no' }],
  ])('are asked one by one of a node that answers a batch with %s, also later', async (_, refusal) => {
    const { sent, post } = node((body) => (body.startsWith('[') ? refusal : null));
    const send = coalesced(post);
    for (let round = 0; round < 2; round++) {
      const both = await Promise.all([send(ask(1, 'a')), send(ask(2, 'b'))]);
      expect(both.map(resultOf)).toEqual(['of a', 'of b']);
    }
    expect(sent.filter((body) => body.startsWith('['))).toHaveLength(1);
  });
});
