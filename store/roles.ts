/** The roles of the database, each with the least that its processes need. None is a superuser, none makes roles. */
export const DATABASE_ROLES = {
  /** Owns the schema. The first process of a release runs as it, which brings that forward. */
  migrate: 'handshake_migrate',
  api: 'handshake_api',
  worker: 'handshake_worker',
  /** For replicas, reports and whoever looks: reads no secret. */
  readOnly: 'handshake_readonly',
} as const;

const { migrate, api, worker, readOnly } = DATABASE_ROLES;
const ROLES = Object.values(DATABASE_ROLES);

/** What other processes prove themselves by, or answers that were made for one caller alone. */
const SECRET = ['operator_keys', 'webhook_subscriptions', 'idempotency_keys'];
/** Of payments, what the chain shows too. What was asked and answered is the payer's. */
const OF_PAYMENTS = [
  ...['payment_id', 'network', 'payer', 'pay_to', 'amount', 'asset', 'status', 'receipt'],
  ...['created_at', 'updated_at'],
];
/** Tables in parts: a worker makes and drops these. Parts are their table's owner's, whoever makes them (parts.ts). */
const IN_PARTS = '^(transfers|public_events|record_archive)(_[0-9]+|_default)*$';
/** Of those, what no request writes. */
const NOT_BY_REQUESTS = '^(transfers|record_archive)(_[0-9]+)*$';
/** Entries stay as they were written. */
const ADDED_TO_ONLY = ['operator_log'];
/** What workers read from the chain: no request writes it. Transfers and the archive, with their parts, come beside these. */
const OF_WORKERS = ['contract_creations', 'transfer_ranges', 'transfer_blocks', 'chain_cursors'];

/**
 * The statements that make the roles and give them their rights, one after another, on the database that is connected to:
 * for a superuser, or for its owner who may make roles. They may be run again: after a migration that made tables nothing is
 * needed, because new tables get the same rights by default. The roles have no password and so cannot log in until they are
 * given one.
 */
export function rolesSql(): readonly string[] {
  return [
    ...ROLES.map(makeRole),
    // Whoever is no superuser gives tables to roles that they belong to alone, and may make a role without belonging to it.
    ...[migrate, worker].map(joinRole),
    `do $$ begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to ${ROLES.join(', ')}', current_database());
end $$`,
    'revoke all on schema public from public',
    `grant usage on schema public to ${ROLES.join(', ')}`,
    // A worker makes and drops the parts of tables, which takes their owner.
    `grant create on schema public to ${migrate}, ${worker}`,
    OWNERS,
    `grant ${worker} to ${migrate}`,
    `revoke all on all tables in schema public from ${api}, ${worker}, ${readOnly}`,
    `grant select, insert, update, delete on all tables in schema public to ${api}, ${worker}`,
    `grant select on all tables in schema public to ${readOnly}`,
    `grant usage, select on all sequences in schema public to ${api}, ${worker}`,
    `revoke update, delete on ${ADDED_TO_ONLY.join(', ')} from ${api}, ${worker}`,
    `revoke insert, update, delete on ${OF_WORKERS.join(', ')} from ${api}`,
    `do $$ declare part regclass; begin
  for part in select c.oid::regclass from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname ~ '${NOT_BY_REQUESTS}'
  loop
    execute format('revoke insert, update, delete on %s from ${api}', part);
  end loop;
end $$`,
    `revoke insert, update, delete on schema_versions from ${api}, ${worker}`,
    `revoke select on ${[...SECRET, 'payments'].join(', ')} from ${readOnly}`,
    `grant select (${OF_PAYMENTS.join(', ')}) on payments to ${readOnly}`,
    `alter default privileges for role ${migrate} in schema public
  grant select, insert, update, delete on tables to ${api}, ${worker}`,
    `alter default privileges for role ${migrate} in schema public grant select on tables to ${readOnly}`,
    `alter default privileges for role ${migrate} in schema public grant usage, select on sequences to ${api}, ${worker}`,
  ];
}

const makeRole = (role: string): string => `do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then
    create role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
  end if;
end $$`;

const joinRole = (role: string): string => `do $$ begin
  if not pg_has_role(current_user, '${role}', 'usage') then
    execute format('grant ${role} to %I', current_user);
  end if;
end $$`;

/** Everything in the schema is the migrating role's, but for the tables that are in parts. */
const OWNERS = `do $$ declare object record; begin
  for object in
    select c.oid::regclass as name, case when c.relname ~ '${IN_PARTS}' then '${worker}' else '${migrate}' end as owner,
      case c.relkind when 'S' then 'sequence' else 'table' end as kind
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S')
      -- The sequence of an identity column goes with its table.
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('i', 'a') and c.relkind = 'S')
  loop
    execute format('alter %s %s owner to %I', object.kind, object.name, object.owner);
  end loop;
  for object in
    select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter function %s owner to ${migrate}', object.name);
  end loop;
end $$`;
