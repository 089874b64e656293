import type pg from 'pg';

/**
 * Tables with a `handle` that tell what an agent did, or what was done to it. All others tell what it is, and are copied.
 */
const HISTORY: readonly string[] = [
  'agent_log',
  'chain_listings',
  'deals',
  'listings',
  'orders',
  'owner_acts',
  'owner_notifications',
  'record_parties',
  'records',
  'reservations',
];
/** What belongs to an agent's actor. */
const OF_ACTORS: readonly (readonly [string, string])[] = [
  ['actors', 'id'],
  ['actor_births', 'actor_id'],
  ['timers', 'actor_id'],
];
/** Before their model's timer, and spread over this, so that they do not all look at once. */
const SPREAD_SECONDS = 60;
const PATIENCE_MS = 60_000;

/**
 * Copies an active agent `count` times by SQL: every row that tells what it is, under another handle, account, token,
 * owner and checkout. The copies are on no chain.
 */
export async function copyAgent(db: pg.Client, handle: string, count: number, first: number): Promise<void> {
  await quiet(db, `agent:${handle}`);
  const { rows: found } = await db.query<{ owner: string; account: string; checkout: string }>(
    'select owner, account, checkout_id as checkout from agents where handle = $1',
    [handle],
  );
  const { owner, account, checkout } = found[0]!;
  const address = (prefix: string) => `'0x${prefix}'||lpad(to_hex(${first}+n),38,'0')`;
  const renamed = [
    [handle, `'${handle}-'||n`],
    [checkout, `'${checkout}-'||n`],
    [account, address('ce')],
    [owner, address('ae')],
  ].reduce((text, [was, is]) => `replace(${text}, '${was}', ${is})`, 'to_jsonb(t)::text');
  const other: Readonly<Record<string, string>> = {
    // What was minted long ago is not looked for on chain again.
    agents: `jsonb_build_object('token_id', 1000000000+${first}+n, 'since', now()-interval '90 days')`,
    checkouts: `'{"processor_session":null,"payment_intent":null}'::jsonb`,
    timers: `jsonb_build_object('due_at', t.due_at - n*${SPREAD_SECONDS}.0/${count}*interval '1 second')`,
  };
  const copy = async (table: string, column: string, value: string): Promise<void> => {
    const { rows: columns } = await db.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'`,
      [table],
    );
    const list = columns.map(({ name }) => name).join(', ');
    await db.query(
      `insert into ${table} (${list}) select ${list} from (
        select (jsonb_populate_record(null::${table}, ${renamed}::jsonb || ${other[table] ?? `'{}'::jsonb`})).*
        from ${table} t, generate_series(1,${count}) n where t.${column} = $1) copies`,
      [value],
    );
  };
  await db.query('set session_replication_role = replica');
  await copy('checkouts', 'id', checkout);
  const { rows: tables } = await db.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'handle' and t.table_type = 'BASE TABLE'
        and c.table_name <> 'checkouts' and c.table_name <> all($1)`,
    [HISTORY],
  );
  for (const { name } of tables) await copy(name, 'handle', handle);
  for (const [table, column] of OF_ACTORS) await copy(table, column, `agent:${handle}`);
  await db.query('reset session_replication_role');
}

/** Waits until nothing of an actor is under way: a copy of it then would wait for ever for what never comes. */
async function quiet(db: pg.Client, actor: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await db.query<{ busy: boolean }>(
      `select exists (select from effects where actor_id = $1 and status in ('pending', 'running'))
        or exists (select from mailbox where actor_id = $1 and consumed_at is null) as busy`,
      [actor],
    );
    if (!rows[0]!.busy) return;
    if (performance.now() > until) throw new Error(`${actor} is still busy`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
