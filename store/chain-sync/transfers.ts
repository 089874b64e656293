import { sql } from 'kysely';
import { type Database, run, type Statement, type Trx } from '../database.ts';
import { actAsOwnerOf } from '../parts.ts';

/** A movement of money. Addresses and hashes in lower case. */
export interface TransferRow {
  readonly block: bigint;
  /** The log's index in its block; below zero for the native currency. */
  readonly place: number;
  readonly tx: string;
  /** Null for the native currency. */
  readonly token: string | null;
  readonly sender: string;
  readonly receiver: string;
  readonly amount: bigint;
  readonly at: Date;
}

/** A contract that a transaction created by itself. Lower case. */
export interface CreationRow {
  readonly contract: string;
  readonly block: bigint;
  readonly tx: string;
  readonly deployer: string;
  /** keccak256 of its code in that block; null where it is not known. */
  readonly code_hash: string | null;
  /** Of the same code; null where it is too short to have one. */
  readonly skeleton: string | null;
}

/** What blocks moved and created. */
interface BlockRows {
  readonly transfers: readonly TransferRow[];
  readonly created: readonly CreationRow[];
}

/** The blocks of a chain whose transfers are held, both ends included. */
export interface TransferRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/** The blocks that are held, as far as the chain was read. */
export interface HeldRange extends TransferRange {
  /** Of the last block: what is held is true of a chain only if that block stands on it. Null when it is not known. */
  readonly hash: string | null;
}

export interface BlockHash {
  readonly block: bigint;
  readonly hash: string;
}

/** How many blocks one partition holds. */
const PARTITION_BLOCKS = 1_000_000n;
/** How far back a reorganisation can be followed; one that is deeper has the chain read anew. */
const KEPT_HASHES = 256n;
const CHUNK = 500;

const RANGES: Statement = {
  name: 'list-transfer-ranges',
  text: `
    select r.chain_id, r.from_block, r.to_block, b.hash from transfer_ranges r
    left join transfer_blocks b on b.chain_id = r.chain_id and b.block = r.to_block`,
};

/** What is held of each chain that is followed: few, so that they are read together, whoever asks of one. */
export async function transferRanges(db: Database): Promise<ReadonlyMap<number, HeldRange>> {
  interface Row {
    readonly chain_id: bigint;
    readonly from_block: bigint;
    readonly to_block: bigint;
    readonly hash: string | null;
  }
  const rows = await run<Row>(db, RANGES, []);
  return new Map(
    rows.map(({ chain_id: id, from_block: fromBlock, to_block: toBlock, hash }) => [
      Number(id),
      { fromBlock, toBlock, hash },
    ]),
  );
}

/** What is held of a chain; null when nothing is. */
export async function transferRange(db: Database, chainId: number): Promise<HeldRange | null> {
  return (await transferRanges(db)).get(chainId) ?? null;
}

/** The hashes of the last blocks that were read, the newest first. */
export async function readBlocks(db: Database, chainId: number): Promise<BlockHash[]> {
  return await db
    .selectFrom('transfer_blocks')
    .select(['block', 'hash'])
    .where('chain_id', '=', BigInt(chainId))
    .orderBy('block', 'desc')
    .execute();
}

/**
 * Adds the blocks that follow what is held, or begins with them.
 * @param blocks the blocks of the range whose hashes are known, the last one among them
 * @returns false when another process was faster; nothing is written then
 */
export async function addTransfers(
  db: Database,
  chainId: number,
  range: TransferRange,
  blocks: readonly BlockHash[],
  { transfers, created }: BlockRows,
): Promise<boolean> {
  await ensurePartitions(db, chainId, range);
  return await db.transaction().execute(async (trx) => {
    if (!(await moveRange(trx, chainId, range))) return false;
    for (let i = 0; i < transfers.length; i += CHUNK) {
      await trx
        .insertInto('transfers')
        .values(
          transfers.slice(i, i + CHUNK).map(({ amount, ...row }) => ({
            ...row,
            chain_id: BigInt(chainId),
            amount: amount.toString(),
          })),
        )
        .execute();
    }
    for (let i = 0; i < created.length; i += CHUNK) {
      const rows = created.slice(i, i + CHUNK).map((row) => ({ ...row, chain_id: BigInt(chainId) }));
      await trx.insertInto('contract_creations').values(rows).execute();
    }
    await trx
      .insertInto('transfer_blocks')
      .values(blocks.map((b) => ({ chain_id: BigInt(chainId), ...b })))
      .execute();
    await trx
      .deleteFrom('transfer_blocks')
      .where('chain_id', '=', BigInt(chainId))
      .where('block', '<=', range.toBlock - KEPT_HASHES)
      .execute();
    return true;
  });
}

/** Only the range that directly follows what is held is taken, so that no block is missing and none is there twice. */
async function moveRange(trx: Trx, chainId: number, { fromBlock, toBlock }: TransferRange): Promise<boolean> {
  const { rows } = await sql`
    insert into transfer_ranges (chain_id, from_block, to_block) values (${chainId}, ${fromBlock}, ${toBlock})
    on conflict (chain_id) do update set to_block = excluded.to_block
      where transfer_ranges.to_block = excluded.from_block - 1
    returning chain_id`.execute(trx);
  return rows.length === 1;
}

/**
 * Takes back everything above a block, because the chain went another way from there.
 * @param block null when none of the blocks whose hashes are kept is on the chain any more: all of it is taken back
 */
export async function rollBackTransfers(db: Database, chainId: number, block: bigint | null): Promise<void> {
  const id = BigInt(chainId);
  await db.transaction().execute(async (trx) => {
    const above = block ?? -1n;
    await trx.deleteFrom('transfers').where('chain_id', '=', id).where('block', '>', above).execute();
    await trx
      .deleteFrom('contract_creations')
      .where('chain_id', '=', id)
      .where('block', '>', above)
      .execute();
    await trx.deleteFrom('transfer_blocks').where('chain_id', '=', id).where('block', '>', above).execute();
    if (block === null) await trx.deleteFrom('transfer_ranges').where('chain_id', '=', id).execute();
    else
      await trx.updateTable('transfer_ranges').set({ to_block: block }).where('chain_id', '=', id).execute();
  });
}

/**
 * Drops every partition of a chain in which nothing is newer than this, and tells of the range that it begins later.
 * The partition in which the chain grows stays.
 */
export async function forgetTransfers(db: Database, before: Date): Promise<void> {
  const ranges = await db.selectFrom('transfer_ranges').selectAll().execute();
  for (const { chain_id: id, from_block: from, to_block: to } of ranges) {
    for (let start = startOf(from); start + PARTITION_BLOCKS <= to; start += PARTITION_BLOCKS) {
      const table = partitionOf(id, start);
      const end = start + PARTITION_BLOCKS;
      await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ held: boolean; newer: boolean }>`
          select to_regclass(${table}) is not null as held,
            exists (select from transfers where chain_id = ${id} and block >= ${start} and block < ${end}
              and at >= ${before}) as newer`.execute(trx);
        if (rows[0]!.newer || !rows[0]!.held) return;
        await sql`drop table ${sql.table(table)}`.execute(trx);
        await trx
          .updateTable('transfer_ranges')
          .set({ from_block: end })
          .where('chain_id', '=', id)
          .execute();
      });
    }
  }
}

const startOf = (block: bigint): bigint => block - (block % PARTITION_BLOCKS);
const partitionOf = (chainId: bigint | number, start: bigint): string => `transfers_${chainId}_${start}`;

/** The partitions that a range of blocks needs. */
async function ensurePartitions(db: Database, chainId: number, range: TransferRange): Promise<void> {
  for (let start = startOf(range.fromBlock); start <= range.toBlock; start += PARTITION_BLOCKS) {
    const table = partitionOf(chainId, start);
    const { rows } = await sql<{ held: boolean }>`select to_regclass(${table}) is not null as held`.execute(
      db,
    );
    if (rows[0]!.held) continue;
    const whole = `transfers_${chainId}`;
    const [first, next] = [start, start + PARTITION_BLOCKS].map((b) => sql.lit(b.toString()));
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('transfers'))`.execute(trx);
      await actAsOwnerOf(trx, 'transfers');
      await sql`create table if not exists ${sql.table(whole)} partition of transfers
        for values in (${sql.lit(chainId)}) partition by range (block)`.execute(trx);
      await sql`create table if not exists ${sql.table(table)} partition of ${sql.table(whole)}
        for values from (${first}) to (${next})`.execute(trx);
    });
  }
}
