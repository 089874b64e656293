import { Compile } from 'typebox/compile';
import { Mandate } from '../agents/mandate/terms/schema.ts';
import type { JsonColumns } from './json-columns.ts';

/**
 * Read many at once, of which one that is damaged must not hold up the others, and looked at by tools when something is
 * wrong: a turn, an effect and a task each judge what is theirs, and fail by themselves. The outbox and the verdicts of
 * outcomes are read by the database alone.
 */
type JudgedByItsReader =
  | `${'actors' | 'actor_births' | 'actor_checkpoints' | 'mailbox' | 'timers' | 'effects'}.${string}`
  | 'quarantine.context'
  | 'event_outbox.body'
  | 'record_outcomes.verdicts';
type Checked = Exclude<keyof JsonColumns, JudgedByItsReader>;
type TableOf<C> = C extends `${infer Table}.${string}` ? Table : never;
type JsonTable = TableOf<Checked>;
type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (kinds: Readonly<Record<string, 'string' | 'number'>>): Check => {
  const members = Object.entries(kinds);
  return (value) => isObject(value) && members.every(([name, kind]) => typeof value[name] === kind);
};
const allOf =
  (is: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(is);
const listOf =
  (is: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(is);
const isText: Check = (value) => typeof value === 'string';

const mandate = Compile(Mandate);
const isToken = has({ chainId: 'number', contract: 'string', tokenId: 'string' });
const isSerial = has({ serialKind: 'string', serial: 'string' });
const isAsset: Check = (value) =>
  isObject(value) && (value.kind === 'token' ? isToken(value) : value.kind === 'serial' && isSerial(value));
/** Whether a value is a record as it is published. */
export const isPublicRecord: Check = has({
  recordId: 'string',
  kind: 'string',
  issuedAt: 'string',
  subject: 'string',
});

/**
 * Whether what was read is what the column is for. On the way of an order, and where anything may stand, the members are
 * looked at that decide what it is; the rest is as this service wrote it. A mandate decides over money: all of it is
 * checked, by code that was made of its schema (a microsecond or two).
 */
export const CHECKS: Readonly<Record<Checked, Check>> = {
  'agent_log.figures': allOf(isText),
  'checkouts.details': isObject,
  'deals.findings': listOf(has({ side: 'string', determination: 'string', verdict: 'string' })),
  'idempotency_keys.response': has({ status: 'number', body: 'string' }),
  'listings.asset': isAsset,
  'listings.attributes': allOf((value) => typeof value !== 'object'),
  'mandates.structured': (value) => mandate.Check(value),
  'owner_acts.detail': isObject,
  'owner_acts.signatures': listOf((value) => typeof value === 'string' && value.startsWith('0x')),
  'owner_notifications.body': isObject,
  'payments.receipt': isObject,
  'payments.record': has({ recordId: 'string', kind: 'string', issuedAt: 'string', hash: 'string' }),
  'public_events.events': listOf((value) => isObject(value) && isText(value.kind) && isObject(value.body)),
  'register_entries.detail': isObject,
  'signer_transactions.earlier': listOf(listOf(isText)),
};

const BY_TABLE = new Map<string, [string, Check][]>();
for (const [name, check] of Object.entries(CHECKS)) {
  const [table, column] = name.split('.') as [string, string];
  BY_TABLE.set(table, [...(BY_TABLE.get(table) ?? []), [column, check]]);
}

/** What stands in a row is not what its column is for: written by something else than this service, or damaged. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
}

/**
 * Checks what a row brings from the JSON columns of a table, and gives the row back. Columns that were not asked for are
 * not looked at; null stands for an empty column, or for a row that a join did not find.
 * @throws UnreadableRow naming the column
 */
export function parsed<Row extends object>(table: JsonTable, row: Row): Row {
  const read = row as Readonly<Record<string, unknown>>;
  for (const [column, is] of BY_TABLE.get(table) ?? []) {
    const value = read[column];
    if (value === undefined || value === null || is(value)) continue;
    throw new UnreadableRow(`${table}.${column} holds what it is not for`);
  }
  return row;
}

/** As {@link parsed}, of a row that may not be there. */
export function parsedOrNull<Row extends object>(table: JsonTable, row: Row | null | undefined): Row | null {
  return row === null || row === undefined ? null : parsed(table, row);
}

/** As {@link parsed}, of every row. */
export function parsedAll<Row extends object>(table: JsonTable, rows: Row[]): Row[] {
  for (const row of rows) parsed(table, row);
  return rows;
}
