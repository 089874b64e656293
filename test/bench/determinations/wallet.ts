import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { provenEthersReader } from '../../../chain/rpc/ethers/proven-reader.ts';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../../runtime/determinations/deps.ts';
import { determineWallet } from '../../../runtime/determinations/determine-wallet.ts';
import { openDatabase } from '../../../store/database.ts';
import { startPostgres } from '../../../store/embedded.ts';
import { migrate } from '../../../store/migrate.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { type BenchOptions, type BenchRow, quantile } from '../row.ts';
import { bare, requestsOf } from './bare-reads.ts';
import { followToTheEnd, type History, seedLists, seedTransfers } from './wallet-history.ts';

const ROUNDS = 400;
const WARM_UP = 60;
const GOAL = 2.5;
const GROWTH_GOAL = 1.5;
const FEW: History = { transfers: 1_000, listed: 1_000 };
const MORE: History = { transfers: 200_000, listed: 50_000 };
const MANY: History = { transfers: 10_000_000, listed: 1_000_000 };
const WALLET = `0x${'a11ce'.padStart(40, '0')}` as const;

/**
 * A 2-of-2 wallet determination over two chains, lists and history included, against the very requests it makes sent
 * bare and all at once. They take turns on the same nodes; nothing is cached by either. Then the same beside many more
 * transfers and listed addresses: ten million and a million of each list at full size.
 */
export async function benchWallet({ full, sizes }: BenchOptions): Promise<BenchRow[]> {
  const many: History = full ? MANY : { ...MORE, ...sizes };
  const dataDir = mkdtempSync(join(tmpdir(), 'handshake-bench-'));
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, randomHex: (bytes) => randomBytes(bytes).toString('hex') });
  const chains = await Promise.all([testChain(1002), testChain(84532)]);
  await migrate(server.url);
  const db = openDatabase(server.url, { max: 8 });
  try {
    for (const chain of chains) {
      await rpc(chain.url, 'anvil_setNonce', [WALLET, '0x5']);
      await rpc(chain.url, 'anvil_mine', ['0x1']);
    }
    const deps = (urlOf: (chain: TestChain) => string, second = ethersReader): EvidenceDeps => ({
      db,
      readers: new Map(
        chains.map((chain) => {
          const options = { rpcUrl: urlOf(chain), chainId: chain.chainId };
          return [chain.chainId, { viem: viemReader(options), ethers: second(options) }];
        }),
      ),
      deployments: new Map(chains.map((c) => [c.chainId, c.deployment])),
      now: () => new Date(),
    });
    const determine = async (with_: EvidenceDeps): Promise<void> => {
      const { record } = await determineWallet(with_, { address: WALLET, chainId: 1002, depth: '2-of-2' });
      if (record.verdict !== 'CLEAN') throw new Error(record.reasons.join('; '));
    };
    const own = deps((chain) => chain.url);
    const proven = deps((chain) => chain.url, provenEthersReader);
    await followToTheEnd(own, chains);
    const beside = async (from: number, { transfers, listed }: History): Promise<void> => {
      await seedTransfers(db, { chainId: 1002, wallet: WALLET, from, to: transfers });
      await seedLists(db, listed);
      // What the filling leaves to be done would run beside the determinations.
      await sql`vacuum analyze`.execute(db);
      await sql`checkpoint`.execute(db);
    };
    await beside(0, FEW);
    const requests = await requestsOf(chains, (urlOf) => {
      const recorded = deps(urlOf);
      // What a client asks once and never again belongs to neither.
      return { warmUp: () => determine(recorded), run: () => determine(recorded) };
    });
    const few = await timed({
      bare: () => bare(requests),
      whole: () => determine(own),
      proven: () => determine(proven),
    });
    await beside(FEW.transfers, many);
    const grown = await timed({ whole: () => determine(own) });
    const row = (of: readonly number[]) => ({ p50Ms: quantile(of, 0.5), p99Ms: quantile(of, 0.99) });
    const ratio = quantile(few.whole, 0.5) / quantile(few.bare, 0.5);
    const provenRatio = quantile(few.proven, 0.5) / quantile(few.bare, 0.5);
    const growth = quantile(grown.whole, 0.5) / quantile(few.whole, 0.5);
    return [
      { name: `the same ${requests.length} RPC reads, bare and at once`, ...row(few.bare) },
      {
        name: 'wallet determination 2-of-2 over two chains',
        ...row(few.whole),
        ratio,
        goal: `at most ${GOAL}`,
        ok: ratio <= GOAL,
      },
      {
        name: 'the same, where the second seat has state proven',
        ...row(few.proven),
        ratio: provenRatio,
        goal: `at most ${GOAL}`,
        ok: provenRatio <= GOAL,
      },
      {
        name: `the same beside ${many.transfers} transfers and ${many.listed} addresses a list`,
        ...row(grown.whole),
        ratio: growth,
        goal: `at most ${GROWTH_GOAL}`,
        ok: growth <= GROWTH_GOAL,
      },
    ];
  } finally {
    await db.destroy();
    await Promise.all(chains.map((c) => c.stop()));
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs these in turns, after a warm-up. @returns how long each took, milliseconds */
async function timed<Name extends string>(
  acts: Readonly<Record<Name, () => Promise<void>>>,
): Promise<Record<Name, number[]>> {
  const named = Object.entries(acts) as [Name, () => Promise<void>][];
  const times = Object.fromEntries(named.map(([name]) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [name, act] of named) {
      const started = performance.now();
      await act();
      if (round >= 0) times[name].push(performance.now() - started);
    }
  }
  return times;
}
