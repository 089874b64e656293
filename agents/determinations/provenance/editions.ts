import { NOBODY } from '../../ids.ts';
import type { RegisterState } from '../panel/lists.ts';
import {
  type CustodyMove,
  everyHolder,
  type HolderPrincipals,
  inOrder,
  type TokenCustody,
} from './custody.ts';
import type { ProvenanceCommon } from './provenance-evidence.ts';

/** What those in the custody of a thing are worth who are on a list. */
export interface ListedHands {
  /** The thing went through their hands. */
  readonly against: readonly string[];
  /** Some units of the edition went through their hands, and others did not: which ones are in question is not known. */
  readonly open: readonly string[];
  /** They had units of the edition, and nobody else has what they had. */
  readonly told: readonly string[];
}

/** So many of those who are listed are told apart by one replay each: anybody may send units to all who are on a list. */
const MOST_TOLD_APART = 20;

/** Rules and statistics ask the same, of the same evidence. */
const asked = new WeakMap<readonly TokenCustody[], WeakMap<Listed, ListedHands>>();

type Listed = Pick<RegisterState, 'hits'>;
type Rules = ProvenanceCommon['editionRules'];

/**
 * Sorts who of the listed had a thing. What can be held by one at a time went through all hands before. Of an edition (ERC-1155)
 * anybody may send a unit to somebody listed, whom the units of others never passed: it is held against the edition where
 * every unit that others have went through such hands.
 * @param register whose hits are on a list
 * @param rules absent, of evidence of before: whoever had a unit is held against all
 */
export function listedHands(custody: readonly TokenCustody[], register: Listed, rules: Rules): ListedHands {
  const listed = [...new Set(register.hits.map(({ key }) => key))];
  if (rules === undefined) return handsIn(custody, listed, rules);
  const known = asked.get(custody) ?? new WeakMap<Listed, ListedHands>();
  asked.set(custody, known);
  const hands = known.get(register) ?? handsIn(custody, listed, rules);
  known.set(register, hands);
  return hands;
}

function handsIn(custody: readonly TokenCustody[], listed: readonly string[], rules: Rules): ListedHands {
  const against = new Set<string>();
  const open = new Set<string>();
  const told = new Set<string>();
  for (const life of custody) {
    const here = new Set(everyHolder([life]));
    const found = listed.filter((one) => here.has(one));
    if (found.length === 0) continue;
    if (rules === undefined || life.standard !== 'erc1155') {
      for (const one of found) against.add(one);
      continue;
    }
    const moves = inOrder(life.moves).map((move) => ({ ...move, units: BigInt(move.amount) }));
    const { touched, untouched } = unitsOfOthers(life, moves, found, rules);
    const passing = new Set(
      found.filter((one, i) =>
        i < MOST_TOLD_APART ? unitsOfOthers(life, moves, [one], rules).touched : touched,
      ),
    );
    const isAll = !untouched;
    for (const one of found) {
      // Where nobody else has any, all that there is lies with them.
      const isNamed = passing.has(one) || (isAll && passing.size === 0);
      (isNamed ? (isAll ? against : open) : told).add(one);
    }
  }
  return {
    against: [...against].sort(),
    open: [...open].filter((one) => !against.has(one)).sort(),
    told: [...told].filter((one) => !against.has(one) && !open.has(one)).sort(),
  };
}

interface Units {
  readonly all: bigint;
  /** As many of them, at most, went through the hands of somebody in question, or through no such hands. */
  readonly touched: bigint;
  readonly untouched: bigint;
}

const NONE: Units = { all: 0n, touched: 0n, untouched: 0n };

/**
 * Whether others than these have units that may have gone through their hands, and units that may not. Units cannot be told
 * apart: of what an address sends, as many may be of either kind as it could have. What is burnt may be minted again, of
 * which nobody can say whether it is the same.
 * @param moves all of its life, in order
 */
function unitsOfOthers(
  life: TokenCustody,
  moves: readonly (Pick<CustodyMove, 'from' | 'to'> & { readonly units: bigint })[],
  these: readonly string[],
  rules: Rules,
): { readonly touched: boolean; readonly untouched: boolean } {
  const { hands, sold } = handsOf(life, new Set(these));
  const held = new Map<string, Units>();
  let burnt = 0n;
  for (const { from, to, units } of moves) {
    const before = held.get(from) ?? NONE;
    const sent: Units =
      from === NOBODY
        ? { all: units, touched: least(units, burnt), untouched: units }
        : { all: units, touched: least(units, before.touched), untouched: least(units, before.untouched) };
    if (from !== NOBODY) {
      const all = before.all > units ? before.all - units : 0n;
      held.set(from, { all, touched: least(all, before.touched), untouched: least(all, before.untouched) });
    }
    if (to === NOBODY) {
      if (rules === 3) burnt += sent.touched;
      continue;
    }
    const had = held.get(to) ?? NONE;
    const all = had.all + units;
    held.set(
      to,
      hands.has(to)
        ? { all, touched: all, untouched: 0n }
        : { all, touched: had.touched + sent.touched, untouched: had.untouched + sent.untouched },
    );
  }
  const others = [...held].filter(
    ([holder, { all }]) => all > 0n && (!hands.has(holder) || sold.has(holder)),
  );
  return {
    touched: others.some(([, units]) => units.touched > 0n),
    untouched: others.some(([, units]) => units.untouched > 0n),
  };
}

/** They with every holder that one of them ever owned; and which of those none of them owned when it was last read. */
function handsOf(
  { principals = [] }: TokenCustody,
  these: ReadonlySet<string>,
): { readonly hands: ReadonlySet<string>; readonly sold: ReadonlySet<string> } {
  const isTheirs = ({ owners }: HolderPrincipals): boolean => owners.some((owner) => these.has(owner));
  const owned = new Set(principals.filter(isTheirs).map(({ holder }) => holder));
  const newest = new Map<string, HolderPrincipals>();
  for (const row of principals) {
    const known = newest.get(row.holder);
    if (known === undefined || BigInt(row.block) > BigInt(known.block)) newest.set(row.holder, row);
  }
  const sold = [...owned].filter((holder) => !these.has(holder) && !isTheirs(newest.get(holder)!));
  return { hands: new Set([...these, ...owned]), sold: new Set(sold) };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
