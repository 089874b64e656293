import type { Database } from '../../../../store/database.ts';
import { type SaleSidesRow, saleSides } from '../../../../store/market/sale-sides.ts';
import { behindOnce } from '../../../../store/read-once.ts';
import { BoundedMap } from '../../../bounded-map.ts';

/** Of how many sales the sides are kept: those of several categories, each with the newest of them. */
const MOST = 20_000;

const KNOWN = new WeakMap<Database, BoundedMap<string, SaleSidesRow>>();

/**
 * Who sold and who bought in these matches. A match never has other sides, nor an agent another account, so each is read
 * once. What is not there is looked for again.
 */
export async function sidesOfMatches(db: Database, matches: readonly string[]): Promise<SaleSidesRow[]> {
  // What is read at one moment is read of a database that outlives it.
  const lasting = behindOnce(db) ?? db;
  const known = KNOWN.get(lasting) ?? new BoundedMap<string, SaleSidesRow>(MOST);
  KNOWN.set(lasting, known);
  const found = new Map(matches.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])));
  const unknown = matches.filter((id) => !found.has(id));
  for (const sides of await saleSides(db, unknown)) {
    known.set(sides.id, sides);
    found.set(sides.id, sides);
  }
  return matches.flatMap((id) => found.get(id) ?? []);
}
