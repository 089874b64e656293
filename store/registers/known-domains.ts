import { sql } from 'kysely';
import type { Database } from '../database.ts';

interface Held {
  /** The imports that it was read from. */
  readonly of: string;
  readonly names: readonly string[];
}

/** By the database that they were read from: a test, or a process, may hold several. */
const held = new WeakMap<Database, Held>();

/**
 * The names of the register `known-domains` that are worth imitating, kept until a list of it changes. A list may hold
 * others that it only allows, with a detail `imitated` of `no`.
 */
export async function knownDomains(db: Database): Promise<readonly string[]> {
  const imports = await db
    .selectFrom('register_lists')
    .select(['source', 'import_id'])
    .where('register', '=', 'known-domains')
    .orderBy('source')
    .execute();
  const of = imports.map((list) => `${list.source}:${list.import_id}`).join(' ');
  const known = held.get(db);
  if (known?.of === of) return known.names;
  const rows =
    imports.length === 0
      ? []
      : await db
          .selectFrom('register_entries')
          .select('key')
          .distinct()
          .where('register', '=', 'known-domains')
          .where(sql<boolean>`detail->>'imitated' is distinct from 'no'`)
          .orderBy('key')
          .execute();
  const names = rows.map(({ key }) => key);
  held.set(db, { of, names });
  return names;
}
