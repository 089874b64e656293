import pg from 'pg';
import { hashMessage } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { chainStateQuery, readAgentChainState } from '../../../chain/clients/agent-chain-state.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { signerOf } from '../../../chain/tx/signature.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { migrate } from '../../../store/migrate.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';
import { type Agent, storyOn } from '../../fixtures/story-stage.ts';
import { send } from '../post.ts';
import { type BenchRow, quantile } from '../row.ts';
import { benchServer } from '../server.ts';
import { fillMarket, LOTS, lotAt } from './market-fill.ts';

const ROUNDS = 12;
const EACH = 20;
const FEW = 1_000;
const MANY = 1_000_000;

/** One measured thing: everything beforehand that is not measured, and what is. */
type Prepared = (n: number) => Promise<() => Promise<void>>;

/**
 * `POST /order` of the whole service, signed by its owner, its agent's caps read from the chain, durable when it
 * answers: against the bare transaction that writes the same rows on the same Postgres, and with a million resting
 * orders against a thousand. All take turns, one request at a time.
 */
export async function benchOrders(): Promise<BenchRow[]> {
  const server = await benchServer();
  const closers: (() => Promise<unknown>)[] = [server.stop];
  try {
    const [few, many] = [await database(server.url, 'few', FEW), await database(server.url, 'many', MANY)];
    const subjects: Prepared[] = [];
    const parts: Prepared[] = [];
    for (const url of [few, many]) {
      const folder = await serviceFolder({ guarded: false });
      closers.unshift(() => folder.remove());
      const placed = await orders(folder, url);
      subjects.push(placed.order);
      if (parts.length === 0) parts.push(placed.signature, placed.chain);
    }
    const bare = bareTransaction(few);
    closers.unshift(bare.stop);
    const [thousand, million, transaction, signature, chain] = (await measure([
      ...subjects,
      bare.prepare,
      ...parts,
    ])) as [number[], number[], number[], number[], number[]];
    const p50 = (all: number[]): number => quantile(all, 0.5);
    const figures = (all: number[]) => ({ p50Ms: p50(all), p99Ms: quantile(all, 0.99) });
    const cost = p50(thousand) / p50(transaction);
    const growth = p50(million) / p50(thousand);
    return [
      { name: 'bare transaction of the same rows', ...figures(transaction) },
      {
        name: `POST /order, ${FEW} orders rest`,
        ...figures(thousand),
        ratio: cost,
        goal: 'at most 5 of the bare transaction',
        ok: cost <= 5,
      },
      {
        name: `POST /order, ${MANY} orders rest`,
        ...figures(million),
        ratio: growth,
        goal: `at most 1.2 of ${FEW}`,
        ok: growth <= 1.2,
      },
      { name: 'in each POST /order: whose the signature is', ...figures(signature) },
      { name: 'in each POST /order: owner and caps read from the chain', ...figures(chain) },
    ];
  } finally {
    for (const end of closers) await end();
  }
}

async function database(server: string, name: string, resting: number): Promise<string> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database bench_${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/bench_${name}`;
  await migrate(url.href);
  await fillMarket(url.href, resting);
  return url.href;
}

/** What no transaction does is measured alone as well: it is in every order's time. */
async function orders(
  folder: ServiceFolder,
  databaseUrl: string,
): Promise<{ order: Prepared; signature: Prepared; chain: Prepared }> {
  const { baseUrl } = await folder.start({ DATABASE_URL: databaseUrl });
  const story = storyOn(folder);
  const owner: PrivateKeyAccount = await story.owner();
  const agent: Agent = await story.assemble(
    owner,
    'bench-buyer',
    'Buy digital products, max 1000000 USDC per deal, for 30 days.',
  );
  // Every order's limit is held against its money.
  await fund(folder.env, agent.account, '100000');
  const ask = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    send(`${baseUrl}/order`, body, { accept: 'application/json', ...headers });
  const { rpcUrl, ...deployment } = findRunning(folder.dataDir)!.chains[1002]!;
  const reader = viemReader({ rpcUrl, chainId: 1002 });
  const question = chainStateQuery(deployment, {
    tokenId: BigInt(agent.tokenId),
    account: agent.account,
    likely: owner.address,
  });
  const chain: Prepared = async () => async () => {
    const standing = await readAgentChainState(reader, question);
    if (standing.owner !== owner.address) throw new Error(`${standing.owner} owns ${agent.handle}`);
  };
  const signature: Prepared = async (n) => {
    const message = `Order ${n} of ${agent.handle}`;
    const signed = await owner.signMessage({ message });
    return async () => {
      if (signerOf(hashMessage(message), signed) !== owner.address) throw new Error('another signed it');
    };
  };
  const order: Prepared = async (n) => {
    const body = JSON.stringify({
      handle: agent.handle,
      side: 'buy',
      listingRef: `lst_bench_${n % LOTS}`,
      category: 'digital-products',
      limitUsd: 1 + (n % 50),
    });
    const { sign } = JSON.parse((await ask(body)).text) as { sign: { message: string; nonce: string } };
    const signature = await owner.signMessage({ message: sign.message });
    const authorization = `EIP191 nonce="${sign.nonce}", signature="${signature}"`;
    return async () => {
      const { status, text } = await ask(body, { authorization });
      if (status !== 201 || !text.includes('"status":"resting"'))
        throw new Error(`POST /order answered ${status}: ${text}`);
    };
  };
  return { order, signature, chain };
}

/** A signature used up, the lot and the agent held, the order and what it holds back written, the lot's price told. */
function bareTransaction(connectionString: string): { prepare: Prepared; stop(): Promise<void> } {
  const pool = new pg.Pool({ connectionString, max: 2 });
  return {
    stop: () => pool.end(),
    async prepare(n) {
      const nonce = `bare-${n}`;
      return async () => {
        const client = await pool.connect();
        const ask = (text: string, values: unknown[]) => client.query({ text, values });
        try {
          const lot = lotAt(n);
          await client.query('begin');
          await ask(
            'insert into used_signatures (nonce, used_at) values ($1, now()) on conflict do nothing',
            [nonce],
          );
          await ask('select price_to_beat from lots where asset_key = $1 for update', [lot]);
          await ask("select status from agents where handle = 'bench-0' for no key update", []);
          await ask(
            "insert into orders (order_id, handle, owner, side, asset_key, listing_ref, category, limit_price, opening_bid, status, expires_at) values ($1, 'bench-0', '0x0', 'buy', $2, $3, 'digital-products', $4, $4, 'resting', now() + interval '7 days')",
            [nonce, lot, `lst_bench_${n % LOTS}`, String((1 + (n % 50)) * 1_000_000)],
          );
          await ask(
            "insert into reservations (order_id, handle, amount, state) values ($1, 'bench-0', 100000000, 'held')",
            [nonce],
          );
          await ask(
            'update lots set price_to_beat = price_to_beat + 10000, updated_at = now() where asset_key = $1',
            [lot],
          );
          await client.query('commit');
        } finally {
          client.release();
        }
      };
    },
  };
}

/** Milliseconds of every one, a subject, each turn of one prepared before it and run in one go. The first round warms up. */
async function measure(subjects: readonly Prepared[]): Promise<number[][]> {
  const taken = subjects.map((): number[] => []);
  let n = 0;
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, prepare] of subjects.entries()) {
      const turn: (() => Promise<void>)[] = [];
      for (let k = 0; k < EACH; k++) turn.push(await prepare(n++));
      for (const once of turn) {
        const start = performance.now();
        await once();
        if (round >= 0) taken[i]!.push(performance.now() - start);
      }
    }
  }
  return taken;
}
