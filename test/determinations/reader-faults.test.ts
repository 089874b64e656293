import { toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';

/** Faults inside one of the two clients, below everything that the panel sees. The node is honest throughout. */

const FAULTS = [
  'the answers of two questions swapped',
  'state of a few blocks ago',
  'a field that is lost',
] as const;
type Fault = (typeof FAULTS)[number];
interface Question {
  readonly method: string;
  readonly params: unknown;
}

const planted = vi.hoisted(() => ({ fault: null as Fault | null, client: 'viem', block: 0n }));

const OTHER: Readonly<Record<string, string>> = {
  eth_getCode: 'eth_getTransactionCount',
  eth_getTransactionCount: 'eth_getCode',
};

/** What the client puts to the node in place of what it was asked. */
function faulty<Q extends Question>(client: string, asked: Q): Q {
  if (planted.client !== client) return asked;
  if (planted.fault === 'the answers of two questions swapped')
    return { ...asked, method: OTHER[asked.method] ?? asked.method };
  if (planted.fault !== 'state of a few blocks ago' || !Array.isArray(asked.params)) return asked;
  // A block stands after what is asked of it; the filter of logs stands alone.
  const ofBlock = asked.params.length > 1 && typeof asked.params.at(-1) === 'object';
  return ofBlock ? { ...asked, params: [...asked.params.slice(0, -1), toHex(planted.block - 2n)] } : asked;
}

/** What the client keeps of an answer. */
const kept = (client: string, { method }: Question, result: unknown): unknown =>
  planted.client === client && planted.fault === 'a field that is lost' && method === 'eth_getCode'
    ? '0x'
    : result;

vi.mock(import('../../chain/rpc/viem/wire.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    questions(put) {
      const question = real.questions(put);
      return async (method, params) => {
        const asked = faulty('viem', { method, params });
        const { result, ...rest } = await question(asked.method, asked.params);
        return result === undefined ? rest : { ...rest, result: kept('viem', asked, result) };
      };
    },
  };
});

vi.mock(import('../../chain/rpc/ethers/provider.ts'), async (original) => {
  const real = await original();
  class FaultyProvider extends real.BoundedProvider {
    override async send(method: string, params: unknown[] | Record<string, unknown>): Promise<unknown> {
      const asked = faulty('ethers', { method, params });
      return kept('ethers', asked, await super.send(asked.method, asked.params as unknown[]));
    }
  }
  return { ...real, BoundedProvider: FaultyProvider };
});

const PLAIN = `0x${'a11ce'.padStart(40, '0')}` as const;
const DELEGATED = `0x${'de1e'.padStart(40, '0')}` as const;
const DRAINER = `0x${'bad'.padStart(40, '0')}` as const;

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(1002), testDatabase()]);
  await ask(chain.url, 'anvil_mine', ['0x2']);
  // Counted and delegated in the newest blocks, and not two blocks before.
  await ask(chain.url, 'anvil_setNonce', [DELEGATED, '0x12']);
  await ask(chain.url, 'anvil_setCode', [DELEGATED, `0xef0100${DRAINER.slice(2)}`]);
  await ask(chain.url, 'anvil_mine', ['0x1']);
  planted.block = BigInt(await ask<string>(chain.url, 'eth_blockNumber'));
  const options = { chainId: 1002, retries: 0, timeoutMs: 60_000, deadlineMs: 60_000, rpcUrl: chain.url };
  deps = {
    db: database.db,
    readers: new Map([[1002, { viem: viemReader(options), ethers: ethersReader(options) }]]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => new Date(),
    seatTimeoutMs: 60_000,
  };
  for (const [register, key] of [
    ['sanctions', `0x${'1'.repeat(40)}`],
    ['known-scam', DRAINER],
  ] as const) {
    const rows = (async function* () {
      yield { key, detail: {} };
    })();
    await importRegister(database.db, { register, source: 'test', asOf: new Date(), mode: 'replace', rows });
  }
});
afterAll(async () => {
  await database?.drop();
  await chain?.stop();
});
beforeEach(() => {
  planted.fault = null;
});

const on = async (address: string, depth: Depth) => {
  const { record } = await determineWallet(deps, { address, chainId: 1002, depth });
  return { verdict: record.verdict, votes: record.evidence.panel.votes.map(({ vote }) => vote) };
};

describe('a wallet determination with a fault in one of its two clients', () => {
  it('tells a wallet that delegates to a listed contract from a plain one while neither has a fault', async () => {
    expect(await on(DELEGATED, '2-of-2')).toEqual({ verdict: 'FLAGGED', votes: ['FLAGGED', 'FLAGGED'] });
    expect(await on(PLAIN, '2-of-2')).toEqual({ verdict: 'CLEAN', votes: ['CLEAN', 'CLEAN'] });
  });

  for (const client of ['viem', 'ethers'] as const) {
    for (const fault of FAULTS) {
      it.each(['2-of-2', 'superconsensus'] as const)(
        `is told by the other client of ${fault} in ${client}, at %s`,
        async (depth) => {
          Object.assign(planted, { client, fault });
          const found = await on(DELEGATED, depth);
          expect(found.verdict).not.toBe('CLEAN');
          expect(found.votes[0]).not.toBe(found.votes[1]);
        },
      );
    }
  }

  // A state of before does not add up with the transfers of now, which one client alone finds out, too.
  const misleading = FAULTS.filter((fault) => fault !== 'state of a few blocks ago');
  it.each(misleading)('is misled by %s where it asks that client alone', async (fault) => {
    Object.assign(planted, { client: 'viem', fault });
    expect(await on(DELEGATED, '1-of-1')).toEqual({ verdict: 'CLEAN', votes: ['CLEAN'] });
  });
});
