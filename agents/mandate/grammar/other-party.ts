import type { Atom } from './atom.ts';

/** People with whom is dealt, as the subject of a verb. */
const PEOPLE =
  /\b(?:any|some|every|no ?)(?:one|body)\b|\brest\b|\bothers?\b|\belse\b|\b(?:seller|buyer|wallet|vendor|trader|part(?:y|ies)|people|person)s?\b/i;
const SUBJECT =
  /\b(?:they|he|she|others|whoever)(?:['’](?:re|s))?(?: (?:may|can|will|must|should|could|would|do|are|is))*$/i;
const RELATIVE = /\b(?:who|whoever|which|that)\b/i;
/** What the other party is paid, or asks, is said of a price, and names no side. */
const PRICED = /^(?:pay|bid|obtain|get|collect|win|fetch)/i;
const TAKING = /^(?:accept|take|receiv)/i;
const SELLER = /^(?:sellers?|vendors?|suppliers?|dealers?|merchants?)$/i;
const GOODS = new Set(['CATEGORY', 'MODIFIER', 'ITEM', 'ART', 'GEN', 'PER', 'OR']);
/** How many atoms back those may be named who may not. */
const FARTHEST = 64;
/** The longest list of goods between a verb and "to us". */
const LONGEST = 12;

/**
 * Turns what others do around: who may sell to us sells, and we buy. Where it is not said that they sell to us or buy
 * from us, the verb is kept as theirs, which no rule reads.
 */
export function withOthersActs(atoms: readonly Atom[], text: string): readonly Atom[] {
  const dropped = new Set<number>();
  const read = atoms.map((atom, at) => {
    // "Sellers accept at least 40 USDC": no lowest price of ours.
    if (atom.kind === 'KEEP' && TAKING.test(atom.text) && SELLER.test(atoms[at - 1]?.text ?? ''))
      return { ...atom, kind: 'THEIRS', value: '' };
    const offers = atom.kind === 'GEN' && /^offer/i.test(atom.text);
    if (!offers && (atom.kind !== 'VERB' || !['buy', 'sell'].includes(atom.value))) return atom;
    if (atom.kind === 'VERB' && atom.value === 'buy' && PRICED.test(atom.text)) return atom;
    const selling = offers || atom.value === 'sell';
    const subject = subjectOf(atoms, at, text);
    const toOwner = ownerBehind(atoms, at, selling);
    const named = toOwner !== null && subject === 'any' ? nothingNew(atoms, at) : null;
    if (toOwner !== null && named !== null) {
      for (const place of [...toOwner, ...named]) dropped.add(place);
      return { ...atom, kind: 'VERB', value: selling ? 'buy' : 'sell', text: selling ? 'buy' : 'sell' };
    }
    if (offers && subject === null) return atom;
    return toOwner !== null || subject !== null ? { ...atom, kind: 'THEIRS', value: '' } : atom;
  });
  return dropped.size === 0 ? read : read.filter((_, at) => !dropped.has(at));
}

/** Who does what the verb says: somebody with whom is dealt, by name or not; null where it is the agent or the owner. */
function subjectOf(atoms: readonly Atom[], at: number, text: string): 'any' | 'named' | null {
  const [subject, before] = [atoms[at - 1], atoms[at - 2]];
  const gap = text.slice(subject?.end ?? 0, atoms[at]!.start).trim();
  if (subject === undefined || subject.kind === 'SEP') return SUBJECT.test(gap) ? 'named' : null;
  if (subject.kind === 'ME') return null;
  const people =
    subject.kind === 'PARTYWORD' ||
    subject.kind === 'PARTY' ||
    (subject.kind === 'ANY' && PEOPLE.test(subject.text));
  if (!people) return SUBJECT.test(gap) ? 'named' : null;
  // "From any seller buy wine": the party stands behind its preposition, and the agent buys.
  if (!RELATIVE.test(gap) && ['PREP', 'VERB', 'DEAL'].includes(before?.kind ?? '')) return null;
  if (subject.kind !== 'PARTY') return 'any';
  return 'named';
}

/**
 * The places of a subject that limits nothing: "sellers may offer us", and "the rest may sell to us" behind those who
 * may not. Empty where the subject is kept, as in "anyone may sell to us"; null where it is not known who is meant.
 */
function nothingNew(atoms: readonly Atom[], at: number): readonly number[] | null {
  const subject = atoms[at - 1]!;
  const led = atoms[at - 2]?.kind === 'PER' ? at - 2 : at - 1;
  const opens = atoms[led - 1] === undefined || atoms[led - 1]!.kind === 'SEP';
  if (subject.kind === 'PARTYWORD') return opens ? [led, at - 1] : null;
  if (!/\b(?:rest|others?|else)\b/i.test(subject.text)) return [];
  const kinds = atoms.slice(Math.max(0, at - FARTHEST), at - 1).map(({ kind }) => kind);
  const refused = kinds.some((kind) => ['OFF', 'DENY', 'NEG', 'EXCEPT', 'LEAVE'].includes(kind));
  return opens && refused && kinds.includes('PARTY') && !kinds.includes('CATEGORY') ? [at - 1] : null;
}

/** The places of "us", "to us" behind a seller's verb, of "from us" behind a buyer's; null where nothing of it stands. */
function ownerBehind(atoms: readonly Atom[], at: number, selling: boolean): readonly number[] | null {
  if (selling && owner(atoms[at + 1])) return [at + 1];
  for (let i = at + 1; i < at + LONGEST; i++) {
    const atom = atoms[i];
    if (atom === undefined) return null;
    if (atom.kind === 'PREP' && (selling ? /^(?:to|onto)$/i : /^from$/i).test(atom.text))
      return owner(atoms[i + 1]) ? [i, i + 1] : null;
    if (!GOODS.has(atom.kind) && !(atom.kind === 'SEP' && /^(?:,|and|&)$/i.test(atom.text))) return null;
  }
  return null;
}

function owner(atom: Atom | undefined): boolean {
  return atom?.kind === 'ME' && /^(?:me|us)$/i.test(atom.text);
}
