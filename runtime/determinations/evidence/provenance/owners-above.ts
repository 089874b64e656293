import { accountKind } from '../../../../agents/determinations/wallet/code/account-code.ts';
import { unlessForgotten } from '../../../../chain/rpc/forgotten-state.ts';
import { type Address, blockNumberOf, type ChainReader, type Place } from '../../../../chain/rpc/reader.ts';
import { codeFacts } from '../wallet/account-facts.ts';
import { holderOf } from '../wallet/principals.ts';
import { mayHaveTold, type Reading, type Told, WHY } from './told-then.ts';

/** Wallets and accounts may own one another: owners further up, or more of them, are not read, and the answer says so. */
const MOST_DISTANCE = 8;
const MOST_OWNERS = 120;

/** Who stood above the owners of a holder. */
export interface Above {
  /** Without those from whom it was followed. */
  readonly owners: readonly string[];
  /** Why not all of them are known. */
  readonly unknown: readonly string[];
  /** Contracts on the way that told of owners, and that told of none. */
  readonly told: readonly string[];
  readonly silent: readonly string[];
}

const NOTHING: Above = { owners: [], unknown: [], told: [], silent: [] };

/** The chain, and how it is read what wallets told. */
export interface AboveReader {
  readonly reader: ChainReader;
  readonly pinned: Place;
  /** Known for being nobody's wallets; lower case. */
  readonly labelled: ReadonlySet<string>;
  /** What a wallet told of its owners as of a reading. */
  readonly told: (reading: Reading) => Promise<Told>;
}

/**
 * Follows the owners of a holder through wallets that tell of owners and through accounts of tokens (ERC-6551), all as of
 * the block in which the holder was read. What runs in a wallet's name, or may act for it, owns nothing by it.
 * @returns who stood above given owners
 */
export function ownersAbove(
  from: AboveReader,
): (first: readonly string[], reading: Reading) => Promise<Above> {
  const { reader, pinned } = from;
  const heads = new Map<string, Promise<ReturnType<typeof accountKind>>>();

  /** What an owner is, by its code, which is read at the pinned block alone: the code of an account never changes. */
  function kindOf(who: string): Promise<ReturnType<typeof accountKind>> {
    const known = heads.get(who) ?? kindAt(reader, who as Address, pinned);
    heads.set(who, known);
    return known;
  }

  return async (first, reading) => {
    const seen = new Set(first);
    const found: Above[] = [];
    const answer = (...unknown: string[]): Above => ({
      owners: [...seen].filter((who) => !first.includes(who)),
      unknown: [...new Set([...found.flatMap((one) => one.unknown), ...unknown])].sort(),
      told: found.flatMap((one) => one.told),
      silent: found.flatMap((one) => one.silent),
    });
    let layer = [...seen];
    for (let distance = 1; layer.length > 0; distance++) {
      if (distance > MOST_DISTANCE) return answer(`more than ${MOST_DISTANCE} own one another`);
      const steps = await Promise.all(
        layer.map(
          async (who) => await above(from, await kindOf(who), { ...reading, holder: who as Address }),
        ),
      );
      found.push(...steps);
      layer = [...new Set(steps.flatMap(({ owners }) => owners))].filter((who) => !seen.has(who)).sort();
      for (const who of layer) seen.add(who);
      if (seen.size > MOST_OWNERS) return answer(`more than ${MOST_OWNERS} own it, or one another`);
    }
    return answer();
  };
}

/** What an account is, by its code alone. @throws ReaderError */
export async function kindAt(
  reader: ChainReader,
  address: Address,
  pinned: Place,
): Promise<ReturnType<typeof accountKind>> {
  const code = await reader.code(address, pinned);
  const head = code.slice(0, 2 + 512).toLowerCase() as Address;
  return accountKind({ size: (code.length - 2) / 2, hash: null, head, implementation: null });
}

/** Who owned one owner. @throws ReaderError */
async function above(
  { reader, pinned, labelled, told: toldOf }: AboveReader,
  kind: ReturnType<typeof accountKind>,
  reading: Reading,
): Promise<Above> {
  const { holder, block } = reading;
  const open = (why: string): Above => ({ ...NOTHING, unknown: [`who owned ${holder}: ${why}`] });
  if (kind.kind === 'plain' || kind.kind === 'delegated') return NOTHING;
  if (kind.kind === 'token-bound') {
    const token = `${kind.contract}/${kind.tokenId}`;
    if (kind.chainId !== String(reader.chainId))
      return open(`its token ${token} is on chain ${kind.chainId}`);
    const place = block === blockNumberOf(pinned) ? pinned : block;
    const owner = await unlessForgotten(async () => ({
      who: await holderOf(reader, kind.contract, BigInt(kind.tokenId), place),
    }));
    if (owner === null) return open(WHY.forgotten);
    return owner.who === null
      ? open(`nobody is seen to hold its token ${token}`)
      : { ...NOTHING, owners: [owner.who] };
  }
  const told = await toldOf(reading);
  if (told.state === 'told') {
    const unknown = told.missing.map((what) => `of ${holder}: ${what}`);
    return { ...NOTHING, owners: told.row.owners, unknown, told: [holder] };
  }
  if (told.state === 'silent') return { ...NOTHING, silent: [holder] };
  const tellsNow = async (): Promise<boolean> =>
    (await toldOf({ holder, block: blockNumberOf(pinned), left: null })).state === 'told';
  if (told.state === 'absent') return (await tellsNow()) ? open(WHY.absent) : NOTHING;
  const code = await codeFacts(reader, holder, pinned, await reader.code(holder, pinned));
  const may =
    !labelled.has(holder) && ((await tellsNow()) || (await mayHaveTold(reader, holder, code, pinned)));
  return may ? open(WHY.forgotten) : NOTHING;
}
