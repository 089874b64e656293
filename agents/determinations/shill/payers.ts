import { NOBODY } from '../../ids.ts';
import { type Micro, maxMicro, minMicro } from '../../money.ts';
import { DUST_USD } from '../wallet/money/flows.ts';
import { customersOf, inEarnest, replaced, type Sums, sumsOf } from './payees.ts';
import {
  byName,
  grouped,
  once,
  type Paid,
  type Part,
  payersIn,
  shares,
  summed,
  totalOf,
} from './payments.ts';

export interface Side {
  readonly name: string;
  readonly addresses: readonly string[];
}

/** What is known of the payments to a seller and its bidders, and on the way to them. */
export interface Question {
  readonly seller: Side;
  readonly bidders: readonly Side[];
  readonly payments: readonly Paid[];
  /** Known as exchanges, bridges and mixers. */
  readonly known: ReadonlySet<string>;
  /** The bidders who bid at hardly any other seller; null where there is hardly another seller. */
  readonly attached: ReadonlySet<string> | null;
  /** To whom more was paid than was looked at; left out: to nobody. */
  readonly cut?: ReadonlySet<string>;
  /** Who paid more than was looked at; left out: nobody. */
  readonly busy?: ReadonlySet<string>;
  /** Whether bidders on one purse are a finding: in a deal, which is of one listing, they are none; left out: they are. */
  readonly purses?: boolean;
}

/**
 * `public`: known as such, or with many payers and many customers, or with customers and no payer that is known.
 * `hub`: pays many, on behalf of few; what it paid is followed on to those, and is nothing that two have in common.
 * `open`: may have customers, or not; the seller's money is found behind it, and nothing else.
 */
export type Kind = 'public' | 'hub' | 'private' | 'open';

/** The way back from one side. */
export interface Walk {
  readonly addresses: readonly string[];
  /** The payers of these addresses, each with its share of what came in. */
  readonly payersOf: (addresses: readonly string[]) => readonly (readonly [string, number])[];
  /** What a payer is to this side: an exchange to whoever got of it what others get, too. */
  readonly kindOf: (payer: string) => Kind;
  /** Everybody but the public through whom its money came, with the share that did; not behind who may have customers. */
  readonly met: () => ReadonlyMap<string, number>;
}

/** Money is followed back over this many transfers. */
export const TRAIL_HOPS = 3;
/** Whoever pays more than this, each side counted once, has customers, like an exchange. */
const REACH = 8;
/** Of those whom a payer with many customers pays, this share bids at hardly any other seller: then it has none. */
const DEVOTED = 0.8;
const NO_ONE: ReadonlySet<string> = new Set();

/** Returns the way back from each side that is asked about. */
export function walksOf(question: Question): (side: Side) => Walk {
  const { seller, bidders, payments, known, attached, cut = NO_ONE, busy = NO_ONE } = question;
  const into = grouped(payments, (p) => p.to);
  const out = grouped(payments, (p) => p.from);
  const names = new Map([seller, ...bidders].flatMap((s) => s.addresses.map((a) => [a, s.name] as const)));
  const sides = new Set(names.values());
  const paidTo = once((payee) => summed(into.get(payee) ?? [], (p) => p.from));
  const whole = (to: string, usd: Micro): Part[] => [[names.get(to) ?? to, usd]];
  /** What was paid here by whose it is: a side's that got half of what came here, also over others; else of all in proportion. */
  let byOwner = whole;
  for (let hop = 1; hop < TRAIL_HOPS; hop++) {
    const nearer = byOwner;
    const handed = once((address) => {
      const came = totalOf([...paidTo(address).values()]);
      const parts = (out.get(address) ?? []).flatMap((p) => nearer(p.to, p.usd));
      const went = [...byName(parts)].filter(([owner, usd]) => usd > 0n && sides.has(owner));
      const most = went.find(([, usd]) => usd * 2n >= came);
      if (most !== undefined) return { went: [most], of: most[1] };
      return { went, of: maxMicro(came, totalOf(went.map(([, usd]) => usd))) };
    });
    byOwner = (to, usd) => {
      if (names.has(to) || known.has(to) || cut.has(to)) return whole(to, usd);
      const { went, of } = handed(to);
      const parts = went.map(([owner, part]): Part => [owner, (usd * part) / of]);
      return [...parts, [to, usd - totalOf(parts.map(([, part]) => part))]];
    };
  }
  const paidBy = once((payer) => {
    const payees = byName((out.get(payer) ?? []).flatMap((p) => byOwner(p.to, p.usd)));
    return { payees, earnest: sumsOf(inEarnest(payees.values())) };
  });
  /** Of what a payer paid to others than the seller: all, and what went to bidders who bid at hardly any other seller. */
  const habitOf = once((payer) => {
    const paid = [...paidBy(payer).payees].filter(([to]) => to !== seller.name);
    const devoted = paid.filter(([to]) => attached?.has(to) === true);
    return { all: sumsOf(paid.map(([, usd]) => usd)), devoted: sumsOf(devoted.map(([, usd]) => usd)) };
  });
  const gotBy = once((payee) => sumsOf(inEarnest(paidTo(payee).values())));
  const hasManyPayers = once((payee) => severalPayers(paidTo(payee)) > REACH);
  const payersBack = payersIn(into);
  const sharesOfOne = once((address) => shares(payersBack([address])));

  const walkOf = (side: Side): Walk => {
    // Of each payer: how much of what it paid to whom reached the side.
    const ways = new Map<string, Map<string, Micro>>();
    /** What reached the side of a payer, also over other sides, and what it paid to others than on that way. */
    const partsOf = (payer: string): { reached: Micro; others: Sums } => {
      const { payees, earnest } = paidBy(payer);
      const taken: Part[] = [[side.name, payees.get(side.name) ?? 0n]];
      for (const [to, on] of ways.get(payer) ?? []) {
        const parts = byName(byOwner(to, paidTo(to).get(payer) ?? 0n));
        let more = on - (parts.get(side.name) ?? 0n);
        for (const [owner, part] of parts) {
          if (owner === side.name || more <= 0n) continue;
          taken.push([owner, minMicro(part, more)]);
          more -= part;
        }
      }
      const on = byName(taken);
      const gone = [...on.keys()].map((owner) => payees.get(owner) ?? 0n);
      const rest = [...on].map(([owner, usd]) => (payees.get(owner) ?? 0n) - usd);
      const others = replaced(earnest, inEarnest(gone), inEarnest(rest));
      return { reached: maxMicro(1n, totalOf([...on.values()])), others };
    };
    const customers = (payer: string, { reached, others } = partsOf(payer)) =>
      customersOf(others, reached, REACH - 1, !busy.has(payer));
    /** One address of an exchange into which many pay, and which hands everything on to one that pays many: no side. */
    const isCollector = (payer: string): boolean => {
      if (paidBy(payer).earnest.count === 0 || !hasManyPayers(payer)) return false;
      return out
        .get(payer)!
        .every(({ to, usd }) => usd < DUST_USD || (!names.has(to) && customers(to) === 'many'));
    };
    const look = (payer: string): Kind => {
      if (known.has(payer) || payer === NOBODY) return 'public';
      const parts = partsOf(payer);
      const pays = customers(payer, parts);
      if (pays !== 'many') return isCollector(payer) ? 'public' : pays === 'few' ? 'private' : 'open';
      const payers = gotBy(payer);
      if (payers.count > REACH && payers.alike(parts.reached) * 2n >= BigInt(REACH) * parts.reached)
        return 'public';
      const { all, devoted } = habitOf(payer);
      if (Number(devoted.alike(parts.reached)) >= DEVOTED * Number(all.alike(parts.reached)))
        return 'private';
      return payers.count === 0 && !cut.has(payer) ? 'public' : 'hub';
    };
    let kindOf = once(look);
    let level: (readonly [readonly string[], Micro | null])[] = [[side.addresses, null]];
    for (let hop = 1; level.length > 0 && hop <= TRAIL_HOPS; hop++) {
      const next = new Map<string, Micro>();
      for (const [of, reached] of level) {
        const payers = payersBack(of).filter(([payer]) => names.get(payer) !== side.name);
        const all = totalOf(payers.map(([, usd]) => usd));
        for (const [payer, usd] of payers) {
          const on = reached === null ? usd : (usd * minMicro(reached, all)) / all;
          next.set(payer, (next.get(payer) ?? 0n) + on);
          if (reached === null) continue;
          const way = ways.get(payer) ?? new Map<string, Micro>();
          ways.set(payer, way.set(of[0]!, (way.get(of[0]!) ?? 0n) + on));
        }
      }
      // By the ways that are known now.
      kindOf = once(look);
      level = [...next]
        .filter(([payer, on]) => hop < TRAIL_HOPS && on >= DUST_USD && kindOf(payer) !== 'public')
        .map(([payer, on]) => [[payer], on]);
    }
    const own = shares(payersBack(side.addresses));
    const payersOf: Walk['payersOf'] = (of) => (of === side.addresses ? own : sharesOfOne(of[0]!));
    let met: ReadonlyMap<string, number> | undefined;
    const walk = { addresses: side.addresses, payersOf, kindOf };
    return { ...walk, met: () => (met ??= metBy(walk)) };
  };
  const walks = new Map<Side, Walk>();
  return (side) => {
    const walk = walks.get(side) ?? walkOf(side);
    walks.set(side, walk);
    return walk;
  };
}

/** Everybody but the public through whom the money of a side came, with the share that did. */
function metBy(walk: Omit<Walk, 'met'>): Map<string, number> {
  const found = new Map<string, number>();
  const follow = (of: readonly string[], weight: number, seen: readonly string[]): void => {
    for (const [payer, share] of walk.payersOf(of)) {
      const kind = walk.kindOf(payer);
      if (kind === 'public' || walk.addresses.includes(payer) || seen.includes(payer)) continue;
      found.set(payer, (found.get(payer) ?? 0) + weight * share);
      if (seen.length + 1 < TRAIL_HOPS && kind !== 'open') follow([payer], weight * share, [...seen, payer]);
    }
  };
  follow(walk.addresses, 1, []);
  return found;
}

/** As how many payers of equal sums these count (inverse of Simpson's index). */
function severalPayers(paid: ReadonlyMap<string, Micro>): number {
  const sums = [...paid.values()].map(Number);
  const total = sums.reduce((sum, usd) => sum + usd, 0);
  return total === 0 ? 0 : 1 / sums.reduce((sum, usd) => sum + (usd / total) ** 2, 0);
}
