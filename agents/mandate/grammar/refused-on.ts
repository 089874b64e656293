import type { Atom } from './atom.ts';
import type { Fact } from './facts.ts';
import { isFullStop } from './sentences.ts';

/** What a clause says, and where it stands. */
export interface Said {
  readonly at: number;
  readonly to: number;
  readonly facts: readonly Fact[];
}

/** What a list of names consists of, but for words that permit one of them. */
const LISTED = new Set(
  'CATEGORY CHAIN PARTY MODIFIER ITEM PREP ART OR PER GEN CHAINWORD PARTYWORD SEP'.split(' '),
);
const PERMITTING = new Set('ONLY ALLOWED ENOUGH'.split(' '));
/** "Goods: wine", "use Polygon". */
const TURNS = /^(?::|=|use|using|permit)$/i;

/**
 * "Excluded chains: Base; Polygon", "never with x.eth; also with y.eth": names behind refused ones of their kind, which
 * no word permits. They may go on with the refusal, or be what is wanted instead: null where that is not open.
 * @param before the clause that was read before
 */
export function refusedOn(
  atoms: readonly Atom[],
  before: Said | undefined,
  said: Said,
): readonly Fact[] | null {
  const turning = turnsBack(atoms, before, said);
  if (turning !== null) return turning;
  const { at, facts } = said;
  const refused =
    before?.facts.some((fact) => 'deny' in fact && fact.deny && wants(facts, fact.fact)) === true;
  if (!refused || atoms.slice(before.to, at).some(turned)) return null;
  const names = listed(atoms, said);
  if (names.length === 0) return null;
  const words = names
    .map(({ text }) => text)
    .join(' ')
    .replace(/ ,/g, ',');
  return [
    ...facts
      .filter((fact) => !wants([fact]))
      .map((fact) => (fact.fact === 'cap' ? { ...fact, goods: null, chains: null } : fact)),
    {
      fact: 'ask',
      reason: 'NOT_UNDERSTOOD',
      question: `Is "${words}" refused like what stands before it, or is it what the agent may deal in?`,
      about: { start: names[0]!.start, end: names.at(-1)!.end },
      worded: true,
    },
  ];
}

/**
 * "Chains: Ethereum, not Base, Polygon", "from x.eth, not from y.eth, z.eth": behind the refused name, a name may go on with the refusal or with the list
 * before it. A word between the refused names, as in "not Base or Polygon", joins them.
 */
function turnsBack(atoms: readonly Atom[], before: Said | undefined, said: Said): readonly Fact[] | null {
  const { to, facts } = said;
  const at = atoms[said.at]!.value === ',' ? said.at + 1 : said.at;
  const [denied] = facts;
  if (denied === undefined || !('deny' in denied) || !denied.deny || !/^not?$/i.test(atoms[at]!.text))
    return null;
  const wanted = before !== undefined && wants(before.facts, denied.fact);
  if (!wanted || !atoms.slice(before.to, at).every(({ value }) => value === ',')) return null;
  // "Only on Ethereum, not on Base, Polygon": nothing but Ethereum is wanted.
  if (atoms.slice(before.at, before.to).some(({ kind }) => kind === 'ONLY')) return null;
  let first = at + 1;
  while (LEADING.has(atoms[first]?.kind ?? '')) first++;
  const names = atoms.slice(first, to);
  const bare = names.every(({ kind, value }) => NAMES.has(kind) || value === ',');
  if (!bare || !names.some(({ value }) => value === ',')) return null;
  const words = names.filter(({ kind }) => NAMED.has(kind)).map(({ text }) => text);
  return [
    {
      fact: 'ask',
      reason: 'NOT_UNDERSTOOD',
      question: `Are "${words.join(', ')}" all refused, or only "${words[0]}"?`,
      about: { start: atoms[at]!.start, end: names.at(-1)!.end },
      worded: true,
    },
  ];
}

const LEADING = new Set('PREP ART DEAL CHAINWORD PARTYWORD'.split(' '));
const NAMED = new Set('CATEGORY CHAIN PARTY'.split(' '));
const NAMES = new Set([...NAMED, 'MODIFIER', 'CHAINWORD', 'PARTYWORD', 'GEN']);

/** "Never on Base, but on Polygon", "the rest may be sold to us: wine". */
function turned({ value, text }: Atom, at: number): boolean {
  return /^(?:but|yet|however)$/i.test(text) || (value === ':' && at > 0);
}

/** True where a list is allowed, of one kind or of any. */
function wants(facts: readonly Fact[], kind?: Fact['fact']): boolean {
  return facts.some(
    (fact) =>
      (fact.fact === 'goods' || fact.fact === 'chains' || fact.fact === 'parties') &&
      !fact.deny &&
      (kind === undefined || kind === fact.fact),
  );
}

/** The list of names that a clause begins with; none where it permits them or names their price. */
function listed(atoms: readonly Atom[], { at, to }: Said): readonly Atom[] {
  let end = at;
  while (end < to && LISTED.has(atoms[end]!.kind) && !TURNS.test(atoms[end]!.text)) end++;
  const [sign, next] = [atoms[end - 1], atoms[end]];
  if (end < to && (sign?.kind !== 'SEP' || PERMITTING.has(next!.kind))) return [];
  // "Coins: 40 USDC", and "no travel. Wine, 40 USDC": what a price is said of is wanted.
  if (
    next?.value === ':' ||
    (end < to && at > 0 && isFullStop(atoms[at - 1]!) && atoms[at]!.kind === 'CATEGORY')
  )
    return [];
  const names = atoms.slice(at, end);
  return names.slice(0, names.findLastIndex(({ kind }) => kind !== 'SEP') + 1);
}
