import type { Atom } from './atom.ts';
import { isName, NAMING, wordsOf } from './atom-kinds.ts';
import type { Clauses } from './clauses.ts';
import { type Fact, wants } from './facts.ts';
import { adds, between, isGoverned, isJoint, turns, verbOf } from './governed-verbs.ts';
import { bothWays } from './offers.ts';
import { behindLimit, goesOnFromLimit, PERMITTING } from './refused-limits.ts';
import { endsSentence, isFullStop } from './sentences.ts';
import type { Said, Standing } from './standing.ts';
import { refusedLimit, standingAt } from './standing-refusals.ts';

/** What a list of names consists of, but for words that permit one of them. */
const LISTED = new Set(
  'CATEGORY CHAIN PARTY MODIFIER ITEM PREP ART OR PER DEAL GEN CHAINWORD PARTYWORD SEP'.split(' '),
);
/** "Goods: wine", "use Polygon". */
const TURNS = /^(?::|=|use|using|permit)$/i;

/**
 * "Excluded chains: Base; Polygon", "never on Base, with x.eth", "refuse music and deals with y.eth": names of any kind
 * behind refused ones, which no word of their own permits. They may go on with the refusal, or be what is wanted instead:
 * null where that is not open.
 * @param read what was read before
 */
export function refusedOn(clauses: Clauses, read: Standing, said: Said): readonly Fact[] | null {
  const { atoms } = clauses;
  const turning = turnsBack(atoms, read.last, said);
  if (turning !== null) return turning;
  if (!wants(said.facts)) return null;
  clauses.steps.take(said.to - said.at);
  const nor = behindNor(atoms, read.last, said);
  const under = nor.length === 0 && standsUnder(clauses, read, said);
  const names = under
    ? named(atoms, said)
    : [
        ...nor,
        ...permittedToo(atoms, read.last, said),
        ...goingOn(atoms, read.last, said),
        ...behindLimit(atoms, said),
      ];
  if (names.length === 0) return null;
  const words = wordsOf(names);
  const either = `Is "${words}" refused like what stands before it, or is it what the agent may deal in?`;
  const offer = bothWays(names, clauses.deed);
  return [
    ...said.facts
      .filter((fact) => !wants([fact]))
      .map((fact) => (fact.fact === 'cap' ? { ...fact, goods: null, chains: null } : fact)),
    {
      fact: 'ask',
      reason: 'NOT_UNDERSTOOD',
      question: offer === null ? either : `${either} ${offer}`,
      about: { start: names[0]!.start, end: names.at(-1)!.end },
      worded: true,
    },
  ];
}

/** True where a refusal stands over the names of a clause, and no word of theirs permits them. */
function standsUnder(clauses: Clauses, read: Standing, said: Said): boolean {
  const { atoms } = clauses;
  const { at, to } = said;
  const gap = between(atoms, read.last, at);
  const parts = atoms.slice(at, to);
  const first = parts.find(({ kind }) => kind !== 'SEP' && kind !== 'OR')!;
  if (parts.some(({ kind }) => PERMITTING.has(kind)) || gap.some(turned)) return false;
  // "At most 40 USDC per watch".
  const name = parts.findIndex(isName);
  if (parts.slice(0, name).some(({ kind }) => kind === 'MONEY')) return false;
  const head = clauses.headedAt(at);
  if (head !== null) return head === 'labels' || !isLabelled(parts);
  const here = standingAt(atoms, read, at);
  const again = here.refusal === undefined && isRepeated(read, gap, first);
  if (!again && (here.refusal === undefined || !overNames(here, gap, first, said))) return false;
  if (!again && gap.every((atom) => !isJoint(atom)) && hasOwnLimit(atoms, here, said)) return false;
  const standing = again ? read.refusal! : here.refusal!;
  if (beginsAnew(atoms.slice(standing.at, standing.to), gap, first)) return false;
  if (refusedLimit(atoms, standing) !== null && !goesOnFromLimit(atoms, standing, gap, parts)) return false;
  if (/^(?:use|permit)$/i.test(first.text) || isLabelled(parts)) return false;
  const verb = verbOf(parts);
  return verb === undefined || isGoverned(atoms, here, said, verb);
}

/** "No solana, wine max 3 deals a day": what has a limit of its own is wanted, where no goods are refused. */
function hasOwnLimit(atoms: readonly Atom[], { refused }: Standing, { at, to, facts }: Said): boolean {
  if (refused.size === 0 || refused.has('goods') || !wants(facts, 'goods')) return false;
  let last = at;
  while (last < to && ['SEP', 'MODIFIER', 'ITEM', 'ART'].includes(atoms[last]!.kind)) last++;
  if (atoms[last]?.kind !== 'CATEGORY') return false;
  let next = last + 1;
  while (['PREP', 'ART', 'CAP', 'KEEP'].includes(atoms[next]?.kind ?? '')) next++;
  return ['MONEY', 'NUMBER', 'PERCENT', 'LIMIT', 'MINIMUM'].includes(atoms[next]?.kind ?? '');
}

/** "No music; everything on Base": the noun of all that may be done, which is not what was refused. */
function beginsAnew(refusal: readonly Atom[], gap: readonly Atom[], first: Atom): boolean {
  const all = ({ kind, text }: Atom): boolean => kind === 'ANY' && /^(?:every|all\b)/i.test(text);
  return all(first) && gap.some(endsSentence) && !refusal.some(all) && refusal.some(isName);
}

/** "Refuse music. Deals on Base": the noun of what is refused begins a sentence of its own. */
function isRepeated({ last, refusal, permits }: Standing, gap: readonly Atom[], first: Atom): boolean {
  const goesOn = refusal !== undefined && !permits && last !== undefined;
  return (
    goesOn && gap.some(isFullStop) && ['DEAL', 'ANY'].includes(first.kind) && verbOf([first]) === undefined
  );
}

/**
 * True where what stands before goes on to names of a clause. "Never on Base, with x.eth" does. In "buy wine, never on Base,
 * from x.eth" the main clause goes on, unless a word joins the names to the refused ones, or they are of a kind of which it
 * named some before.
 */
function overNames(
  { permits, refused, allowed }: Standing,
  gap: readonly Atom[],
  first: Atom,
  { facts }: Said,
): boolean {
  const known = (kinds: ReadonlySet<Fact['fact']>): boolean => [...kinds].some((kind) => wants(facts, kind));
  // "50 USDC a deal, not on Base: wine".
  if (gap.some(({ value }) => value === ':') && !known(refused)) return false;
  // "Buy wine; never with x.eth; bonds".
  const listed = gap.some(({ value }) => value === ';') && ['CATEGORY', 'MODIFIER'].includes(first.kind);
  if (listed && allowed.has('goods') && !known(refused)) return false;
  if (!permits || first.kind !== 'PREP' || gap.some(adds)) return true;
  return known(refused) || known(allowed);
}

/** "Chains: Base". */
function isLabelled(parts: readonly Atom[]): boolean {
  return parts.some(
    ({ kind, value }, at) =>
      kind === 'SEP' &&
      value === ':' &&
      ['GEN', 'CHAINWORD', 'PARTYWORD'].includes(parts[at - 1]?.kind ?? ''),
  );
}

/** "Buy wine, nor travel": no refusal goes on to these names, and "or" is not what the word says. */
function behindNor(atoms: readonly Atom[], last: Said | undefined, { at, to }: Said): readonly Atom[] {
  const from = last?.to ?? 0;
  const nor = atoms.slice(from, to).findIndex(({ kind, text }) => kind === 'OR' && /^nor$/i.test(text));
  if (nor === -1) return [];
  let first = from + nor + 1;
  while (LEADING_ON.has(atoms[first]?.kind ?? '')) first++;
  if (first < at || first >= to || !isName(atoms[first]!)) return [];
  return atoms.slice(first, to).filter(({ kind }) => kind === atoms[first]!.kind);
}

/** "No deals on Base, Polygon and Solana are fine": of the refused names the last may be one of those that are fine. */
function permittedToo(
  atoms: readonly Atom[],
  before: Said | undefined,
  { at, to, facts }: Said,
): readonly Atom[] {
  const parts = atoms.slice(at, to);
  const several = parts.some(({ kind, text }) => kind === 'ALLOWED' && /^are\b/i.test(text));
  if (!several || before === undefined || parts.filter(isName).length !== 1) return [];
  const refused = before.facts.some((fact) => 'deny' in fact && fact.deny && wants(facts, fact.fact));
  const joint = atoms.slice(before.to, at);
  if (!refused || joint.length !== 1 || !isJoint(joint[0]!) || atoms[before.to - 2]?.value !== ',') return [];
  return [atoms[before.to - 1]!, ...parts].filter(isName);
}

const LEADING_ON = new Set('PREP ART DEAL GEN ANY PER MODIFIER ITEM VERB CHAINWORD PARTYWORD'.split(' '));

/** The names of a clause, with what leads to them. */
function named(atoms: readonly Atom[], { at, to }: Said): readonly Atom[] {
  const parts = atoms.slice(at, to);
  const first = parts.findIndex(({ kind }) => kind !== 'SEP');
  return parts.slice(first, parts.findLastIndex(isName) + 1);
}

/** The names of a clause right behind refused ones of their kind, in another sentence. */
function goingOn(atoms: readonly Atom[], before: Said | undefined, said: Said): readonly Atom[] {
  const refused = before?.facts.some((fact) => 'deny' in fact && fact.deny && wants(said.facts, fact.fact));
  return refused !== true || atoms.slice(before!.to, said.at).some(turned) ? [] : listed(atoms, said);
}

/**
 * "Chains: Ethereum, not Base, Polygon", "from x.eth, not from y.eth, z.eth": behind the refused name, a name may go on with
 * the refusal or with the list before it. A word between the refused names, as in "not Base or Polygon", joins them.
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
  const words = names.filter(isName).map(({ text }) => text);
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
const NAMES = new Set([...NAMING, 'MODIFIER', 'CHAINWORD', 'PARTYWORD', 'GEN']);

/** "Never on Base, but on Polygon", "the rest may be sold to us: wine". */
function turned(atom: Atom, at: number): boolean {
  return turns(atom) || (atom.value === ':' && at > 0);
}

/** The list of names that a clause begins with; none where it permits them or names their price. */
function listed(atoms: readonly Atom[], { at, to }: Said): readonly Atom[] {
  // "Never on Base. Trade on Polygon" has a verb of its own.
  if (verbOf(atoms.slice(at, to)) !== undefined) return [];
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
