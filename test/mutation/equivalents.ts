import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf, type Mutant } from './mutants.ts';

const FILE = join(import.meta.dirname, 'equivalent.json');

/** Mutants that no test can tell from the contract, by name, each with the reason why. */
export function readEquivalents(): ReadonlyMap<string, string> {
  return new Map(Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>));
}

/** Names in the list that belong to none of the files' mutants any more. */
export function staleAmong(
  equivalents: ReadonlyMap<string, string>,
  files: readonly string[],
  mutants: readonly Mutant[],
): readonly string[] {
  const known = new Set(mutants.map(idOf));
  return [...equivalents.keys()].filter((id) => files.includes(id.split(' | ')[0]!) && !known.has(id));
}
