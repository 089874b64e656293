import type { Atom } from './atom.ts';
import { isName } from './atom-kinds.ts';
import { isJoint, verbOf } from './governed-verbs.ts';
import { endsSentence } from './sentences.ts';
import type { Said } from './standing.ts';
import { refusedLimit } from './standing-refusals.ts';

/** Words that permit a name. */
export const PERMITTING = new Set('ONLY ALLOWED ENOUGH'.split(' '));

/**
 * "No deals above 50 USDC, deals with x.eth", "… and x.eth", "…, travel": these go on with the refusal. "Nothing above 50
 * USDC, on Base" goes on with the main clause, as does what stands in a sentence of its own.
 */
export function goesOnFromLimit(
  atoms: readonly Atom[],
  { at, to }: Said,
  gap: readonly Atom[],
  parts: readonly Atom[],
): boolean {
  const head = atoms.slice(at, to);
  const first = parts.find(({ kind }) => !['SEP', 'OR', 'ART'].includes(kind))!;
  const refused = head.some(({ kind, text }) => NOUNS.has(kind) || (kind === 'VERB' && /ing$/i.test(text)));
  if (NOUNS.has(first.kind) && verbOf([first]) === undefined && refused) return true;
  if (gap.some(endsSentence)) return false;
  return (
    gap.some(isJoint) ||
    first.kind === 'CATEGORY' ||
    head.some(({ kind }) => kind === 'DENY' || kind === 'OFF')
  );
}

const NOUNS = new Set('DEAL ANY'.split(' '));

/** "No deals above 90% of market value, music": the names, where one clause holds them and the refusal. */
export function behindLimit(atoms: readonly Atom[], said: Said): readonly Atom[] {
  const from = refusedLimit(atoms, { ...said, facts: [] });
  if (from === null) return [];
  const length = atoms.slice(from, said.to).findIndex(({ kind }) => kind === 'SEP' || kind === 'OR');
  const to = length === -1 ? said.to : from + length;
  const listed = atoms.slice(to, said.to);
  const first = listed.find(({ kind }) => kind !== 'SEP' && kind !== 'OR' && kind !== 'ART');
  const refused = atoms.slice(from, to).some(isName);
  if (refused || first === undefined || !['CATEGORY', ...NOUNS].includes(first.kind)) return [];
  if (verbOf([first]) !== undefined || listed.some(({ kind }) => PERMITTING.has(kind))) return [];
  return listed.filter(isName);
}
