import type { Random } from '../simulator/random.ts';
import {
  type Act,
  BID_LIFE_MS,
  lasts,
  publicFace,
  type Script,
  type Secrets,
  writeHistory,
} from './history.ts';

/** A seller and two bidders; a second agent of one owner is only tested without chains. */
export const PEOPLE = 3;

/**
 * Writes a history that a running service can execute: nobody bids on their own lots, no deal is stopped, and a lot
 * that has matched settles. Then its hour passes, so that close calls are published.
 */
export function writeTrade(r: Random): { script: Script; secrets: Secrets } {
  const { script, secrets } = writeHistory(r);
  const limits: bigint[] = [];
  const numbers = new Map<number, number>();
  const acts = script.acts.flatMap((act): Script['acts'] => {
    if (act.do === 'cancel') return numbers.has(act.n) ? [{ ...act, n: numbers.get(act.n)! }] : [];
    if (act.do === 'wait' || act.do === 'hour' || act.do === 'expire') return [act];
    if (act.do !== 'bid' && act.do !== 'reprice') return [];
    numbers.set(act.n, limits.length);
    const n = limits.push(secrets.limits[act.n]!) - 1;
    return [act.do === 'bid' ? { ...act, n, buyer: act.buyer % (PEOPLE - 1) } : { ...act, n }];
  });
  const trade = { ...script, featured: false, acts: swept(acts) };
  const kept = { floor: secrets.floor, limits };
  const matched = trade.acts.findIndex((_, i) =>
    publicFace({ ...trade, acts: trade.acts.slice(0, i + 1) }, kept).includes('match '),
  );
  if (matched < 0) return { script: trade, secrets: kept };
  const played = trade.acts.slice(0, matched + 1);
  const last = Math.max(...played.map((act) => ('n' in act ? act.n : 0)));
  return {
    script: { ...trade, acts: [...played, { do: 'settle' }, { do: 'hour' }] },
    secrets: { ...kept, limits: limits.slice(0, last + 1) },
  };
}

/**
 * Adds an act that removes expired orders before the next act. Otherwise the service's periodic task or that act would
 * remove them, whichever came first, and the public would see one price more or less.
 */
function swept(acts: readonly Act[]): Act[] {
  const told: Act[] = [];
  let now = 0;
  let ends: number[] = [];
  const tell = (act: Act): void => {
    now += lasts(act);
    told.push(act);
    if (act.do === 'expire') ends = ends.filter((end) => end > now);
    if (act.do === 'bid' && act.short) ends.push(now + BID_LIFE_MS.short);
  };
  for (const act of acts) {
    const acting = act.do === 'bid' || act.do === 'reprice';
    while (acting && ends.some((end) => end <= now + lasts(act))) tell({ do: 'expire' });
    tell(act);
  }
  return told;
}
