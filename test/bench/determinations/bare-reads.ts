import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Database } from '../../../store/database.ts';
import type { TestChain } from '../../fixtures/chain/anvil.ts';

/** One call of a node. */
export interface Request {
  readonly url: string;
  readonly body: string;
}

/** What one run asks of the nodes, taken down on the way there: every call by itself, also those of a batch. */
export async function requestsOf(
  chains: readonly TestChain[],
  readersOver: (urlOf: (chain: TestChain) => string) => { warmUp(): Promise<void>; run(): Promise<void> },
): Promise<Request[]> {
  const requests: Request[] = [];
  const proxies = await Promise.all(
    chains.map(async ({ url }) => {
      const proxy = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks).toString();
        requests.push(...[JSON.parse(body)].flat().map((call) => ({ url, body: JSON.stringify(call) })));
        response.setHeader('content-type', 'application/json');
        response.end(await send({ url, body }));
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      return proxy;
    }),
  );
  const urlOf = (chain: TestChain): string =>
    `http://127.0.0.1:${(proxies[chains.indexOf(chain)]!.address() as AddressInfo).port}`;
  const { warmUp, run } = readersOver(urlOf);
  await warmUp();
  requests.length = 0;
  await run();
  for (const proxy of proxies) {
    proxy.closeAllConnections();
    proxy.close();
  }
  return requests;
}

/** Sends all of them at once. */
export async function bare(requests: readonly Request[]): Promise<void> {
  await Promise.all(requests.map(async (request) => JSON.parse(await send(request))));
}

async function send({ url, body }: Request): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  return await response.text();
}

/** One statement as it was sent. */
export interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What is asked of any database of this process while `act` runs. */
export async function statementsOf(act: () => Promise<unknown>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...all: unknown[]) {
    const [what, values] = all as [string | pg.QueryConfig, unknown[] | undefined];
    if (typeof what === 'string') asked.push({ text: what, values: values ?? [] });
    else asked.push({ text: what.text, values: what.values ?? [] });
    return Reflect.apply(query, this, all);
  } as typeof query;
  try {
    await act();
  } finally {
    pg.Client.prototype.query = query;
  }
  return asked.filter(({ text }) => /^\s*(?:select|with)\b/i.test(text));
}

/** Asks all of them at once. */
export async function bareStatements(db: Database, asked: readonly Asked[]): Promise<void> {
  await Promise.all(asked.map(({ text, values }) => db.executeQuery(CompiledQuery.raw(text, [...values]))));
}
