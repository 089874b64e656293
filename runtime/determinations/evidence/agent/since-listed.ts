import { sql } from 'kysely';
import { type Address, lowerAddress } from '../../../../agents/ids.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import { boughtBy, tokenName } from '../../../../chain/indexer/bought-by.ts';
import type { Came } from '../../../../chain/indexer/tokens-received.ts';
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

/**
 * Tells what came since an agent was listed, by nobody of the seller's side, and was not bought by the agent itself;
 * nothing while it is not for sale.
 * @throws ReaderError
 */
export async function giftsSince(
  db: Database,
  reader: ChainReader,
  agent: {
    readonly deployment: Deployment;
    readonly assetKey: string;
    readonly account: Address;
    readonly owners: readonly string[];
    readonly floor: bigint;
    readonly head: bigint;
  },
): Promise<(came: Came) => boolean> {
  const { deployment, assetKey, account, owners, head } = agent;
  const moment = await forSaleSince(db, assetKey);
  if (moment === null) return () => false;
  const [since, side] = await Promise.all([
    firstBlockAfter(reader, moment, agent),
    sellersSide(db, lowerAddress(account), owners),
  ]);
  const bought = await boughtBy(reader, deployment, account, { fromBlock: since, toBlock: head });
  return ({ block, from, contract, tokenId }) =>
    block >= since && !side.has(from) && !bought.has(tokenName(contract, tokenId));
}
