import { type Address, lowerAddress } from '../../../agents/ids.ts';
import { assetMoves, transfersListed } from '../../../chain/indexer/asset-moves.ts';
import { findAgent } from '../../../store/agent/agents.ts';
import { moveCursor, readCursor } from '../../../store/certificates/certificates.ts';
import {
  listedCollections,
  listingsOfTokens,
  lotsOfCollection,
  standingListingOf,
} from '../../../store/market/listings.ts';
import { dropLot } from '../../../store/market/withdrawals.ts';
import { firstBlockToRead } from '../../chain-sync/public.ts';
import { eachIsolated } from '../../durable/isolation/each-isolated.ts';
import { HOME_CHAIN, type Services } from '../../services.ts';
import { whyNotControlled } from './prove-control.ts';

const CURSOR = 'assets';
/** A lot whose owner cannot be read now. It matches nothing, because every match reads the owner itself. */
const LOT = 'lot';
const LOT_LIMIT_MS = 12_000;
/** A collection whose transfers cannot be listed: its lots are read one by one meanwhile. */
const COLLECTION = 'collection';
/** Each of its lots is a few readings. */
const COLLECTION_LIMIT_MS = 300_000;
/** The longest backoff of a collection. A lot that has left its seller may stay unnoticed for as long. */
const COLLECTION_PAUSE_MS = 30_000;

/**
 * Takes lots off the market whose assets have left their sellers, or whose owners revoked on chain the permission to sell
 * them. Reading a block twice changes nothing, and the match finds what was missed. Collections are anybody's contracts:
 * one that cannot be read goes into quarantine and does not hide the others.
 * @returns how many lots left the market
 * @throws ReaderError when the node does not answer: then nothing is concluded
 */
export async function followAssets(services: Services): Promise<number> {
  const { db, home, quarantine } = services;
  const reader = home.readers.viem;
  const { number: head } = await reader.head();
  const read = await readCursor(db, CURSOR);
  let lots: readonly string[] = [];
  let unlisted: readonly Address[] = [];
  let upTo: bigint | null = null;
  if (read !== head) {
    const shut = new Set((await quarantine.of(COLLECTION)).map(({ item }) => item));
    const collections = ((await listedCollections(db)) as Address[]).filter((c) => !shut.has(c));
    const fromBlock = firstBlockToRead({ read, head, start: BigInt(home.deployment.deployedAtBlock) });
    const found = await assetMoves(reader, home.deployment, collections, { fromBlock, head });
    const moved = found.moves.map((m) => ({ ...m, contract: lowerAddress(m.contract) }));
    lots = (await listingsOfTokens(db, HOME_CHAIN, moved)).map((l) => l.asset_key);
    ({ unlisted, upTo } = found);
  }
  const left = await lookAt(services, lots);
  const through = await eachIsolated(
    quarantine,
    COLLECTION,
    unlisted.map((c) => ({ id: lowerAddress(c) })),
    ({ id }) => lookThrough(services, id as Address),
    { alive: () => reader.head(), limitMs: COLLECTION_LIMIT_MS, atOnce: 2, mostPauseMs: COLLECTION_PAUSE_MS },
  );
  // What could not be read is in quarantine by itself, so the blocks are not read again because of it.
  if (upTo !== null) await moveCursor(db, CURSOR, upTo);
  return left + through.done.reduce((sum, n) => sum + n, 0);
}

/** Checks these lots, and the quarantined lots that are due. @returns how many left */
async function lookAt(services: Services, lots: readonly string[]): Promise<number> {
  const looked = await eachIsolated(
    services.quarantine,
    LOT,
    lots.map((id) => ({ id })),
    ({ id }) => dropIfLeft(services, id),
    { alive: () => services.home.readers.viem.head(), limitMs: LOT_LIMIT_MS },
  );
  return looked.done.filter(Boolean).length;
}

/** Checks every lot of a collection. @throws ReaderError as long as its transfers cannot be listed */
async function lookThrough(services: Services, collection: Address): Promise<number> {
  const lots = await lotsOfCollection(services.db, HOME_CHAIN, collection);
  if (lots.length === 0) return 0;
  const left = await lookAt(services, lots);
  await transfersListed(services.home.readers.viem, collection);
  return left;
}

/** @throws ReaderError when it cannot be determined */
async function dropIfLeft(services: Services, lot: string): Promise<boolean> {
  const { db, home, log } = services;
  const listing = await standingListingOf(db, lot);
  const agent = listing && (await findAgent(db, listing.handle));
  if (!listing || !agent) return false;
  // Read at the head and not at the block of the transfers: the lot may have been listed again after it.
  const { number: block } = await home.readers.viem.head();
  const why = await whyNotControlled(services, listing, agent, block);
  if (why === null) return false;
  const done = await db.transaction().execute((trx) => dropLot(trx, listing.asset_key, services.now()));
  if (done === null) return false;
  log.info({ lot: listing.asset_key, why }, 'a lot left the market');
  return true;
}
