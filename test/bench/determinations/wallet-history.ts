import { sql } from 'kysely';
import { followTransfers } from '../../../runtime/chain-sync/follow-transfers.ts';
import type { EvidenceDeps } from '../../../runtime/determinations/deps.ts';
import type { Database } from '../../../store/database.ts';
import { importRegister } from '../../../store/registers/registers.ts';
import type { TestChain } from '../../fixtures/chain/anvil.ts';

/** What a wallet determination is made beside. */
export interface History {
  readonly transfers: number;
  /** Addresses on each of the lists. */
  readonly listed: number;
}

/** How many wallets send to each other, a few dozen transfers each at the most. */
const WALLETS_PER = 20;
/** Of the native currency, so that no dollar balance has to add up. */
const WEI = '1000000000000000000';

/** Reads each chain to its end, as the service does. */
export async function followToTheEnd(deps: EvidenceDeps, chains: readonly TestChain[]): Promise<void> {
  for (const { chainId, deployment } of chains) {
    const readers = deps.readers.get(chainId)!;
    while (await followTransfers({ db: deps.db }, { chainId, deployment, readers })) {}
  }
}

/** Adds made-up transfers to the blocks that are held of a chain, `wallet` among those who send and receive. */
export async function seedTransfers(
  db: Database,
  { chainId, wallet, from, to }: { chainId: number; wallet: string; from: number; to: number },
): Promise<void> {
  const others = Math.max(20, Math.floor(to / WALLETS_PER));
  const address = (n: string) => `'0xbe' || lpad(to_hex((${n})::bigint), 38, '0')`;
  await sql`
    insert into transfers (chain_id, block, place, tx, token, sender, receiver, amount, at)
    select ${sql.lit(chainId)}, r.to_block - n % (r.to_block - r.from_block + 1), -1000000 - n, '0x' || lpad(to_hex(n), 64, '0'), null,
      case when n % ${sql.lit(Math.max(20, Math.floor((to - from) / 10)))} = 1 then ${wallet} else ${sql.raw(address(`n * 7919 % ${others}`))} end,
      case when n % ${sql.lit(Math.max(20, Math.floor((to - from) / 10)))} = 2 then ${wallet} else ${sql.raw(address(`n * 104729 % ${others} + 1`))} end,
      ${sql.raw(WEI)}, now() - n % 1000 * interval '1 minute'
    from transfer_ranges r, generate_series(${sql.lit(from + 1)}::bigint, ${sql.lit(to)}::bigint) n where r.chain_id = ${sql.lit(chainId)}`.execute(
    db,
  );
  await sql`analyze transfers`.execute(db);
}

/** Fills both lists with addresses that nobody here has dealt with, and makes their trees. */
export async function seedLists(db: Database, listed: number): Promise<void> {
  for (const register of ['sanctions', 'known-scam'] as const) {
    const rows = (async function* () {
      for (let n = 1; n <= listed; n++) yield { key: `0x${n.toString(16).padStart(40, 'd')}`, detail: {} };
    })();
    await importRegister(db, { register, source: 'bench', asOf: new Date(), mode: 'replace', rows });
  }
  await sql`analyze register_entries`.execute(db);
}
