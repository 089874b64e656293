import { type Cell, conflicting, insert, type Row, type Table, visible } from './rows.ts';
import { completeRow, type Place } from './statements.ts';

/** What the hand-written statements have in common. */

export type Params = readonly unknown[];
export type Statement = (place: Place, params: Params) => readonly Row[];

export const time = (at: unknown): number => (at as Date).getTime();
export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
export const bySerial = (serial: string) => (a: Row, b: Row) =>
  (a[serial] as bigint) < (b[serial] as bigint) ? -1 : 1;
export const unserved = (row: Row | null): row is Row =>
  row !== null && row.consumed_at === null && row.dead_lettered_at === null;

export function* seen(
  place: Place,
  table: Table,
  column: string,
  value: unknown,
): Generator<{ cell: Cell; row: Row }> {
  for (const cell of [...table.where(column, value)]) {
    const row = visible(cell, place.trx);
    if (row !== null && row[column] === value) yield { cell, row };
  }
}

export function find(place: Place, name: string, column: string, value: unknown) {
  for (const found of seen(place, place.table(name), column, value)) return found;
  return null;
}

/** @returns the row when it is new */
export function insertNew(place: Place, name: string, target: readonly string[], given: Row): Row | null {
  const table = place.table(name);
  const row = completeRow(table, given, place.now);
  if (conflicting(table, row, place.trx, { target })) return null;
  const { serial } = table.shape;
  const numbered = serial === undefined ? row : { ...row, [serial]: table.nextSerial() };
  insert(table, numbered, place.trx);
  return numbered;
}

export const MAIL = ['actor_id', 'event_id'];

/** Checks everything for which a statement may have to wait, before it writes anything. */
export function requireNoConflict(place: Place, name: string, target: readonly string[], given: Row): void {
  const table = place.table(name);
  conflicting(table, given, place.trx, { target });
}

export function mail(
  place: Place,
  actorId: unknown,
  eventId: unknown,
  event: unknown,
  at: unknown,
  servedIn: bigint | null = null,
) {
  const given = {
    actor_id: actorId,
    event_id: eventId,
    event,
    created_at: at,
    ...(servedIn === null ? {} : { consumed_at: at, served_in: servedIn }),
  };
  return insertNew(place, 'mailbox', MAIL, given);
}
