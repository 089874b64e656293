import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, ExplorerError } from '../../chain/explorer/explorer.ts';
import { openExplorer } from '../../chain/explorer/open-explorer.ts';
import { type ExplorerServer, explorerServer, timeOf } from '../fixtures/servers/explorer.ts';

/** An explorer is a stranger's server: what it lists is taken whole or not at all. */

const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const [WHO, OTHER, TOKEN, MANY, MOST, POOR, JUNK] = [0xa11ce, 0xb0b, 0xdc, 0x3a9, 0x4a9, 0x5a9, 0x7a9].map(
  address,
) as [string, string, string, string, string, string, string];
const HEAD = 1_000_000n;

let server: ExplorerServer;
beforeAll(async () => {
  server = await explorerServer();
  server.movements.push(
    { block: 5, token: null, from: OTHER, to: WHO, amount: 7n },
    { block: 6, token: null, from: WHO, to: OTHER, amount: 3n, failed: true },
    { block: 7, token: null, from: TOKEN, to: WHO, amount: 2n, internal: true },
    { block: 8, token: TOKEN, from: OTHER, to: WHO, amount: 1_000_000n },
    { block: 9, token: TOKEN, from: WHO, to: OTHER, amount: 0n },
  );
  for (let i = 0; i < 2_345; i++)
    server.movements.push({ block: 10 + i, token: TOKEN, from: OTHER, to: MANY, amount: 1n });
  for (let i = 0; i < 12_000; i++)
    server.movements.push({ block: 10 + i, token: TOKEN, from: OTHER, to: MOST, amount: BigInt(i + 1) });
  server.creators.set(TOKEN, OTHER);
  server.labels.set(OTHER, 'Some Exchange 7');
});
afterEach(() => server?.misbehave(() => false));
afterAll(async () => await server?.stop());

const SHAPES = ['etherscan', 'blockscout'] as const;
const explorer = (shape: (typeof SHAPES)[number], timeoutMs = 60_000): Explorer =>
  openExplorer({ url: server[shape], chainId: 8453, pauseMs: 1, timeoutMs });
const fault = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(() => null).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ExplorerError);
  // A key is never told.
  expect((error as Error).message).not.toContain('KEY');
  return (error as ExplorerError).kind;
};

describe.each(SHAPES)('an explorer of the shape of %s', (shape) => {
  it('lists the money that moved, tokens and native, and nothing that failed', async () => {
    const { transfers, cutOff, sent } = await explorer(shape).transfers(WHO, HEAD, [TOKEN]);
    // One that failed was sent, too.
    expect([cutOff, sent]).toEqual([false, 1]);
    expect(transfers.map((t) => [Number(t.block), t.token, t.from, t.amount])).toEqual([
      [8, TOKEN, OTHER, 1_000_000n],
      [7, null, TOKEN, 2n],
      [5, null, OTHER, 7n],
    ]);
    expect(transfers[0]).toMatchObject({ timestamp: BigInt(timeOf(8)), tx: expect.stringMatching(/^0x/) });
  });

  it('lists of each token what moved, however much of others did meanwhile', async () => {
    const [poor, coin] = [address(0x6a9 + SHAPES.indexOf(shape)), address(0x8a9)];
    for (const token of [TOKEN, coin])
      for (let i = 0; i < 60; i++)
        server.movements.push({ block: 20 + i, token, from: OTHER, to: poor, amount: 5n });
    for (let i = 0; i < 10_100; i++)
      server.movements.push({ block: 100, token: JUNK, from: OTHER, to: poor, amount: 1n });
    const { transfers, cutOff } = await explorer(shape).transfers(poor, HEAD, [TOKEN, coin]);
    const of = (token: string) => transfers.filter((t) => t.token === token).length;
    expect([transfers.length, of(TOKEN), of(coin), cutOff]).toEqual([120, 60, 60, false]);
  });

  it('lists what moved behind rows that moved nothing, in whosever name, as far as it is asked', async () => {
    const [shown, hidden] = [0x9a9, 0xaa9].map((n) => address(n + SHAPES.indexOf(shape))) as [string, string];
    const window = shape === 'etherscan' ? 10_000 : 1_000;
    const empty = (who: string, many: number) => {
      const one = { token: TOKEN, amount: 0n };
      for (let i = 0; i < many / 2; i++)
        server.movements.push(
          { ...one, block: 50 + i, from: who, to: OTHER },
          { ...one, block: 50 + i, from: OTHER, to: who },
        );
    };
    for (const who of [shown, hidden])
      for (let i = 0; i < 60; i++)
        server.movements.push({ block: 20 + i, token: TOKEN, from: OTHER, to: who, amount: 5n });
    empty(shown, 2 * window);
    empty(hidden, 3 * window);
    const listed = await explorer(shape).transfers(shown, HEAD, [TOKEN]);
    expect([listed.transfers.length, new Set(listed.transfers.map((t) => t.tx)).size]).toEqual([60, 60]);
    expect(listed.cutOff).toBe(false);
    expect((await explorer(shape).transfers(hidden, HEAD, [TOKEN])).cutOff).toBe(true);
  });

  it('is malformed where it answers about another token', async () => {
    const other = (url: URL): URL => {
      for (const name of ['token', 'contractaddress']) url.searchParams.delete(name);
      return url;
    };
    server.misbehave((url, response) => {
      if (!/tokentx|token-transfers/.test(url.href)) return false;
      if (!['token', 'contractaddress'].some((name) => url.searchParams.has(name))) return false;
      void fetch(other(new URL(url.pathname + url.search, server[shape])))
        .then((answer) => answer.text())
        .then((text) => response.end(text));
      return true;
    });
    expect(await fault(explorer(shape).transfers(WHO, HEAD, [JUNK]))).toBe('malformed');
  });

  it('lists nothing above the block that is asked about', async () => {
    const { transfers } = await explorer(shape).transfers(WHO, 7n, [TOKEN]);
    expect(transfers.map((t) => Number(t.block))).toEqual([7, 5]);
  });

  it('lists nothing of an address that never acted', async () => {
    expect(await explorer(shape).transfers(POOR, HEAD, [TOKEN])).toEqual({
      transfers: [],
      cutOff: false,
      fromStart: true,
      sent: 0,
    });
    expect(await explorer(shape).profile(POOR)).toEqual({ creator: null, labels: [] });
  });

  it('tells who deployed a contract', async () => {
    const { creator } = await explorer(shape).profile(TOKEN);
    expect(creator).toEqual({ address: OTHER, tx: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  });

  it('is asked again after a rate limit, and given up after a few', async () => {
    let limits = 2;
    server.misbehave((_, response) => {
      if (limits-- <= 0) return false;
      response.writeHead(429, { 'retry-after': '0' }).end('slow down');
      return true;
    });
    expect((await explorer(shape).transfers(WHO, HEAD, [TOKEN])).transfers).toHaveLength(3);
    server.misbehave((_, response) => {
      response.writeHead(429).end();
      return true;
    });
    expect(await fault(explorer(shape).transfers(WHO, HEAD, [TOKEN]))).toBe('limited');
    server.misbehave((_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
      return true;
    });
    expect(await fault(explorer(shape).transfers(WHO, HEAD, [TOKEN]))).toBe('limited');
  });

  it.each([
    ['down', (end: (status: number, body: string) => void) => end(503, 'maintenance')],
    ['malformed', (end: (status: number, body: string) => void) => end(200, '{"status":"1","resu')],
    ['malformed', (end: (status: number, body: string) => void) => end(200, '<html>')],
    ['malformed', (end: (status: number, body: string) => void) => end(200, '[]')],
    [
      'malformed',
      (end: (status: number, body: string) => void) => end(200, '{"status":"1","items":7,"result":7}'),
    ],
  ] as const)('is %s where it answers something else, and lists nothing then', async (kind, answer) => {
    server.misbehave((_, response) => {
      answer((status, body) => response.writeHead(status).end(body));
      return true;
    });
    expect(await fault(explorer(shape).transfers(WHO, HEAD, [TOKEN]))).toBe(kind);
  });

  it('is slow where it never answers, and down where it breaks off', async () => {
    server.misbehave(() => true);
    expect(await fault(explorer(shape, 300).transfers(WHO, HEAD, [TOKEN]))).toBe('slow');
    server.misbehave((_, response) => {
      response.destroy();
      return true;
    });
    expect(await fault(explorer(shape).transfers(WHO, HEAD, [TOKEN]))).toBe('down');
    const moved = server.etherscan;
    server.misbehave((_, response) => {
      response.writeHead(302, { location: moved }).end();
      return true;
    });
    expect(await fault(explorer(shape).profile(WHO))).toBe('down');
  });

  it('is malformed where it answers about somebody else', async () => {
    const honest = await fetch(await urlOf(shape)).then((r) => r.text());
    server.misbehave((_, response) => {
      response.end(honest);
      return true;
    });
    expect(await fault(explorer(shape).transfers(POOR, HEAD, [TOKEN]))).toBe('malformed');
  });

  /** A question whose answer is about WHO. */
  async function urlOf(of: (typeof SHAPES)[number]): Promise<string> {
    const before = server.asked.length;
    await explorer(of).transfers(WHO, HEAD, [TOKEN]);
    const list = server.asked.slice(before).find((url) => /txlist|\/transactions/.test(url.href))!;
    return new URL(list.pathname + list.search, server[of]).href;
  }
});

describe('pages', () => {
  it('are read to the last one', async () => {
    const { transfers, cutOff } = await explorer('etherscan').transfers(MANY, HEAD, [TOKEN]);
    expect([transfers.length, new Set(transfers.map((t) => t.tx)).size, cutOff]).toEqual([
      2_345,
      2_345,
      false,
    ]);
  });

  it('that end at the ten thousandth row are a history cut off, with its oldest page', async () => {
    const { transfers, cutOff } = await explorer('etherscan').transfers(MOST, HEAD, [TOKEN]);
    expect([transfers.length, cutOff]).toEqual([11_000, true]);
    expect([transfers[0]?.amount, transfers.at(-1)?.amount]).toEqual([12_000n, 1n]);
    expect(new Set(transfers.map((t) => t.tx)).size).toBe(11_000);
  });

  it('of Blockscout are followed a bounded number of times, and then the history is cut off', async () => {
    const { transfers, cutOff } = await explorer('blockscout').transfers(MANY, HEAD, [TOKEN]);
    expect([transfers.length, transfers[0]?.block, cutOff]).toEqual([1_000, 2_354n, true]);
  });
});

describe('errors inside an answer of HTTP 200', () => {
  const says = (body: object) =>
    server.misbehave((_, response) => {
      response.end(JSON.stringify(body));
      return true;
    });

  it('are refusals, and no empty history', async () => {
    says({ status: '0', message: 'NOTOK', result: 'Invalid API Key (#err2)|KEY-' });
    const error = (await explorer('etherscan')
      .transfers(WHO, HEAD, [TOKEN])
      .catch((e: unknown) => e)) as ExplorerError;
    expect(error.kind).toBe('refused');
    says({ status: '0', message: 'NOTOK', result: null });
    expect(await fault(explorer('etherscan').transfers(WHO, HEAD, [TOKEN]))).toBe('refused');
    says({ status: '0', message: 'NOTOK', result: [] });
    expect(await fault(explorer('etherscan').transfers(WHO, HEAD, [TOKEN]))).toBe('refused');
  });

  it('that tell of a rate limit are waited out, and then a limit', async () => {
    let times = 0;
    server.misbehave((_, response) => {
      if (times++ > 1) return false;
      const result = 'Max calls per sec rate limit reached (5/sec)';
      response.end(JSON.stringify({ status: '0', message: 'NOTOK', result }));
      return true;
    });
    expect((await explorer('etherscan').transfers(WHO, HEAD, [TOKEN])).transfers).toHaveLength(3);
    says({ status: '0', message: 'NOTOK', result: 'Max rate limit reached, please use API Key' });
    expect(await fault(explorer('etherscan').transfers(WHO, HEAD, [TOKEN]))).toBe('limited');
  });
});

it('tells the names that an explorer gives an address', async () => {
  expect((await explorer('blockscout').profile(OTHER)).labels).toEqual(['Some Exchange 7']);
});
