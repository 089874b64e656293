import type { StopCause } from '../../agents/deal/stop-causes.ts';
import {
  type Bid,
  byPriority,
  clearingPrice,
  defaultOpeningBid,
  overlapping,
  priceToBeat,
} from '../../agents/market/book.ts';
import { closeCallHours, type OrderSpan } from '../../agents/market/close-calls.ts';
import { listingMinimum } from '../../agents/market/listing-minimum.ts';
import type { Random } from '../simulator/random.ts';

export const CENT = 10_000n;
const MOST = 60;
/**
 * The last buyer has the seller's own owner under another name: its orders rest, match none of that owner's orders, and
 * do not count for the price.
 */
export const BUYERS = 4;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Causes that stop a deal: a finding that another price does not lift, one that it lifts, and one that an hour lifts.
 */
export const CAUSES = {
  listed: { finding: 'wallet', side: 'buyer', verdict: 'FLAGGED' },
  price: { finding: 'price-intelligence', side: 'seller', verdict: 'FLAGGED' },
  silent: { finding: 'wallet', side: 'seller', verdict: 'INCONCLUSIVE' },
} as const satisfies Record<string, StopCause>;
type Cause = keyof typeof CAUSES;

/** What happens to a lot, in order, without the secret numbers. */
export type Act =
  | {
      readonly do: 'bid';
      readonly n: number;
      readonly buyer: number;
      readonly opening: bigint | null;
      readonly short: boolean;
    }
  | { readonly do: 'cancel'; readonly n: number }
  | { readonly do: 'reprice'; readonly n: number }
  | { readonly do: 'stop'; readonly cause: Cause }
  | { readonly do: 'settle' | 'expire' | 'hour' | 'refused' }
  | { readonly do: 'wait'; readonly ms: number };

export interface Script {
  readonly ask: bigint;
  readonly negotiable: boolean;
  readonly featured: boolean;
  readonly acts: readonly Act[];
}

/** The secrets: the seller's floor, its later values, and the limit of each bid. */
export interface Secrets {
  readonly floor: bigint;
  readonly limits: readonly bigint[];
}

export const BID_LIFE_MS = { short: 5 * MINUTE_MS, long: 7 * 24 * HOUR_MS };

/** The lowest price that a seller may accept, in whole cents, because the service takes only cents. */
const leastOf = (ask: bigint): bigint => ((listingMinimum(ask) + CENT - 1n) / CENT) * CENT;

const cents = (r: Random, from: number, to: number): bigint => BigInt(from + r.below(to - from + 1)) * CENT;

/** How long an act takes. */
export function lasts(act: Act): number {
  if (act.do === 'wait') return act.ms;
  return act.do === 'hour' ? HOUR_MS : 3_000;
}

export function writeHistory(r: Random): { script: Script; secrets: Secrets } {
  const acts: Act[] = [];
  const causes = r.fork('causes');
  let n = 0;
  for (let left = 4 + r.below(8); left > 0; left--) {
    const roll = r.below(20);
    const bids = acts.filter((a) => a.do === 'bid');
    if (roll < 7 || bids.length === 0) {
      const opening = r.chance(0.7) ? cents(r, 1, 25) : null;
      acts.push({ do: 'bid', n: n++, buyer: r.below(BUYERS), opening, short: r.chance(0.3) });
    } else if (roll < 9) acts.push({ do: 'cancel', n: r.pick(bids).n });
    else if (roll < 10) acts.push({ do: 'reprice', n: n++ });
    else if (roll < 12) acts.push({ do: 'stop', cause: causes.pick(['listed', 'price', 'silent'] as const) });
    else if (roll < 13) acts.push({ do: 'settle' });
    else if (roll < 14) acts.push({ do: 'expire' });
    else if (roll < 15) acts.push({ do: 'hour' });
    else acts.push({ do: 'wait', ms: r.below(10) * MINUTE_MS });
  }
  return numbered(r, acts, n);
}

/** A history in which hardly any deal settles, and stopped buyers return. */
export function writeStops(r: Random): { script: Script; secrets: Secrets } {
  const acts: Act[] = [];
  let n = 0;
  for (let left = 8 + r.below(10); left > 0; left--) {
    const roll = r.below(20);
    if (roll < 10) {
      const opening = r.chance(0.7) ? cents(r, 1, 25) : null;
      acts.push({ do: 'bid', n: n++, buyer: r.below(BUYERS - 1), opening, short: r.chance(0.2) });
    } else if (roll < 17) acts.push({ do: 'stop', cause: r.pick(['listed', 'price', 'silent'] as const) });
    else if (roll < 19) acts.push({ do: 'reprice', n: n++ });
    else acts.push({ do: 'hour' });
  }
  return numbered(r, acts, n);
}

/** Draws the numbers for a history's acts. */
function numbered(r: Random, acts: Act[], n: number): { script: Script; secrets: Secrets } {
  acts.push({ do: 'hour' }, { do: 'expire' }, { do: 'hour' });
  const ask = cents(r, 20, MOST);
  const script = { ask, negotiable: r.chance(0.8), featured: r.chance(0.2), acts };
  const floor = cents(r, Number(leastOf(ask) / CENT), Number(ask / CENT));
  // Many bids are nearly enough, so that there are close calls, too.
  const limits = Array.from({ length: n }, () =>
    r.chance(0.4) ? floor - BigInt(1 + r.below(2)) * CENT : cents(r, 1, MOST),
  );
  return { script, secrets: lawful(script, { floor, limits }) };
}

/**
 * Moves numbers into the range that the service accepts: no opening bid above its limit, and a seller's limit between
 * the listing's minimum and its ask.
 */
function lawful(script: Script, { floor, limits }: Secrets): Secrets {
  const kept = [...limits];
  const least = leastOf(script.ask);
  const sellable = (limit: bigint): bigint =>
    limit > script.ask ? script.ask : limit < least ? least : limit;
  for (const act of script.acts) {
    if (act.do === 'bid' && act.opening !== null && act.opening > kept[act.n]!) kept[act.n] = act.opening;
    if (act.do === 'reprice') kept[act.n] = sellable(kept[act.n]!);
  }
  return { floor: sellable(floor), limits: kept };
}

interface Resting {
  readonly bid: Bid;
  readonly placed: number;
  readonly buyer: number;
  readonly n: number;
  readonly span: OrderSpan & { to: Date | null };
  readonly until: number;
}

/** The public face of a history by the rules: the price to beat and the matches, act by act, and the close calls. */
export function publicFace(script: Script, secrets: Secrets): string {
  const face: string[] = [];
  const spans: (OrderSpan & { to: Date | null })[] = [];
  let now = 0;
  let floor = script.negotiable ? secrets.floor : script.ask;
  let resting: Resting[] = [];
  let state = 'live' as 'live' | 'dealing' | 'gone';
  const sell = (): OrderSpan & { to: Date | null } => {
    const span = { side: 'sell' as const, owner: 'seller', limit: floor, from: new Date(now), to: null };
    spans.push(span);
    return span;
  };
  let selling = sell();
  let sellPlaced = now;
  let stops: { buyer: string; price: bigint; cause: Cause; at: number; lasts: number }[] = [];
  const silenced = new Map<string, number>();
  let dealing: { buyer: string; price: bigint } | null = null;
  /** A new order lifts, for its owner, the stops whose time has passed. */
  const lift = (owner: string): void => {
    const over = (s: (typeof stops)[number]) => s.cause === 'silent' && s.at + s.lasts <= now;
    stops = stops.filter((s) => !(over(s) && (owner === 'seller' || owner === s.buyer)));
  };
  const isBarred = ({ bid, placed }: Resting, price: bigint): boolean =>
    stops.some((s) => {
      const moved = price > s.price ? price - s.price : s.price - price;
      const another = s.cause === 'price' && Math.max(placed, sellPlaced) > s.at && moved * 20n >= s.price;
      return s.buyer === bid.owner && !another;
    });
  const leave = (gone: (r: Resting) => boolean): void => {
    for (const r of resting) if (gone(r)) r.span.to = new Date(now);
    resting = resting.filter((r) => !gone(r));
  };
  const match = (only?: number): void => {
    const offer = { orderId: 'sell', owner: 'seller', limit: floor };
    const may = overlapping(
      offer,
      resting.map((r) => r.bid),
    ).filter((b) => only === undefined || b.orderId === String(only));
    const bid = may.find(
      (b) => !isBarred(resting.find((r) => r.bid === b)!, clearingPrice(script, offer, b)),
    );
    if (!bid) return;
    dealing = { buyer: bid.owner, price: clearingPrice(script, offer, bid) };
    face.push(`match ${clearingPrice(script, offer, bid)}`);
    leave((r) => r.bid === bid);
    selling.to = new Date(now);
    state = 'dealing';
  };
  for (const act of script.acts) {
    now += lasts(act);
    const acting = act.do === 'bid' || act.do === 'reprice' || act.do === 'stop';
    if (act.do === 'expire' || (acting && state !== 'gone' && (state === 'live') !== (act.do === 'stop')))
      leave((r) => r.until <= now);
    if (act.do === 'bid' && state === 'live') {
      const limit = secrets.limits[act.n]!;
      const owner = act.buyer === BUYERS - 1 ? 'seller' : `buyer-${act.buyer}`;
      const openingBid = act.opening ?? defaultOpeningBid(limit, script.ask);
      const bid: Bid = { orderId: String(act.n), seq: BigInt(act.n), owner, limit, openingBid };
      const span = { side: 'buy' as const, owner, limit, from: new Date(now), to: null };
      // An agent's next bid replaces its own.
      leave((r) => r.buyer === act.buyer);
      spans.push(span);
      lift(owner);
      resting.push({
        bid,
        placed: now,
        buyer: act.buyer,
        n: act.n,
        span,
        until: now + BID_LIFE_MS[act.short ? 'short' : 'long'],
      });
      match(act.n);
    } else if (act.do === 'reprice' && state === 'live' && script.negotiable) {
      selling.to = new Date(now);
      floor = secrets.limits[act.n]!;
      selling = sell();
      sellPlaced = now;
      lift('seller');
      match();
    } else if (act.do === 'cancel') leave((r) => r.n === act.n);
    else if (act.do === 'stop' && state === 'dealing') {
      state = 'live';
      const { buyer, price } = dealing!;
      // Each repetition lasts twice as long; both causes are findings about a wallet.
      const key = act.cause === 'price' ? 'price' : 'wallet';
      const times = silenced.get(`${buyer} ${key}`) ?? 0;
      silenced.set(`${buyer} ${key}`, times + 1);
      stops.push({ buyer, price, cause: act.cause, at: now, lasts: HOUR_MS * 2 ** times });
      selling = sell();
      match();
    } else if (act.do === 'settle' && state === 'dealing') {
      leave(() => true);
      state = 'gone';
    } else if (act.do === 'hour') {
      const hours = closeCallHours(spans).map((h) => h.getTime());
      face.push(`calls ${hours.filter((h) => h + HOUR_MS <= now).join()}`);
    }
    const bids = resting
      .map((r) => r.bid)
      .filter((b) => !stops.some((s) => s.buyer === b.owner))
      .sort(byPriority);
    face.push(state === 'live' ? `beat ${priceToBeat(script.ask, bids, 'seller')}` : state);
  }
  // In the end everything that still rests is removed.
  now += 3_000;
  leave(() => true);
  selling.to ??= new Date(now);
  face.push(`calls ${closeCallHours(spans).map((h) => h.getTime())}`);
  return face.join('\n');
}

/**
 * Finds other secrets with the same public face, as different from these as possible: it changes one number after
 * another, or a floor and a limit against each other, and keeps a change if the face stays the same.
 * @returns null when it finds no others
 */
export function otherSecrets(script: Script, secrets: Secrets, r: Random): Secrets | null {
  const face = publicFace(script, secrets);
  let kept = secrets;
  for (let tries = 0; tries < 150; tries++) {
    const limits = [...kept.limits];
    let { floor } = kept;
    const n = r.below(limits.length + 1);
    if (n === limits.length) floor = cents(r, 1, MOST);
    else if (r.chance(0.3)) {
      const by = BigInt(r.below(9) - 4) * CENT;
      limits[n] = limits[n]! + by;
      floor -= by;
    } else limits[n] = cents(r, 1, MOST);
    if (floor < CENT || limits.some((l) => l < CENT)) continue;
    const moved = lawful(script, { floor, limits });
    if (publicFace(script, moved) === face) kept = moved;
  }
  return changed(secrets, kept) > 0 ? kept : null;
}

/** How many of the numbers differ. */
export function changed(a: Secrets, b: Secrets): number {
  return (a.floor === b.floor ? 0 : 1) + a.limits.filter((l, i) => l !== b.limits[i]).length;
}
