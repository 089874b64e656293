import { assetKey } from '../../../../agents/assets.ts';
import type { TokenAsset } from '../../../../agents/certificates/certificates.ts';
import type { LineageToken } from '../../../../agents/determinations/lineage/lineage.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import { readApprovals, readAssetOwner } from '../../../../chain/clients/assets.ts';
import type { ChainReader, Place } from '../../../../chain/rpc/reader.ts';
import { caip2, faultOf } from '../../deps.ts';
import { type Pinning, pinnedPlace } from '../../pins.ts';
import type { ContractTable, ListedContract } from './contracts.ts';
import { readLoan } from './read-loan.ts';
import { originalOf, rowsOfLocker, rowsOfTwin, twinOf } from './twins.ts';

/** A longer lineage is not followed, and the answer says so. */
const MOST_TOKENS = 8;
/** Where burnt tokens are sent that their contract cannot destroy. */
const DEAD = '0x000000000000000000000000000000000000dead';

/** A token of a lineage, as it was found. */
export interface Found {
  readonly thing: TokenAsset;
  readonly relation: LineageToken['relation'];
  readonly from: LineageToken['from'];
  /** Of an original: who must hold it for what its twin says to be so; null for nobody. */
  readonly lockedAt?: string | null;
}

/** One seat's readers, and the blocks at which they read. */
export interface LineageReaders {
  readonly of: (chainId: number) => ChainReader | null;
  readonly pinning: Pinning;
}

/**
 * Follows a token through wrappers, bridges and re-mints of the table: to what it stands for, and to what stands for it
 * while it is locked up, with who holds each of them, and the loan where that is a lending contract. Never throws.
 */
export async function followLineage(
  readers: LineageReaders,
  table: ContractTable,
  thing: TokenAsset,
): Promise<LineageToken[]> {
  const found: LineageToken[] = [];
  const queue: Found[] = [{ thing, relation: 'asked', from: null }];
  const seen = new Set([assetKey(thing)]);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const read = await readToken(readers, table, next);
    if (found.length + 1 === MOST_TOKENS && read.next.some((f) => !seen.has(assetKey(f.thing))))
      return [...found, { ...read.token, fault: `more than ${MOST_TOKENS} tokens stand for one another` }];
    found.push(read.token);
    for (const one of read.next) {
      if (seen.has(assetKey(one.thing))) continue;
      seen.add(assetKey(one.thing));
      queue.push(one);
    }
  }
  return found;
}

/** Reads one token, and those that it leads to. */
async function readToken(
  readers: LineageReaders,
  table: ContractTable,
  found: Found,
): Promise<{ readonly token: LineageToken; readonly next: readonly Found[] }> {
  const { thing, relation, from } = found;
  const head = { key: assetKey(thing), relation, from };
  try {
    const { reader, block } = readerOf(readers, thing.chainId);
    const holder =
      (await readAssetOwner(reader, thing.contract, BigInt(thing.tokenId), block))?.toLowerCase() ?? null;
    const lenders = table.contracts.filter((c) => c.role === 'lender' && c.chainId === thing.chainId);
    const lender = lenders.find((c) => c.contract === holder);
    const [loan, approved, next] = await Promise.all([
      lender === undefined ? null : readLoan(reader, lender, thing, block),
      relation === 'asked' && holder !== null
        ? readApprovals(
            reader,
            thing,
            holder as `0x${string}`,
            [...new Set(lenders.flatMap((c) => [c.contract, c.at]))],
            block,
          )
        : undefined,
      leadsTo(readers, table, thing, holder),
    ]);
    const faults = [notLocked(found, holder), ...next.faults].filter((f) => f !== null);
    return {
      token: {
        ...{ ...head, holder, loan },
        ...(approved === undefined ? {} : { approved }),
        fault: faults.length === 0 ? null : faults.join('; '),
      },
      next: next.found,
    };
  } catch (error) {
    return { token: { ...head, holder: null, loan: null, fault: faultOf(error) }, next: [] };
  }
}

/** A twin whose original lies elsewhere stands for nothing. */
function notLocked({ thing, relation, from, lockedAt }: Found, holder: string | null): string | null {
  if (relation === 'twin' && holder === null)
    return `nobody holds ${assetKey(thing)}, though its original is locked up`;
  if (relation !== 'original' || from === null || holder === lockedAt) return null;
  if (from.role === 'remint' && (holder === null || holder === DEAD || holder === NOBODY)) return null;
  return `${from.via} says that ${from.key} stands for ${assetKey(thing)}, which ${holder ?? 'nobody'} holds`;
}

/** What a token stands for, and what stands for it. What could not be told is a fault, not an end. */
async function leadsTo(
  readers: LineageReaders,
  { contracts }: ContractTable,
  thing: TokenAsset,
  holder: string | null,
): Promise<{ readonly found: readonly Found[]; readonly faults: readonly string[] }> {
  const found: Found[] = [];
  const faults: string[] = [];
  const attempt = async (row: ListedContract, follow: () => Promise<Omit<Found, 'from'>>): Promise<void> => {
    const { contract: via, role, list } = row;
    try {
      found.push({ ...(await follow()), from: { key: assetKey(thing), via, role, list } });
    } catch (error) {
      faults.push(`${role} ${via} (${list}): ${faultOf(error)}`);
    }
  };
  for (const row of rowsOfTwin(contracts, thing))
    await attempt(row, async () => {
      const { reader, block } = readerOf(readers, row.chainId);
      const original = await originalOf(reader, row, thing, block);
      return { thing: original, relation: 'original', lockedAt: row.locker };
    });
  for (const row of holder === null ? [] : rowsOfLocker(contracts, thing, holder))
    await attempt(row, async () => {
      const { reader, block } = readerOf(readers, row.chainId);
      return { thing: await twinOf(reader, row, thing, block), relation: 'twin' };
    });
  return { found, faults };
}

/** @throws Error where the chain cannot be read */
export function readerOf(
  { of, pinning }: LineageReaders,
  chainId: number,
): { readonly reader: ChainReader; readonly block: Place } {
  const reader = of(chainId);
  if (reader === null) throw new Error(`no RPC URL is configured for ${caip2(chainId)}`);
  const unpinned = pinning.faults[caip2(chainId)];
  if (unpinned !== undefined) throw new Error(unpinned);
  return { reader, block: pinnedPlace(pinning.blocks, chainId) };
}
