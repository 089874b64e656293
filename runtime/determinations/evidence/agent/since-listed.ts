import { sql } from 'kysely';
import { type Address, lowerAddress } from '../../../../agents/ids.ts';
import type { ChainReader } from '../../../../chain/rpc/reader.ts';
import type { Database } from '../../../../store/database.ts';
import { liveListingOf } from '../../../../store/market/listings.ts';

/**
 * Since when an agent is for sale; null while it is not. What strangers send into it from then on is none of what was
 * offered, and can be sent by whoever wants to spoil the sale.
 */
export async function forSaleSince(db: Database, assetKey: string): Promise<Date | null> {
  return (await liveListingOf(db, assetKey))?.listed_at ?? null;
}

/**
 * Who acts for the owners of an agent: they, its account, and the accounts of all their agents; lower case. What one of them
 * gave is an act of the seller's side.
 */
export async function sellersSide(
  db: Database,
  account: Address,
  owners: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ account: string }>`
    select account from agents where lower(owner) = any(${owners}::text[])`.execute(db);
  return new Set([account, ...owners, ...rows.map((row) => row.account)].map((one) => one.toLowerCase()));
}

/**
 * The first block after a moment, up to the newest; the one after that where there is none. What stands in a block of that
 * very second came before.
 * @throws ReaderError
 */
export async function firstBlockAfter(
  reader: ChainReader,
  moment: Date,
  { floor, head }: { readonly floor: bigint; readonly head: bigint },
): Promise<bigint> {
  let [low, high] = [floor, head + 1n];
  while (low < high) {
    const middle = (low + high) / 2n;
    if (Number(await reader.timestamp(middle)) * 1000 > moment.getTime()) high = middle;
    else low = middle + 1n;
  }
  return low;
}

/** A log by which something came to an account. */
export interface Came {
  readonly block: bigint;
  /** Lower case; the zero address of what was made there. */
  readonly from: string;
}

/** Tells what came since an agent was listed and by nobody of the seller's side; nothing while it is not for sale. */
export async function giftsSince(
  db: Database,
  reader: ChainReader,
  agent: {
    readonly assetKey: string;
    readonly account: Address;
    readonly owners: readonly string[];
    readonly floor: bigint;
    readonly head: bigint;
  },
): Promise<(came: Came) => boolean> {
  const { assetKey, account, owners } = agent;
  const moment = await forSaleSince(db, assetKey);
  if (moment === null) return () => false;
  const [since, side] = await Promise.all([
    firstBlockAfter(reader, moment, agent),
    sellersSide(db, lowerAddress(account), owners),
  ]);
  return ({ block, from }) => block >= since && !side.has(from);
}
