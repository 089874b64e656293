import type { HolderPrincipals } from '../../../../agents/determinations/provenance/custody.ts';
import { type Address, blockNumberOf, type ChainReader, type Place } from '../../../../chain/rpc/reader.ts';
import { faultOf } from '../../deps.ts';
import { ownersAbove } from './owners-above.ts';
import { type Reading, type Told, toldAt, unreadPrincipals, WHY } from './told-then.ts';

/** How the owners of contract wallets are read as of blocks, each block once. */
export interface WalletsThen {
  /** Whether it tells of owners at the pinned block. @throws ReaderError */
  tells(holder: Address): Promise<boolean>;
  /** What it told in these blocks: of owners in any; or else whether one is forgotten, or it was not there in one. */
  told(readings: readonly Reading[]): Promise<Told['state']>;
  /** Who owned a wallet then, and who owned those, or why that is not known. */
  ownersOf(reading: Reading): Promise<HolderPrincipals>;
  /** Adds who stood above the last owners of a holder, as of the block that is named. */
  withAbove(row: HolderPrincipals, first: readonly string[], left: bigint | null): Promise<HolderPrincipals>;
  /** Why it is not known who stood above a row's holder, after all are read: a wallet told of owners in another block. */
  fellSilent(row: HolderPrincipals): string | null;
}

/**
 * Reads who owned contract wallets.
 * @param pinned the block that is now
 * @param labelled contracts that are known to be nobody's wallet; lower case
 */
export function walletsThen(
  reader: ChainReader,
  pinned: Place,
  labelled: ReadonlySet<string> = new Set(),
): WalletsThen {
  const now = blockNumberOf(pinned);
  const known = new Map<string, Promise<Told>>();
  const told = new Set<string>();
  const silent = new Map<string, readonly string[]>();

  function at(holder: Address, block: bigint): Promise<Told> {
    const key = `${holder} ${block}`;
    const found = known.get(key) ?? toldAt(reader, holder, block, pinned);
    known.set(key, found);
    return found;
  }

  /** Who owns a wallet that did not exist as the token came to its address: as it was deployed, or as the token left. */
  async function atFirst({ holder, block, left }: Reading): Promise<Told> {
    const told = await at(holder, block);
    if (told.state !== 'absent') return told;
    if (left === null) return await at(holder, now);
    const before = left - 1n > block ? await at(holder, left - 1n) : told;
    return before.state === 'absent' ? await at(holder, left) : before;
  }

  async function ofReading(reading: Reading): Promise<Told> {
    const { holder, block } = reading;
    return await atFirst(reading).catch((error: unknown) => ({
      state: 'told',
      row: unreadPrincipals(holder, block, faultOf(error)),
      missing: [faultOf(error)],
    }));
  }

  const above = ownersAbove({ reader, pinned, labelled, told: ofReading });

  async function withAbove(
    row: HolderPrincipals,
    first: readonly string[],
    left: bigint | null,
  ): Promise<HolderPrincipals> {
    const found = await above(first, { holder: row.holder as Address, block: BigInt(row.block), left });
    for (const wallet of found.told) told.add(wallet);
    silent.set(keyOf(row), [...(silent.get(keyOf(row)) ?? []), ...found.silent]);
    const unknown = [...(row.unknown === null ? [] : [row.unknown]), ...found.unknown];
    return {
      ...row,
      owners: [...row.owners, ...found.owners.filter((who) => !row.owners.includes(who))],
      unknown: unknown.length === 0 ? null : unknown.join(', '),
    };
  }

  return {
    tells: async (holder) => (await at(holder, now)).state === 'told',
    told: async (readings) => {
      const all = (await Promise.all(readings.map(ofReading))).map(({ state }) => state);
      return (['told', 'forgotten', 'absent'] as const).find((state) => all.includes(state)) ?? 'silent';
    },
    ownersOf: async (reading) => {
      const found = await ofReading(reading);
      return found.state === 'told'
        ? await withAbove(found.row, found.row.owners, reading.left)
        : unreadPrincipals(reading.holder, reading.block, WHY[found.state]);
    },
    withAbove,
    fellSilent: (row) => {
      const wallet = (silent.get(keyOf(row)) ?? []).find((one) => told.has(one));
      return wallet === undefined ? null : `who owned ${wallet}: ${WHY.silent}`;
    },
  };
}

function keyOf({ holder, block }: HolderPrincipals): string {
  return `${holder} ${block}`;
}
