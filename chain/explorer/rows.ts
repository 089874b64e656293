import { ExplorerError } from './explorer.ts';

/** An untrusted JSON object. */
export type Row = Readonly<Record<string, unknown>>;

/** @throws ExplorerError malformed */
export function rowOf(value: unknown, what: string): Row {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Row;
  throw malformed(what);
}

/** @throws ExplorerError malformed */
export function rowsOf(value: unknown, what: string): readonly Row[] {
  if (Array.isArray(value)) return value.map((row) => rowOf(row, what));
  throw malformed(what);
}

/** The first member of these names that is given. Releases of one explorer name members differently. */
export function member(row: Row, ...names: readonly string[]): unknown {
  return names.map((name) => row[name]).find((value) => value !== undefined && value !== null);
}

/** An address in lower case. @throws ExplorerError malformed */
export function addressOf(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase();
  throw malformed('an address');
}

/** A transaction hash in lower case. @throws ExplorerError malformed */
export function hashOf(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase();
  throw malformed('a transaction hash');
}

/** A whole number of at most 256 bits, in decimal. @throws ExplorerError malformed */
export function numberOf(value: unknown): bigint {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^[0-9]{1,78}$/.test(text)) return BigInt(text);
  throw malformed('a number');
}

export function malformed(what: string): ExplorerError {
  return new ExplorerError('malformed', `the explorer answers another form where ${what} belongs`);
}
