import { sql } from 'kysely';
import { type Address, lowerAddress } from '../../../../agents/ids.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import { dealtTokens, tokenName } from '../../../../chain/indexer/dealt-tokens.ts';
import type { Came } from '../../../../chain/indexer/tokens-received.ts';
import { type ChainReader, ReaderError } from '../../../../chain/rpc/reader.ts';
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

/** What is told of each arrival in the account of an agent. */
export interface Arriving {
  /** It left the account again by a settlement: to the buyer, who may send it back, it is no more than any other thing. */
  readonly isOver: (came: Came) => boolean;
  /** It came since the agent was listed, by nobody of the seller's side, and was not bought by the agent itself. */
  readonly isGift: (came: Came) => boolean;
}

/** While an agent is not for sale, all that ever came to it is judged. */
const ALL_JUDGED: Arriving = { isOver: () => false, isGift: () => false };

/**
 * Tells gifts of strangers since an agent was listed from all else that came to it.
 * @throws ReaderError; also where not all that it bought since could be read. A sale that was not read is none
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
): Promise<Arriving> {
  const { deployment, assetKey, account, owners, floor, head: toBlock } = agent;
  const moment = await forSaleSince(db, assetKey);
  if (moment === null) return ALL_JUDGED;
  const [since, side, sold] = await Promise.all([
    firstBlockAfter(reader, moment, agent),
    sellersSide(db, lowerAddress(account), owners),
    dealtTokens(reader, deployment, { seller: account }, { fromBlock: floor, toBlock }),
  ]);
  const bought = await dealtTokens(reader, deployment, { buyer: account }, { fromBlock: since, toBlock });
  if (bought.hole !== null) throw new ReaderError('down', bought.hole, { lasting: true });
  // Of what is bought and sold within one block nobody says which came first: it is judged.
  const isBought = (name: string): boolean => (bought.last.get(name) ?? -1n) >= (sold.last.get(name) ?? 0n);
  return {
    isOver: ({ block, contract, tokenId }) => block < (sold.last.get(tokenName(contract, tokenId)) ?? 0n),
    isGift: ({ block, from, contract, tokenId }) =>
      block >= since && !side.has(from) && !isBought(tokenName(contract, tokenId)),
  };
}
