import type { Atom } from '../atoms.ts';

/** The nouns by which a text names the goods of each category: "ticket" for "concert tickets". */
export type Nouns = ReadonlyMap<string, ReadonlySet<string>>;

export function nounsOf(atoms: readonly Atom[]): Nouns {
  const found = new Map<string, Set<string>>();
  for (const { kind, value, text } of atoms)
    if (kind === 'CATEGORY') found.set(value, (found.get(value) ?? new Set()).add(headOf(text)));
  return found;
}

/** "Buy travel, no flight over 300 USDC": a limit on flights is none on hotels, though both are travel. */
export function namesAll(nouns: Nouns, atoms: readonly Atom[]): boolean {
  return atoms.every(({ kind, value, text }) => {
    if (kind !== 'CATEGORY') return true;
    const all = nouns.get(value);
    return all === undefined || (all.size === 1 && all.has(headOf(text)));
  });
}

/** The last word of the noun itself, as a singular. */
export function headOf(text: string): string {
  const noun = text.toLowerCase().split(/ (?:of|to|for|in|from) /)[0]!;
  const last = noun.split(/[\s-]+/).at(-1)!;
  if (/ies$/.test(last)) return `${last.slice(0, -3)}y`;
  return last.replace(/(?<=x|ch|sh)es$|(?<!s)s$/, '');
}
