import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Absence, type Leaf, withoutRepeats } from '../../agents/determinations/panel/sorted-tree.ts';
import { type Database, run, type Trx } from '../database.ts';
import { plannedForAny } from '../planning-client.ts';
import type { RegisterName } from '../tables.ts';

/** Each row of a tree holds the leaves, or the nodes, below four levels: sixteen of them. */
const FAN = 16;
const FETCH = 4_000;
/** Sixteen to the eighth is more than any list has. */
const LEVELS = 8;

const sha = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const leafHash = (key: string): Buffer => sha(Uint8Array.of(0), Buffer.from(key));
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha(Uint8Array.of(1), left, right);

/** A level of a tree made of the one below: pairs, and one without a sibling as it is (RFC 6962). */
function parents(nodes: readonly Buffer[]): Buffer[] {
  return Array.from({ length: Math.ceil(nodes.length / 2) }, (_, i) =>
    2 * i + 1 < nodes.length ? nodeHash(nodes[2 * i]!, nodes[2 * i + 1]!) : nodes[2 * i]!,
  );
}

function topOf(nodes: readonly Buffer[]): Buffer {
  let level = nodes;
  while (level.length > 1) level = parents(level);
  return level[0]!;
}

/** The siblings on the way from one of up to sixteen nodes to their top. */
function siblingsOf(nodes: readonly Buffer[], index: number): Buffer[] {
  const path: Buffer[] = [];
  let at = index;
  for (let level = nodes; level.length > 1; level = parents(level), at >>= 1) {
    const sibling = level[at ^ 1];
    if (sibling !== undefined) path.push(sibling);
  }
  return path;
}

interface TreeRow {
  readonly level: number;
  readonly idx: number;
  readonly first_key: string | null;
  readonly keys: string[] | null;
  readonly hashes: Buffer | null;
}

/**
 * Makes the tree of a list's sorted keys, in the transaction that changed its rows, so that both change at once.
 * @returns its root in hex; null for a list without rows
 */
export async function plantTree(trx: Trx, register: RegisterName, source: string): Promise<string | null> {
  await sql`delete from register_trees where register = ${register} and source = ${source}`.execute(trx);
  let tops: Buffer[] = [];
  let rows: TreeRow[] = [];
  const write = async (row: TreeRow | null): Promise<void> => {
    if (row !== null) rows.push(row);
    if (rows.length === 0 || (row !== null && rows.length < 500)) return;
    await trx
      .insertInto('register_trees')
      .values(rows.map((r) => ({ register, source, ...r })))
      .execute();
    rows = [];
  };
  for await (const keys of sortedKeys(trx, register, source)) {
    await write({ level: 0, idx: tops.length, first_key: keys[0]!, keys, hashes: null });
    tops.push(topOf(keys.map(leafHash)));
  }
  for (let level = 1; tops.length > 1; level++) {
    const above: Buffer[] = [];
    for (let at = 0; at < tops.length; at += FAN) {
      const nodes = tops.slice(at, at + FAN);
      await write({ level, idx: above.length, first_key: null, keys: null, hashes: Buffer.concat(nodes) });
      above.push(topOf(nodes));
    }
    tops = above;
  }
  await write(null);
  return tops[0]?.toString('hex') ?? null;
}

/** The list's keys by their bytes, sixteen at a time. */
async function* sortedKeys(trx: Trx, register: RegisterName, source: string): AsyncGenerator<string[]> {
  await sql`declare sorted_keys no scroll cursor for select key from register_entries
    where register = ${sql.lit(register)} and source = ${sql.lit(source)} order by key collate "C"`.execute(
    trx,
  );
  let rest: string[] = [];
  for (;;) {
    const { rows } = await sql<{ key: string }>`fetch ${sql.lit(FETCH)} from sorted_keys`.execute(trx);
    const keys = [...rest, ...rows.map((r) => r.key)];
    const whole = rows.length < FETCH ? keys.length : keys.length - (keys.length % FAN);
    for (let at = 0; at < whole; at += FAN) yield keys.slice(at, Math.min(at + FAN, whole));
    rest = keys.slice(whole);
    if (rows.length < FETCH) break;
  }
  await sql`close sorted_keys`.execute(trx);
}

interface FoundRow extends TreeRow {
  readonly register: RegisterName;
  readonly source: string;
}

/** The rows of the trees on the way from the two leaves beside each key to the root, by the index of the first keys. */
const BESIDE = plannedForAny(
  {
    name: 'look-up-neighbours',
    text: `
      with wanted as (
        select l.register, l.source, k.key from register_lists l cross join unnest($2::text[]) as k (key)
        where l.register = any($1) and l.root is not null
      ), beside as (
        select w.register, w.source, c.idx from wanted w cross join lateral (
          (select t.idx from register_trees t where t.register = w.register and t.source = w.source and t.level = 0
            and t.first_key <= (w.key collate "C") order by t.first_key desc limit 1)
          union all
          (select t.idx from register_trees t where t.register = w.register and t.source = w.source and t.level = 0
            and t.first_key > (w.key collate "C") order by t.first_key limit 1)
        ) c
      ), needed as (
        select distinct register, source, level, idx >> (4 * level) as idx
        from beside cross join generate_series(0, ${LEVELS - 1}) as level
      )
      select t.register, t.source, t.level, t.idx, t.first_key, t.keys, t.hashes
      from needed n cross join lateral (
        select * from register_trees r
        where r.register = n.register and r.source = n.source and r.level = n.level and r.idx = n.idx offset 0
      ) t`,
  },
  ['text[]', 'text[]'],
);

/** For each list of these registers that has a tree, and each of these keys that is not on it, the proof of that. */
export async function proofsOfAbsence(
  db: Database,
  registers: readonly RegisterName[],
  keys: readonly string[],
): Promise<Absence[]> {
  if (keys.length === 0) return [];
  const rows = await run<FoundRow>(db, BESIDE, [registers, keys]);
  const lists = [...new Set(rows.map((r) => `${r.register}/${r.source}`))].sort();
  return lists.flatMap((list) => {
    const tree = rows.filter((r) => `${r.register}/${r.source}` === list);
    return keys.flatMap((key) => absenceOf(list, tree, key) ?? []);
  });
}

function absenceOf(list: string, tree: readonly TreeRow[], key: string): Absence | null {
  const leaves = tree.flatMap((row) =>
    (row.keys ?? []).map((leaf, i) => ({ key: leaf, index: row.idx * FAN + i, row })),
  );
  if (leaves.some((leaf) => leaf.key === key)) return null;
  leaves.sort((a, b) => a.index - b.index);
  const before = leaves.findLast((leaf) => leaf.key < key);
  const after = leaves.find((leaf) => leaf.key > key);
  return withoutRepeats({ list, key, before: leafOf(tree, before), after: leafOf(tree, after) });
}

function leafOf(tree: readonly TreeRow[], leaf?: { key: string; index: number; row: TreeRow }): Leaf | null {
  if (leaf === undefined) return null;
  const path = siblingsOf((leaf.row.keys ?? []).map(leafHash), leaf.index % FAN);
  for (let [level, at] = [1, leaf.row.idx]; level < LEVELS; level++, at = Math.floor(at / FAN)) {
    const row = tree.find((r) => r.level === level && r.idx === Math.floor(at / FAN));
    if (row?.hashes == null) break;
    const nodes = Array.from({ length: row.hashes.length / 32 }, (_, i) =>
      row.hashes!.subarray(i * 32, i * 32 + 32),
    );
    path.push(...siblingsOf(nodes, at % FAN));
  }
  return { key: leaf.key, index: leaf.index, path: path.map((hash) => hash.toString('hex')) };
}
