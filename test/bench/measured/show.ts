import { writeFileSync } from 'node:fs';
import { topOf } from './profile.ts';
import type { MeasuredService } from './service.ts';
import { type Statement, topStatements, type WalPart } from './usage.ts';

const WIDTH = 150;
/** As many statements as make up nearly all that a deal asks. */
const OFTEN = 80;
const ALL = 5_000;
const WAL_PARTS = 60;

/** Prints where the process spent its time, by a profile. */
export function showProfile(file: string, per: { readonly what: string; readonly count: number }): void {
  const { functions, packages } = topOf(file);
  console.log(`The service's own time, ms a ${per.what}, of ${file}:`);
  for (const { name, selfMs } of packages) line(selfMs / per.count, name);
  console.log(`Functions by their own time, ms a ${per.what}:`);
  for (const { name, selfMs } of functions) line(selfMs / per.count, name);
}

/** Prints the statements that took the database longest, and those that came most often. Nothing where the server does not count them. */
export async function showStatements(
  service: MeasuredService,
  per: { readonly what: string; readonly count: number },
): Promise<readonly Statement[]> {
  if (!service.counting) {
    console.log(
      'The server has no pg_stat_statements: queries are counted by the service, and none is named.',
    );
    return [];
  }
  const statements = await topStatements(service.db);
  const show = (all: readonly Statement[]) => {
    for (const { totalMs, calls, text } of all)
      line(totalMs / per.count, `${(calls / per.count).toFixed(2).padStart(6)} ×  ${text}`);
  };
  console.log(`Statements by time, ms and calls a ${per.what}:`);
  show(statements);
  console.log(`Statements by number, ms and calls a ${per.what}:`);
  show(await topStatements(service.db, 'calls', OFTEN));
  console.log(`Statements by WAL, kB and calls a ${per.what}:`);
  for (const { walBytes, calls, text } of await topStatements(service.db, 'wal_bytes'))
    line(walBytes / 1_000 / per.count, `${(calls / per.count).toFixed(2).padStart(6)} ×  ${text}`);
  return statements;
}

/** Writes every statement since they were last forgotten: calls, milliseconds and bytes of WAL in all, and its whole text. */
export async function keepStatements(service: MeasuredService, file: string): Promise<void> {
  if (!service.counting) return;
  writeFileSync(file, JSON.stringify(await topStatements(service.db, 'calls', ALL), null, 1));
}

/** Prints which tables and indexes wrote the most of the log of changes. */
export function showWal(
  parts: readonly WalPart[],
  per: { readonly what: string; readonly count: number },
): void {
  if (parts.length === 0) return;
  console.log(`WAL by what wrote it, kB and records a ${per.what}:`);
  for (const { name, record, records, bytes, imageBytes } of parts.slice(0, WAL_PARTS)) {
    const images =
      imageBytes > 0 ? `, ${(imageBytes / 1_000 / per.count).toFixed(2)} of them page images` : '';
    line(
      bytes / 1_000 / per.count,
      `${(records / per.count).toFixed(2).padStart(6)} ×  ${name} ${record}${images}`,
    );
  }
}

function line(ms: number, text: string): void {
  console.log(`${ms.toFixed(2).padStart(9)}  ${text.slice(0, WIDTH)}`);
}
