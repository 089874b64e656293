import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const WRITES =
  /(?:insertInto|updateTable|deleteFrom)\('(\w+)'|\b(?:insert into|delete from|(?<!for )update)\s+(\w+)\s/g;

/** Features that still write a table of another one, and why it is not mended yet. Nothing may be added. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  // A chain that goes back takes anchors with it, in the transaction that moves the deals.
  batches: ['deal'],
  // A match and its deal are one row each of one transaction.
  deals: ['market'],
  // A deal that ends gives its lot, its orders and its match back.
  listings: ['deal'],
  matches: ['deal'],
  orders: ['deal', 'names'],
  reservations: ['deal', 'market'],
  // A payment that settles files its record in the same transaction.
  records: ['payments'],
  // An order is placed in one statement with the use of its signature.
  used_signatures: ['market'],
};

/** What actors show of themselves: the tables, the columns, and the only file that writes them. */
const SHOWN: readonly { readonly table: string; readonly columns: readonly string[]; readonly by: string }[] =
  [
    {
      table: 'agents',
      columns: ['status', 'suspension_reasons'],
      by: 'runtime/agent/agent-projection.ts',
    },
    {
      table: 'deals',
      columns: ['state', 'deadline', 'tx', 'settled_block', 'reason'],
      by: 'runtime/deal/deal-projection.ts',
    },
    {
      table: 'auctions',
      columns: ['status', 'deal_id', 'ended_at'],
      by: 'runtime/names/auction-projection.ts',
    },
    { table: 'checkouts', columns: ['status'], by: 'runtime/checkout/checkout-projection.ts' },
    {
      table: 'auctions',
      columns: ['status', 'deal_id', 'ended_at'],
      by: 'runtime/names/auction-projection.ts',
    },
    { table: 'checkouts', columns: ['status'], by: 'runtime/checkout/checkout-projection.ts' },
  ];

function sources(room: string): readonly string[] {
  return readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(room, file));
}

/** The feature folders whose files write each table; the file's own folder is the feature. */
function writers(): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Set(
    readdirSync(join(ROOT, 'store/migrations')).flatMap((file) =>
      [...readFileSync(join(ROOT, 'store/migrations', file), 'utf8').matchAll(/create table (\w+)/g)].map(
        (m) => m[1]!,
      ),
    ),
  );
  const by = new Map<string, Set<string>>();
  for (const file of [...sources('store'), ...sources('runtime'), ...sources('api')]) {
    const [, feature = ''] = file.split('/');
    for (const [, built, written] of readFileSync(join(ROOT, file), 'utf8').matchAll(WRITES)) {
      const table = (built ?? written)!;
      if (tables.has(table)) by.set(table, (by.get(table) ?? new Set()).add(feature));
    }
  }
  return by;
}

describe('a table', () => {
  it('is written by one feature only, apart from those that are known', () => {
    const others = [...writers()]
      .map(([table, features]) => ({
        table,
        features: [...features].filter((f) => !KNOWN[table]?.includes(f)),
      }))
      .filter(({ features }) => features.length > 1);
    expect(others).toEqual([]);
  });

  it('that is known to be written by another feature still is: what was mended leaves the list', () => {
    const by = writers();
    const mended = Object.entries(KNOWN).flatMap(([table, features]) =>
      features.filter((f) => !by.get(table)?.has(f)).map((f) => `${table}: ${f}`),
    );
    expect(mended).toEqual([]);
  });
});

describe('the state of an actor', () => {
  /** The writes of a table in a source, each up to where it is executed. */
  const writesOf = (text: string, table: string): readonly string[] => [
    ...(text.match(new RegExp(`(?:insertInto|updateTable)\\('${table}'\\)[^;]*?;`, 'gs')) ?? []),
    ...(text.match(new RegExp(`\\b(?:insert into|update) ${table}\\b[^\\x60;]*`, 'g')) ?? []),
  ];
  /** Whether a write sets the column: a condition names it in quotes, or after `where`. */
  const sets = (write: string, column: string): boolean =>
    new RegExp(`[{,\\s]${column}\\s*[:,}=]`).test(write.replace(/\.where\([^\n]*|\bwhere\b.*$/gs, ''));

  it.each(SHOWN)('is written into $table by its projection alone', ({ table, columns, by }) => {
    const others = [...sources('store'), ...sources('runtime'), ...sources('api')].filter((file) =>
      writesOf(readFileSync(join(ROOT, file), 'utf8'), table).some((w) => columns.some((c) => sets(w, c))),
    );
    expect(others).toEqual([by]);
  });
});
