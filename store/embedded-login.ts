import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Owns what the service keeps in the embedded server, and may do nothing to the server itself. */
export const EMBEDDED_ROLE = 'handshake';

/** Where the service's tables are, and those of its queue. */
const SCHEMAS = "('public', 'bullmq')";

/**
 * The service's own login at the embedded server: no superuser, so that a statement that should not be can read no file,
 * run no program and change no setting of the server. What an earlier release made as the server's own user becomes its.
 * @param server the address of the server's own user
 * @param folder the database's folder, which only its user may read
 * @returns the address of the login
 */
export async function embeddedLogin(
  server: string,
  folder: string,
  randomHex: (bytes: number) => string,
): Promise<string> {
  const file = join(folder, PASSWORD);
  if (!existsSync(file)) writeFileSync(file, randomHex(16), { mode: 0o600 });
  const password = readFileSync(file, 'utf8').trim();
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(MAKE_ROLE);
    await client.query(`alter role ${EMBEDDED_ROLE} password ${client.escapeLiteral(password)}`);
    await client.query(OWN_ALL);
  } finally {
    await client.end();
  }
  return as(server, password);
}

/** The address of that login at a server that runs; null where none was made yet. */
export function findEmbeddedLogin(server: string, folder: string): string | null {
  const file = join(folder, PASSWORD);
  return existsSync(file) ? as(server, readFileSync(file, 'utf8').trim()) : null;
}

const PASSWORD = 'service-password';

function as(server: string, password: string): string {
  return Object.assign(new URL(server), { username: EMBEDDED_ROLE, password }).href;
}

const MAKE_ROLE = `do $$ begin
  if not exists (select from pg_roles where rolname = '${EMBEDDED_ROLE}') then
    create role ${EMBEDDED_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
  end if;
end $$`;

/** The database, for the queue makes a schema of its own, and whatever lies in the schemas of both. */
const OWN_ALL = `do $$ declare o record; begin
  execute format('alter database %I owner to ${EMBEDDED_ROLE}', current_database());
  for o in select nspname as name from pg_namespace where nspname in ${SCHEMAS} loop
    execute format('alter schema %I owner to ${EMBEDDED_ROLE}', o.name);
  end loop;
  for o in
    select c.oid::regclass as name, case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${SCHEMAS} and c.relkind in ('r', 'p', 'S', 'v')
      and c.relowner <> '${EMBEDDED_ROLE}'::regrole
      -- The sequence of a column goes with its table.
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('i', 'a') and c.relkind = 'S')
  loop
    execute format('alter %s %s owner to ${EMBEDDED_ROLE}', o.kind, o.name);
  end loop;
  for o in
    select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ${SCHEMAS} and p.proowner <> '${EMBEDDED_ROLE}'::regrole
  loop
    execute format('alter routine %s owner to ${EMBEDDED_ROLE}', o.name);
  end loop;
  for o in
    select t.oid::regtype as name from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where n.nspname in ${SCHEMAS} and t.typtype in ('d', 'e') and t.typowner <> '${EMBEDDED_ROLE}'::regrole
  loop
    execute format('alter type %s owner to ${EMBEDDED_ROLE}', o.name);
  end loop;
end $$`;
