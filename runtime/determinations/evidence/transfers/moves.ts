import { DUST_USD, type Flows } from '../../../../agents/determinations/wallet/money/flows.ts';
import type { FlowRow } from '../../../../store/chain-sync/flows.ts';
import { microOf, type TransferPlan } from './plan.ts';

/** What moved between an address and one other in one token. */
export interface Move {
  readonly who: string;
  readonly way: Flows['way'];
  readonly party: string;
  /** Lower case; null for the native currency. */
  readonly token: string | null;
  readonly amount: bigint;
  readonly transfers: number;
  readonly last: Date;
}

const WAYS = ['in', 'out'] as const;

/** An address and a way, of which there is more above dust than was looked at. */
export type Cut = Pick<Flows, 'of' | 'way'>;

/**
 * The flows of each address and way, the parties of the most value first. Tokens that are no dollars are left out, and so is
 * with whom nothing moved: a token lets anybody move nothing in anybody's name.
 * @param cut may name such as have no moves at all
 */
export function flowsOf(
  moves: readonly Move[],
  { tokens, nativeDust }: Pick<TransferPlan, 'tokens' | 'nativeDust'>,
  cut: readonly Cut[] = [],
): Flows[] {
  const dollars = new Map(tokens.map((t) => [t.token.toLowerCase(), t]));
  const sums = new Map<string, Cut & { parties: Map<string, Sum> }>();
  const cuts = new Set(cut.map(({ of, way }) => `${way}:${of}`));
  for (const { of, way } of cut) sums.set(`${way}:${of}`, { of, way, parties: new Map() });
  for (const { who, way, party, token, amount, transfers, last } of moves) {
    const dollar = token === null ? undefined : dollars.get(token);
    if (party === who || amount === 0n || (token !== null && dollar === undefined)) continue;
    const key = `${way}:${who}`;
    const flows = sums.get(key) ?? { of: who, way, parties: new Map<string, Sum>() };
    const sum = flows.parties.get(party) ?? { usd: 0n, native: 0n, transfers: 0, last };
    flows.parties.set(party, {
      usd: sum.usd + (dollar === undefined ? 0n : microOf(amount, dollar)),
      native: sum.native + (token === null ? amount : 0n),
      transfers: sum.transfers + transfers,
      last: last > sum.last ? last : sum.last,
    });
    sums.set(key, flows);
  }
  return [...sums.values()].map(({ of, way, parties }) => {
    const all = [...parties].map(([address, sum]) => ({ address, ...sum })).sort(byValue(nativeDust));
    return {
      ...{ of, way, others: 0 },
      ...(cuts.has(`${way}:${of}`) ? { cut: true } : {}),
      usd: all.reduce((total, p) => total + p.usd, 0n).toString(),
      native: all.reduce((total, p) => total + p.native, 0n).toString(),
      parties: all.map(({ address, usd, native, transfers, last }) => ({
        ...{ address, usd: usd.toString(), native: native.toString(), transfers },
        last: last.toISOString(),
      })),
    };
  });
}

/** Of whom, and which way, as many were found as are looked at, in earnest or of the newest. */
export function cutsOf(
  rows: readonly Pick<FlowRow, 'who' | 'way' | 'earnest' | 'newest'>[],
  which: 'earnest' | 'newest',
  most: number,
): Cut[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = `${row.way}:${row.who}`;
    counts.set(key, (counts.get(key) ?? 0) + row[which]);
  }
  const all = [...new Set(rows.map((r) => r.who))].flatMap((of) => WAYS.map((way): Cut => ({ of, way })));
  return all.filter(({ of, way }) => (counts.get(`${way}:${of}`) ?? 0) >= most);
}

interface Sum {
  readonly usd: bigint;
  readonly native: bigint;
  readonly transfers: number;
  readonly last: Date;
}

/** Dollars and the native currency together: a cent of one must not come before a fortune in the other. */
function byValue(dust: bigint) {
  const worth = ({ usd, native }: Sum): bigint => usd + (native * DUST_USD) / dust;
  return (a: Sum & { address: string }, b: Sum & { address: string }): number => {
    const [one, other] = [worth(a), worth(b)];
    if (one !== other) return one > other ? -1 : 1;
    return a.address < b.address ? -1 : 1;
  };
}

/** Keeps the largest parties, and every one that must be named. */
export function shortened(flows: Flows, most: number, named: ReadonlySet<string>): Flows {
  const parties = flows.parties.filter((p, i) => i < most || named.has(p.address));
  return { ...flows, parties, others: flows.parties.length - parties.length };
}

/** For each dollar token, what came in to the address less what went out. */
export function netsOf(
  moves: readonly Move[],
  who: string,
  { tokens }: Pick<TransferPlan, 'tokens'>,
): { token: string; net: string }[] {
  return tokens.map(({ token }) => {
    const own = moves.filter((m) => m.who === who && m.token === token.toLowerCase() && m.party !== who);
    const net = own.reduce((sum, m) => sum + (m.way === 'in' ? m.amount : -m.amount), 0n);
    return { token: token.toLowerCase(), net: net.toString() };
  });
}
