import type pg from 'pg';

/**
 * Writes much at once: no trigger runs, no key of another table is looked up, and what rests on no rule of the database, its
 * indexes, is made anew of all rows at the end, which takes a fraction of adding them a row at a time.
 * @param statements with `insert into`, of the session of `db`
 */
export async function inBulk(db: pg.Client, statements: readonly string[]): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query('set synchronous_commit = off');
  await db.query(`set maintenance_work_mem = '512MB'`);
  const tables = [...new Set(statements.flatMap((text) => /^insert into (\w+)/.exec(text)?.[1] ?? []))];
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relkind = 'r' and c.oid = any ($1::text[]::regclass[]) and not i.indisprimary
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  for (const text of statements) await db.query(text);
  for (const { definition } of indexes) await db.query(definition);
  await db.query('reset session_replication_role');
  await db.query('vacuum analyze');
}
