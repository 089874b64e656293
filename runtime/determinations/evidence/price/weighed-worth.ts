import { sha256Hex } from '../../../../agents/canonical.ts';
import { AppError } from '../../../../agents/errors.ts';
import type { Comparable } from '../../../../agents/market/pricing/comparables.ts';
import { type Worth, worthOf } from '../../../../agents/market/pricing/worth.ts';
import type { Database } from '../../../../store/database.ts';
import { BoundedMap } from '../../../bounded-map.ts';
import type { EvidenceDeps } from '../../deps.ts';
import { type FollowedSales, followSales, isWeighed, MOST_OWNERS, weighedBy } from './sale-ties.ts';
import { evidenceNow, isLasting, type SalesQuestion } from './shared-sales.ts';

/** Of how many different sets of sales it is kept what their money tells, and of how many lots what they are worth. */
const MOST_KEPT = 500;

/** What was found last of some sales, and from when on, milliseconds. */
class Recent<Found> {
  readonly #kept = new BoundedMap<string, { readonly found: Found; readonly fromMs: number }>(MOST_KEPT);

  get(key: string, now: Date): Found | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && isLasting(kept.fromMs, now) ? kept.found : undefined;
  }

  set(key: string, found: Found, now: Date): void {
    this.#kept.set(key, { found, fromMs: now.getTime() });
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }
}

interface Memory {
  readonly followed: Recent<Promise<FollowedSales | null>>;
  readonly worths: Recent<Worth>;
}

const MEMORIES = new WeakMap<Database, Memory>();

/**
 * What a lot is worth by past sales, weighed by the money behind them as for the price of a deal. The money behind the same
 * sales is followed once in ten minutes for all lots that are valued by them, and for whoever asks. A sale of other goods
 * of the category changes nothing.
 * @throws AppError unavailable where that money is followed, and could not be
 */
export async function weighedWorth(deps: EvidenceDeps, question: SalesQuestion): Promise<Worth> {
  const { category, now, lot, attributes = null } = question;
  const all = await (await evidenceNow(deps.db, [category])).comparables(question);
  // By the category alone nothing is valued.
  const sales = attributes === null ? all.filter((c) => c.similarity !== 'same-category') : all;
  const { worths } = memoryOf(deps.db);
  const asked = sha256Hex(JSON.stringify([category, lot, attributes, sales.map((c) => [c.id, c.dropped])]));
  const known = worths.get(asked, now);
  if (known !== undefined) return known;
  const followed = await followedOnce(deps, sales, now);
  const comparables = followed === null ? sales : weighedBy(sales, followed);
  const worth = worthOf({ attributes, comparables, category, at: now.toISOString() });
  worths.set(asked, worth, now);
  return worth;
}

async function followedOnce(
  deps: EvidenceDeps,
  sales: readonly Comparable[],
  now: Date,
): Promise<FollowedSales | null> {
  const { followed } = memoryOf(deps.db);
  const key = setOf(sales);
  const asked = followed.get(key, now);
  const following = asked ?? followSales(deps, sales);
  if (asked === undefined) followed.set(key, following, now);
  try {
    const found = await following;
    if (found === null || found.fault === null) return found;
    const says = `The money behind past sales could not be followed: ${found.fault}`;
    throw new AppError('unavailable', says);
  } catch (error) {
    followed.delete(key);
    throw error;
  }
}

/** The sales whose money is followed; in which order they stand tells only which owners are too many. */
function setOf(sales: readonly Comparable[]): string {
  const ids = sales.filter(isWeighed).map(({ id }) => id);
  return sha256Hex((ids.length * 2 > MOST_OWNERS ? ids : ids.sort()).join(' '));
}

function memoryOf(db: Database): Memory {
  const known = MEMORIES.get(db) ?? { followed: new Recent(), worths: new Recent() };
  MEMORIES.set(db, known);
  return known;
}
