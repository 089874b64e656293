import type pg from 'pg';
import { nodeSeconds, postgresSeconds } from './processes.ts';

/** What a service and its database had used when they were looked at, and between two looks. CPU in milliseconds. */
export interface Usage {
  readonly atMs: number;
  readonly queries: number;
  readonly rows: number;
  readonly tableBytes: number;
  readonly walBytes: number;
  readonly pageImages: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
  /** Rows, and bytes with those of its indexes. */
  readonly byTable: ReadonlyMap<string, { readonly rows: number; readonly bytes: number }>;
}

/** Where the figures come from. */
export interface Observed {
  readonly db: pg.Client;
  /** Of the service. */
  readonly pid: number;
  /** Queries so far, where the server does not count them. */
  countedByNode(): Promise<number>;
  /** Whether the server counts statements. */
  readonly counting: boolean;
}

/** Prepares a connection for looking. @returns whether the server counts statements, and not those of this connection */
export async function countsStatements(db: pg.Client): Promise<boolean> {
  // Its own counting is told apart by its backend: others that helped it would count for the server.
  await db.query('set max_parallel_workers_per_gather = 0');
  try {
    await db.query('create extension if not exists pg_stat_statements');
    await db.query("set pg_stat_statements.track = 'none'");
    await db.query('select 1 from pg_stat_statements limit 1');
    return true;
  } catch {
    return false;
  }
}

const OWN_SCHEMAS = `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`;

export async function usage({ db, pid, counting, countedByNode }: Observed): Promise<Usage> {
  const one = async (text: string) => (await db.query<Record<string, string>>(text)).rows[0]!;
  const { backend } = await one('select pg_backend_pid() as backend');
  const cpu = { nodeMs: nodeSeconds(pid) * 1_000, postgresMs: postgresSeconds(Number(backend)) * 1_000 };
  const queries = counting
    ? Number(
        (
          await one(`select coalesce(sum(calls), 0) as n from pg_stat_statements
            where dbid = (select oid from pg_database where datname = current_database())`)
        ).n,
      )
    : await countedByNode();
  const wal = await one(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes,
    (select wal_fpi from pg_stat_wal) as images`);
  const { rows: tables } = await db.query<{ name: string; bytes: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name, pg_total_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${OWN_SCHEMAS}`);
  const byTable = new Map<string, { rows: number; bytes: number }>();
  for (const { name, bytes } of tables)
    byTable.set(name, {
      rows: Number((await one(`select count(*) as n from ${name}`)).n),
      bytes: Number(bytes),
    });
  const sum = (of: 'rows' | 'bytes') => [...byTable.values()].reduce((all, table) => all + table[of], 0);
  return {
    atMs: performance.now(),
    queries,
    rows: sum('rows'),
    tableBytes: sum('bytes'),
    walBytes: Number(wal.bytes),
    pageImages: Number(wal.images),
    ...cpu,
    byTable,
  };
}

export function between(before: Usage, after: Usage): Usage {
  const grown = [...after.byTable].map(([name, { rows, bytes }]) => {
    const then = before.byTable.get(name) ?? { rows: 0, bytes: 0 };
    return [name, { rows: rows - then.rows, bytes: bytes - then.bytes }] as const;
  });
  return {
    atMs: after.atMs - before.atMs,
    queries: after.queries - before.queries,
    rows: after.rows - before.rows,
    tableBytes: after.tableBytes - before.tableBytes,
    walBytes: after.walBytes - before.walBytes,
    pageImages: after.pageImages - before.pageImages,
    nodeMs: after.nodeMs - before.nodeMs,
    postgresMs: after.postgresMs - before.postgresMs,
    byTable: new Map(
      grown
        .filter(([, { rows, bytes }]) => rows !== 0 || bytes !== 0)
        .sort(([, a], [, b]) => b.rows - a.rows || b.bytes - a.bytes),
    ),
  };
}

export interface Statement {
  readonly calls: number;
  readonly totalMs: number;
  readonly walBytes: number;
  readonly text: string;
}

/** Forgets what was counted so far. */
export async function resetStatements(db: pg.Client): Promise<void> {
  await db.query(`select pg_stat_statements_reset(0,
    (select oid from pg_database where datname = current_database()), 0)`);
}

/** The statements that took the server longest, or came most often, since they were last forgotten, triggers included. */
export async function topStatements(
  db: pg.Client,
  by: 'total_exec_time' | 'calls' | 'wal_bytes' = 'total_exec_time',
  most = 15,
): Promise<Statement[]> {
  const { rows } = await db.query<{ calls: string; ms: number; wal: string; text: string }>(
    `select calls, total_exec_time as ms, wal_bytes as wal, regexp_replace(query, '\\s+', ' ', 'g') as text from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
      order by ${by} desc limit $1`,
    [most],
  );
  return rows.map(({ calls, ms, wal, text }) => ({
    calls: Number(calls),
    totalMs: ms,
    walBytes: Number(wal),
    text,
  }));
}

export interface WalPart {
  /** A table or an index, or what else wrote it. */
  readonly name: string;
  /** What was done, such as `Heap/HOT_UPDATE`. */
  readonly record: string;
  readonly records: number;
  readonly bytes: number;
  /** Of these, page images. */
  readonly imageBytes: number;
}

/** Where the log of changes is now. */
export async function walPosition(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
  return rows[0]!.lsn;
}

/** By which tables and indexes the log of changes has grown since, the most first; none where the server cannot tell. */
export async function walSince(db: pg.Client, lsn: string): Promise<WalPart[]> {
  try {
    await db.query('create extension if not exists pg_walinspect');
    const { rows } = await db.query<{ [Part in keyof WalPart]: string }>(
      `with parts as (
        select c.relname, w.resource_manager || '/' || w.record_type as record, b.block_fpi_length as image,
          w.record_length::numeric / greatest(count(b.block_id) over (partition by w.start_lsn), 1) as bytes
        from pg_get_wal_records_info($1, pg_current_wal_flush_lsn()) w
          left join pg_get_wal_block_info($1, pg_current_wal_flush_lsn()) b using (start_lsn)
          left join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode)
      select coalesce(relname, '') as name, record, count(*) as records, round(sum(bytes)) as bytes,
        coalesce(sum(image), 0) as "imageBytes"
      from parts group by 1, 2 order by 4 desc`,
      [lsn],
    );
    return rows.map(({ name, record, ...numbers }) => ({
      ...{ name, record, records: Number(numbers.records), bytes: Number(numbers.bytes) },
      imageBytes: Number(numbers.imageBytes),
    }));
  } catch {
    return [];
  }
}
