import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { parsed } from '../parsed.ts';

/** One key on one chain; the address in lower case. */
export interface SignerKey {
  readonly chainId: number;
  readonly address: string;
}

type Hex = `0x${string}`;

interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

interface Content {
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint;
  readonly purposes: readonly string[];
}

interface Row {
  nonce: bigint;
  purposes: string[];
  recipient: Hex;
  data: Hex;
  value: string;
  gas: bigint;
  max_fee: bigint;
  priority_fee: bigint;
  earlier: [string, string][];
  quiet_ms: number;
}

const COLUMNS = sql`nonce, purposes, recipient, '0x' || encode(data, 'hex') as data, value::text as value, gas, max_fee, priority_fee, earlier,
  (extract(epoch from clock_timestamp() - touched_at) * 1000)::float8 as quiet_ms`;

function view(row: Row) {
  const fees = ([maxFeePerGas, maxPriorityFeePerGas]: readonly (bigint | string)[]): Fees => ({
    maxFeePerGas: BigInt(maxFeePerGas!),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas!),
  });
  return {
    nonce: Number(row.nonce),
    purposes: row.purposes,
    to: row.recipient,
    data: row.data,
    value: BigInt(row.value),
    gas: row.gas,
    fees: fees([row.max_fee, row.priority_fee]),
    earlier: parsed('signer_transactions', row).earlier.map(fees),
    quietMs: row.quiet_ms,
  };
}

/**
 * The nonces of one key, shared by every process on this database. Each step is one statement or one short
 * transaction that holds the key's row; nothing is locked while a node is asked. Ages are the database's, so clocks
 * of machines need not agree.
 */
export function nonceStore(db: Database, key: SignerKey) {
  const mine = sql`chain_id = ${key.chainId} and address = ${key.address}`;
  const older = (quietMs: number) =>
    sql`touched_at <= clock_timestamp() - ${quietMs}::float8 * interval '1 millisecond'`;
  const empty = (self: string) =>
    sql`purposes = '{}', recipient = ${self}, data = '', value = 0, gas = 21000`;

  return {
    /**
     * Committed without waiting for the disk (0.4 instead of 4 ms). Should the database's machine fail, the last
     * half second may be forgotten: the chain still knows, and refuses a nonce that was used.
     */
    async take(content: Content, fees: Fees): Promise<number | null> {
      const { rows } = await sql<{ nonce: bigint }>`
        with lazy as (
          select set_config('synchronous_commit', 'off', true)
        ), k as (
          update signer_keys set next_nonce = next_nonce + 1 where ${mine} returning next_nonce - 1 as nonce
        )
        insert into signer_transactions
          (chain_id, address, nonce, purposes, recipient, data, value, gas, max_fee, priority_fee)
        select ${key.chainId}, ${key.address}, nonce, ${content.purposes}, ${content.to},
          decode(${content.data.slice(2)}, 'hex'),
          ${content.value.toString()}::numeric, ${content.gas}, ${fees.maxFeePerGas}, ${fees.maxPriorityFeePerGas}
        from k, lazy
        -- Of another life of this chain, behind which it has gone back.
        on conflict (chain_id, address, nonce) do update set purposes = excluded.purposes,
          recipient = excluded.recipient, data = excluded.data, value = excluded.value, gas = excluded.gas,
          max_fee = excluded.max_fee, priority_fee = excluded.priority_fee, earlier = '[]', rebroadcasts = 0,
          touched_at = clock_timestamp(), taken_at = clock_timestamp()
        returning nonce`.execute(db);
      return rows[0] ? Number(rows[0].nonce) : null;
    },
    async atLeast(nonce: number): Promise<void> {
      await sql`insert into signer_keys (chain_id, address, next_nonce)
        values (${key.chainId}, ${key.address}, ${nonce})
        on conflict (chain_id, address)
        do update set next_nonce = greatest(signer_keys.next_nonce, excluded.next_nonce)`.execute(db);
    },
    async giveBack(nonce: number, self: string): Promise<'free' | 'gap' | 'rebroadcast'> {
      return await db.transaction().execute(async (trx) => {
        await sql`select 1 from signer_keys where ${mine} for update`.execute(trx);
        const gone = await sql`delete from signer_transactions
          where ${mine} and nonce = ${nonce} and rebroadcasts = 0
            and exists (select 1 from signer_keys where ${mine} and next_nonce = ${nonce + 1})
          returning nonce`.execute(trx);
        if (gone.rows.length === 1) {
          await sql`update signer_keys set next_nonce = ${nonce} where ${mine}`.execute(trx);
          return 'free';
        }
        const filled = await sql`update signer_transactions set ${empty(self)}
          where ${mine} and nonce = ${nonce} and rebroadcasts = 0 returning nonce`.execute(trx);
        return filled.rows.length === 1 ? 'gap' : 'rebroadcast';
      });
    },
    async drop(nonce: number): Promise<void> {
      await sql`delete from signer_transactions where ${mine} and nonce = ${nonce}`.execute(db);
    },
    async entry(nonce: number) {
      const { rows } = await sql<Row>`select ${COLUMNS} from signer_transactions
        where ${mine} and nonce = ${nonce}`.execute(db);
      return rows[0] ? view(rows[0]) : null;
    },
    async from(nonce: number, limit: number) {
      // The next nonce first: what was taken after it was read has not been quiet for long.
      const { rows: keys } = await sql<{ next_nonce: bigint }>`
        select next_nonce from signer_keys where ${mine}`.execute(db);
      const { rows } = await sql<Row>`select ${COLUMNS} from signer_transactions
        where ${mine} and nonce >= ${nonce} order by nonce limit ${limit}`.execute(db);
      return { next: keys[0] ? Number(keys[0].next_nonce) : null, entries: rows.map(view) };
    },
    async withPurpose(purpose: string): Promise<number[]> {
      const { rows } = await sql<{ nonce: bigint }>`select nonce from signer_transactions
        where ${mine} and purposes @> array[${purpose}] order by nonce`.execute(db);
      return rows.map((r) => Number(r.nonce));
    },
    async claim(nonce: number, quietMs: number): Promise<boolean> {
      const { rows } = await sql`update signer_transactions
        set rebroadcasts = rebroadcasts + 1, touched_at = clock_timestamp()
        where ${mine} and nonce = ${nonce} and ${older(quietMs)} returning nonce`.execute(db);
      return rows.length === 1;
    },
    async raise(nonce: number, from: Fees, to: Fees): Promise<boolean> {
      const { rows } = await sql`update signer_transactions
        set earlier = earlier || jsonb_build_array(jsonb_build_array(max_fee::text, priority_fee::text)),
          max_fee = ${to.maxFeePerGas}, priority_fee = ${to.maxPriorityFeePerGas}, touched_at = clock_timestamp()
        where ${mine} and nonce = ${nonce} and max_fee = ${from.maxFeePerGas} returning nonce`.execute(db);
      return rows.length === 1;
    },
    async fill(nonce: number, self: string, fees: Fees): Promise<void> {
      await sql`insert into signer_transactions
          (chain_id, address, nonce, recipient, data, value, gas, max_fee, priority_fee)
        select ${key.chainId}, ${key.address}, ${nonce}, ${self}, '', 0, 21000, ${fees.maxFeePerGas},
          ${fees.maxPriorityFeePerGas}
        where exists (select 1 from signer_keys where ${mine} and next_nonce > ${nonce})
        on conflict do nothing`.execute(db);
    },
    async lower(from: number, to: number): Promise<boolean> {
      const { rows } = await sql`update signer_keys set next_nonce = ${to}
        where ${mine} and next_nonce = ${from} and not exists
          (select 1 from signer_transactions where ${mine} and nonce >= ${to}) returning next_nonce`.execute(
        db,
      );
      return rows.length === 1;
    },
    async forget(below: number, quietMs: number): Promise<void> {
      await sql`delete from signer_transactions
        where ${mine} and nonce < ${below} and ${older(quietMs)}`.execute(db);
    },
  };
}
