import type { PinnedBlocks, SeatReading } from '../../../../agents/determinations/panel/types.ts';
import type { CodeLookUp } from '../../../../agents/determinations/wallet/code/code-lookup.ts';
import { type CodeRead, codesRead } from '../../../../agents/determinations/wallet/code/codes-read.ts';
import type { WalletFacts } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import {
  type CodeReading,
  isNoted,
  keepCodes,
  lookUpCodes,
} from '../../../../store/registers/code-readings.ts';
import { caip2, type EvidenceDeps } from '../../deps.ts';

interface Read {
  readonly address: string;
  readonly chains: readonly number[];
  readonly seats: readonly SeatReading<WalletFacts>[];
  readonly blocks: PinnedBlocks;
}

type Seen = CodeRead & { readonly chainId: number; readonly source: string };

/**
 * What is known of every code that a seat read: what stood there before, who else has it but for constants, and what lists
 * say of it. What two sources read alike is kept for the next time; the word of one is not.
 */
export async function gatherCodes({ db }: EvidenceDeps, read: Read): Promise<CodeLookUp> {
  const seen = read.chains.flatMap((chainId) => seenOn(chainId, read));
  const { before, alike, entries, kept } = await lookUpCodes(db, seen);
  const fresh = agreed(seen, read.blocks).filter((reading) => !isNoted(kept, reading));
  await keepCodes(db, fresh);
  // Two seats ask about the same address.
  return { before: distinctRows(before), alike, entries };
}

function seenOn(chainId: number, { address, seats }: Read): Seen[] {
  return seats.flatMap(({ facts, source }) => {
    const reading = facts?.chains.find((c) => c.chain === caip2(chainId));
    const codes = reading === undefined ? [] : codesRead(address, reading);
    return codes.map((code) => ({ ...code, chainId, source }));
  });
}

function agreed(seen: readonly Seen[], blocks: PinnedBlocks): CodeReading[] {
  const byPlace = new Map<string, Seen[]>();
  for (const code of seen) {
    const place = `${code.chainId} ${code.address}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), code]);
  }
  return [...byPlace.values()].flatMap((all) => {
    const { chainId, address, hash, skeleton } = all[0]!;
    const block = blocks[caip2(chainId)];
    const alike = all.every((one) => one.hash === hash && one.skeleton === skeleton);
    const sources = new Set(all.map((one) => one.source)).size;
    if (hash === null || block === undefined || !alike || sources < 2) return [];
    return [{ chainId, address, hash, skeleton, block: BigInt(block.number) }];
  });
}

function distinctRows(rows: CodeLookUp['before']): CodeLookUp['before'] {
  return [...new Map(rows.map((row) => [`${row.chain} ${row.address} ${row.hash}`, row])).values()];
}
