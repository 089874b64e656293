import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { withFreshHead } from '../../chain/rpc/fresh-head.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { lyingRpc } from './lying-rpc.ts';

/** A node that stands still says what was so long ago, and nothing of it is CLEAN now. */

const WHO = `0x${'a11ce'.padStart(40, '0')}`;
const LIMIT = 120;
const DEPTHS: readonly Depth[] = ['1-of-1', '2-of-2', 'superconsensus'];

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let second: Awaited<ReturnType<typeof lyingRpc>>;
/** The chain's own time, milliseconds, with which the tests move. */
let clock = Date.now();

const rpc = (method: string, ...params: unknown[]) => ask(chain.url, method, params);

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(1002), testDatabase()]);
  second = await lyingRpc(chain.url);
  await rpc('anvil_setNonce', WHO, '0x5');
  for (const register of ['sanctions', 'known-scam'] as const) {
    const rows = (async function* () {
      yield { key: `0x${'9'.repeat(40)}`, detail: {} };
    })();
    await importRegister(database.db, { register, source: 't', asOf: new Date(), mode: 'replace', rows });
  }
  await tick(1);
});
afterEach(() => second?.lie((_, result) => result));
afterAll(async () => {
  await second?.stop();
  await database?.drop();
  await chain?.stop();
});

/** Time goes by on the chain and here, and a block is mined. */
async function tick(seconds: number): Promise<void> {
  clock = Math.max(clock, Date.now()) + seconds * 1000;
  await rpc('evm_setNextBlockTimestamp', toHex(Math.floor(clock / 1000)));
  await rpc('evm_mine');
}

/** What the second URL says is what the chain said so many blocks ago. */
async function standStill(blocks: number): Promise<void> {
  const head = Number(await rpc('eth_blockNumber'));
  const old = await rpc('eth_getBlockByNumber', toHex(head - blocks), false);
  second.lie(({ method, params }, result) => {
    if (method === 'eth_blockNumber') return toHex(head - blocks);
    return method === 'eth_getBlockByNumber' && params?.[0] === 'latest' ? old : result;
  });
}

function deps({
  lagging,
  behind = 0,
}: {
  lagging: 'viem' | 'ethers' | 'none';
  behind?: number;
}): EvidenceDeps {
  const options = { chainId: 1002, retries: 0 };
  const now = () => new Date(clock + behind * 1000);
  const url = (client: string) => (client === lagging ? second.url : chain.url);
  const fresh = { maxAgeSeconds: LIMIT, now };
  return {
    db: database.db,
    readers: new Map([
      [
        1002,
        {
          viem: withFreshHead(viemReader({ ...options, rpcUrl: url('viem') }), fresh),
          ethers: withFreshHead(ethersReader({ ...options, rpcUrl: url('ethers') }), fresh),
        },
      ],
    ]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => new Date(),
  };
}

const on = async (depth: Depth, with_: EvidenceDeps) => {
  const { record } = await determineWallet(with_, { address: WHO, chainId: 1002, depth });
  const activity = record.evidence.checks.find((c) => c.id === 'chain-activity:1002');
  return { verdict: record.verdict, activity, limits: record.evidence.gathered.seats.map((s) => s.limit) };
};

describe.each(DEPTHS)('a wallet determination at depth %s', (depth) => {
  it('is CLEAN while the heads are of now, and its sources say how old they may be', async () => {
    await tick(10);
    const found = await on(depth, deps({ lagging: 'none' }));
    expect([found.verdict, found.activity?.outcome]).toEqual(['CLEAN', 'PASS']);
    expect(found.limits[0]).toContain('at most 120 seconds old');
  });

  it('is not CLEAN when the whole chain has stood still for longer than its limit', async () => {
    await tick(10);
    const found = await on(depth, deps({ lagging: 'none', behind: LIMIT + 1 }));
    expect([found.verdict, found.activity?.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
    expect(found.activity?.detail).toMatch(/is \d+ seconds old, and 120 is the most it may be/);
  });

  it.each(['viem', 'ethers'] as const)(
    'is not CLEAN when only the URL of %s stands still, and does not go back to its block',
    async (lagging) => {
      await tick(5);
      await tick(60 * 86_400);
      await standStill(1);
      const found = await on(depth, deps({ lagging }));
      expect([found.verdict, found.activity?.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
      expect(found.activity?.detail).toContain(`the head over ${lagging}`);
    },
  );

  it('pins the lower head where one of two lags within the limit', async () => {
    await tick(5);
    await tick(30);
    await standStill(1);
    expect((await on(depth, deps({ lagging: 'ethers' }))).verdict).toBe('CLEAN');
  });

  it('is not CLEAN when the heads are of the future', async () => {
    await tick(10);
    const found = await on(depth, deps({ lagging: 'none', behind: -3_600 }));
    expect([found.verdict, found.activity?.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
    expect(found.activity?.detail).toContain('ahead of the clock');
  });
});
