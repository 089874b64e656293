import type { Atom } from './atom.ts';
import { endsSentence, SENTENCE_ENDS } from './sentences.ts';

export const SEMICOLON = { kind: 'SEP', value: ';' };
const FULL_STOP = { kind: 'SEP', value: '.' };

/**
 * True for a slash that separates clauses, as in "40 USDC per deal / until May": it has spaces around it, and no unit
 * follows, unlike in "40 USDC / deal".
 */
export function parts(atom: Atom, before: Atom | undefined, next: Atom | undefined, text: string): boolean {
  if (atom.text !== '/') return false;
  // "Ethereum / Arbitrum" goes on with a list.
  if (before?.kind === next?.kind && ['CHAIN', 'PARTY', 'CATEGORY'].includes(next?.kind ?? '')) return false;
  const spaced = /\s/.test(text[atom.start - 1] ?? '') && /\s/.test(text[atom.end] ?? '');
  const per = ['UNIT', 'DEAL', 'VERB', 'CATEGORY', 'SINGLE', 'ART', 'PER', 'GEN', 'UNKNOWN'].includes(
    next?.kind ?? '',
  );
  return spaced && (!per || !isAmountBefore(atom, text));
}

/** True when an amount comes right before the slash: what follows may then be what the amount limits. */
function isAmountBefore(atom: Atom, text: string): boolean {
  let end = atom.start;
  while (end > 0 && /\s/.test(text[end - 1]!)) end--;
  return /(?:\d|usdc?|dollars?|k|m)$/i.test(text.slice(Math.max(0, end - LONGEST_CURRENCY), end));
}

const LONGEST_CURRENCY = 'dollars'.length;

/** Drops "1)", "2)", "3)" when each opens a clause and they count up from one, since they only number the clauses. */
export function withoutNumbering(atoms: readonly Atom[], text: string): readonly Atom[] {
  let next = 1;
  const numbers = new Set<number>();
  atoms.forEach((atom, at) => {
    const before = atoms[at - 1];
    const opens =
      before === undefined || (before.kind === 'SEP' && [...SENTENCE_ENDS, ',', ':'].includes(before.value));
    if (atom.kind !== 'NUMBER' || atom.text !== String(next)) return;
    if (!opens && text[atom.end] !== ')') return;
    // "1) …" or "1. …", with more to say behind it.
    if (text[atom.end] !== ')' && (text[atom.end] !== '.' || atoms[at + 2] === undefined)) return;
    numbers.add(at).add(at + 1);
    next++;
  });
  // What is said under one number does not go on under the next, but "never: 1) on Base 2) with x.eth" does.
  const whole = numbers.has(0);
  return next > 2
    ? atoms.flatMap((atom, at) => {
        if (!numbers.has(at)) return [atom];
        if (atom.kind !== 'NUMBER' || at === 0) return [];
        const heads = atoms.slice(0, at).findLast((before) => !endsSentence(before))?.value === ':';
        return [{ ...atom, ...(whole && !heads ? FULL_STOP : SEMICOLON) }];
      })
    : atoms;
}

const JOINTS = new Set([',', 'and', '&', ')']);

/** "Debt only (invoices, bonds)": drops goods in brackets that name once more what stands in front of them. */
export function withoutRestatement(atoms: readonly Atom[]): readonly Atom[] {
  const dropped = new Set<number>();
  atoms.forEach(({ kind, value }, at) => {
    if (kind !== 'SEP' || value !== '(') return;
    let before = at - 1;
    while (['ONLY', 'GEN'].includes(atoms[before]?.kind ?? '')) before--;
    const goods = atoms[before];
    if (goods?.kind !== 'CATEGORY') return;
    let to = at + 1;
    const same = (atom: Atom | undefined): boolean =>
      (atom?.kind === 'CATEGORY' && atom.value === goods.value) ||
      (atom?.kind === 'SEP' && JOINTS.has(atom.text.toLowerCase()));
    while (same(atoms[to]) && atoms[to]!.value !== ')') to++;
    if (atoms[to]?.value !== ')' || to === at + 1) return;
    for (let i = at; i <= to; i++) dropped.add(i);
  });
  return dropped.size === 0 ? atoms : atoms.filter((_, at) => !dropped.has(at));
}

const FORBIDDING =
  /^(?:you )?(?:may not|must not|do not|don't|never|should not|shall not|cannot|can't|not to)$/i;

/**
 * "The agent may not: spend over 160 USDC a deal; deal on Base": puts what forbids in front of each, up to a full stop, the
 * end of the line, other words, or another colon.
 */
export function withEachForbidden(atoms: readonly Atom[]): readonly Atom[] {
  let forbids: Atom | null = null;
  const read: Atom[] = [];
  atoms.forEach((atom, at) => {
    const next = atoms[at + 1];
    const colon = atom.kind === 'SEP' && atom.value === ':';
    if (colon && atoms[at - 1]?.kind === 'NEG' && FORBIDDING.test(atoms[at - 1]!.text) && isDeed(next)) {
      forbids = { ...atoms[at - 1]!, heads: true };
      read[read.length - 1] = forbids;
      return;
    }
    const parted = endsSentence(atom) && (atom.text !== ';' || (next?.start ?? 0) - atom.end > 1);
    if (colon || parted) forbids = null;
    read.push(atom);
    if (forbids !== null && atom.kind === 'SEP' && isDeed(next))
      read.push({ ...forbids, start: atom.end, end: atom.end });
  });
  return read;
}

function isDeed(atom: Atom | undefined): boolean {
  if (atom?.kind === 'DEAL') return /^(?:deal|trade|transact|do business)\b/i.test(atom.text);
  return ['VERB', 'KEEP', 'ABOVE'].includes(atom?.kind ?? '');
}
