import type { Atom } from './atom.ts';
import { endsSentence } from './sentences.ts';

const KEEPS = /\b(?:keep|keeps|keeping|hold|holds|holding)$/i;
const STAYS = /^(?:keep|stay|stays|remain|remains)$/i;
const MINE = /^(?:mine|ours)$/i;
const LEADING = new Set('ART PER ANY ONLY MODIFIER ITEM ME'.split(' '));
const LISTED = new Set('CATEGORY MODIFIER ITEM ART OR'.split(' '));
/** What is kept below, at or to these is a limit: "keep wine under 50 USDC each". */
const LIMITS = new Set('MONEY NUMBER PERCENT MARKET FACE BADNUMBER'.split(' '));
/** How many atoms a clause about what is kept may have. */
const FARTHEST = 16;

/**
 * "Sell everything, keep the wine", "the wine stays with me", "wine is mine": who keeps goods does not sell them. The words
 * limit elsewhere, and say nothing of themselves; here they are kept as not understood, so that they are asked about.
 */
export function withKept(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.map((atom, at) =>
    keepsGoods(atoms, at) || goodsStay(atoms, at) ? { ...atom, kind: 'UNKNOWN', value: atom.text } : atom,
  );
}

function keepsGoods(atoms: readonly Atom[], at: number): boolean {
  const atom = atoms[at]!;
  if (atom.kind !== 'KEEP' || !KEEPS.test(atom.text)) return false;
  let next = at + 1;
  while (LEADING.has(atoms[next]?.kind ?? '')) next++;
  if (atoms[next]?.kind !== 'CATEGORY') return false;
  while (LISTED.has(atoms[next]?.kind ?? '')) next++;
  return !limited(atoms, next);
}

/** "The wine stays", "wine I keep", "the wine is mine". */
function goodsStay(atoms: readonly Atom[], at: number): boolean {
  const atom = atoms[at]!;
  const stays = atom.kind === 'KEEP' ? STAYS.test(atom.text) : atom.kind === 'ME' && MINE.test(atom.text);
  const before = atoms[at - 1]?.kind === 'ME' ? atoms[at - 2] : atoms[at - 1];
  return stays && before?.kind === 'CATEGORY' && !limited(atoms, at + 1);
}

function limited(atoms: readonly Atom[], from: number): boolean {
  for (let at = from; at < Math.min(from + FARTHEST, atoms.length); at++) {
    const { kind, value } = atoms[at]!;
    if (LIMITS.has(kind)) return true;
    if (endsSentence(atoms[at]!) || (kind === 'SEP' && value !== ':')) return false;
  }
  return false;
}
