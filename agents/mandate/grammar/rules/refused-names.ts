import type { Atom } from '../atom.ts';
import { isName, isRefusing } from '../atom-kinds.ts';
import { repeats } from './repeated-refusals.ts';

/** The names that each kind of noun may stand for: "goods: wine", "the chain Base", "the seller x.eth". */
const OWN: Readonly<Record<string, string>> = {
  ...{ GEN: 'CATEGORY', DEAL: 'CATEGORY', ITEM: 'CATEGORY' },
  ...{ CHAINWORD: 'CHAIN', PARTYWORD: 'PARTY' },
};
const LABELS = ['GEN', 'CHAINWORD', 'PARTYWORD'];
/** Fewer things than their name tells: who refuses copies of them does not refuse them. */
const NARROW = /^(?:pairs?|cop(?:y|ies)|pieces?|bookings?|licen[cs]es?)$/i;
const REFUSED = ['VERB', 'BOUGHT', 'SOLD', 'ALLOWED', 'KEEP'];

/**
 * True where what a clause refuses are the names in it, and nothing else. "Cars, not from dealers", "cars, no copies", "no
 * dealers, goods: cars", "dealers never, buy cars": the word refuses something that stands beside it, where "cars: never",
 * "goods to avoid: cars" and "no deals in cars" refuse the cars. Every noun must belong to the names, and every separator
 * to a list of them or to a label, so that what cannot be told is asked about.
 * @param atoms all of the clause
 * @param following the two atoms behind it, where there are any
 */
export function refusesNames(atoms: readonly Atom[], following: readonly (Atom | undefined)[]): boolean {
  const [next, beyond] = following;
  const at = atoms.findIndex((atom, i) =>
    i === 0 && atom.kind === 'SEP' ? /^but$/i.test(atom.text) : isRefusing(atom),
  );
  const first = atoms.findIndex(isName);
  const last = atoms.findLastIndex(isName);
  const named = new Set(atoms.map(({ kind }) => kind));
  if (atoms.some((atom) => LABELS.includes(atom.kind) && atom.kind !== 'GEN' && !named.has(OWN[atom.kind]!)))
    return false;
  // "Dealers are out: only x.eth".
  if (named.has('ONLY')) return false;
  if (atoms.some(({ kind, text }) => (kind === 'DEAL' || kind === 'ITEM') && NARROW.test(text))) return false;
  const parts = {
    refusal: atoms[at]!,
    label: labelOf(atoms[first]!),
    one: first === last,
    head: atoms.slice(0, Math.min(at, first)),
    between: at < first ? atoms.slice(at + 1, first) : atoms.slice(last + 1, at),
    tail: atoms.slice(Math.max(at, last) + 1),
  };
  // "Wine, blocked: copies", "chains: no, Base: yes", "Base: no: Solana may be used".
  if (isColon(next) && (at > first || isColon(parts.head.at(-1)))) return false;
  if (!refusesEach(atoms.slice(first, last + 1), parts, at < first)) return false;
  // "Never on Base, Solana: yes", "not from x.eth, y.eth (allowed)".
  if (first !== last && next?.kind === 'SEP' && beyond?.kind === 'ALLOWED') return false;
  return at < first ? leading(parts) : trailing(parts);
}

/**
 * True where a refusal is of each of several names. "Never on Base, Solana is allowed", "use Base, Solana is off limits" and
 * "never on Base, but on Solana" allow one of them: the names stand in a plain list, and no word beside it permits.
 */
function refusesEach(
  list: readonly Atom[],
  { refusal, head, between, tail }: Parts,
  leads: boolean,
): boolean {
  if (list.every((atom) => isName(atom) || atom.kind === 'MODIFIER')) return true;
  const again = leads && repeats([refusal, ...between], list, list[0]!.kind);
  if (!list.every((atom, at) => lists(atom, list[at - 1], list[at + 1], again))) return false;
  const permits = (atom: Atom): boolean => PERMITTING.includes(atom.kind) || isUse(atom);
  const [opening] = head;
  // "Everything except wine and tickets may be bought".
  const all = refusal.kind === 'SEP' || (refusal.kind === 'EXCEPT' && opening?.kind === 'ANY');
  const allBut = all && list.some(isJoin);
  // "Never on Base, Solana is in", where "as a seller" goes on.
  const placed = tail[0]?.kind === 'PREP' && !/^as$/i.test(tail[0].text);
  // "Anything but wine and tickets is welcome" may welcome the tickets.
  if (leads) return allBut ? !tail.some(({ kind }) => kind === 'ALLOWED') : !(placed || tail.some(permits));
  // "On Base, Solana is off limits", "sellers: x.eth, y.eth is blocked".
  if (opening?.kind === 'PREP' || opening?.kind === 'SEP' || isColon(head.at(-1))) return false;
  if (between.some((atom) => permits(atom) || atom.kind === 'MODIFIER')) return false;
  return !head.some((atom) => permits(atom) && !/ing$/i.test(atom.text));
}

/** Words that may permit what they stand beside. */
const PERMITTING = ['ALLOWED', 'VERB', 'BOUGHT', 'SOLD', 'KEEP', 'ENOUGH', 'APPROVAL', 'TERM'];

/**
 * True for an atom of a plain list: "x.eth, the seller y.eth and from z.eth".
 * @param again whether a preposition may stand behind a comma
 */
function lists(atom: Atom, before: Atom | undefined, after: Atom | undefined, again: boolean): boolean {
  const { kind, value, text } = atom;
  if (kind === 'SEP') return isComma(atom) || /^(?:and|&|\+|plus|as well as)$/i.test(text);
  if (kind === 'PREP')
    return !isUse(atom) && before !== undefined && (isJoin(before) || (again && isComma(before)));
  if (kind === 'MODIFIER') return after !== undefined && (isName(after) || after.kind === 'MODIFIER');
  return isName(atom) || isNoun(atom) || kind === 'OR' || (kind === 'PER' && value === '/');
}

function isJoin(atom: Atom): boolean {
  return atom.kind === 'OR' || (atom.kind === 'SEP' && !isComma(atom));
}

/** "Use Solana", "permit Solana", "deal with x.eth". */
function isUse({ text }: Atom): boolean {
  return /^(?:use|using|permit|deal (?:with|in|on))$/i.test(text);
}

interface Parts {
  readonly refusal: Atom;
  /** The kind of noun that names things of this kind. */
  readonly label: string;
  /** There is one name only. */
  readonly one: boolean;
  /** What stands before both the refusal and the names, between them, and behind both. */
  readonly head: readonly Atom[];
  readonly between: readonly Atom[];
  readonly tail: readonly Atom[];
}

/** "No deals in cars", "goods to avoid: cars", "anything but cars". */
function leading({ refusal, label, one, head, between, tail }: Parts): boolean {
  const excepts = refusal.kind === 'EXCEPT';
  // "Not from dealers: x.eth is allowed", where "no cars allowed" and "anything but cars is allowed" refuse the cars.
  const allowed = tail.some(({ kind }) => kind === 'ALLOWED') && !excepts;
  if (allowed && [...between, ...tail].some((atom) => isNoun(atom) || atom.kind === 'SEP')) return false;
  if (!excepts && !isLed(head, refusal, label, isColon(between.at(-1)))) return false;
  return leads(refusal, between, { label, one }, head.some(isNoun)) && !goesOn(tail, label);
}

/** True where what stands before a refusal is not what it refuses: "goods to avoid", "sellers: never", "deal with neither". */
function isLed(head: readonly Atom[], refusal: Atom, label: string, marked: boolean): boolean {
  const nouns = head.filter(isNoun);
  if (nouns.length === 0) return true;
  const last = head.at(-1)!;
  const linked = isColon(last) || (last.kind === 'PREP' && /^to$/i.test(last.text));
  const noun = head[head.length - (linked ? 2 : 1)];
  if (nouns.length > 1 || noun === undefined || !isNoun(noun)) return false;
  if (noun.kind === 'DEAL') return !linked && / (?:with|in|on)$/i.test(noun.text);
  return noun.kind === label && (isColon(last) || (marked && (linked || refusal.kind !== 'DENY')));
}

/** True where a refusal goes on to the names, and no other clause begins between them. */
function leads(
  refusal: Atom,
  between: readonly Atom[],
  { label, one }: Pick<Parts, 'label' | 'one'>,
  labelled: boolean,
): boolean {
  // "Never, or on Base": something else stands behind the refusal.
  if (between.some(({ kind }) => kind === 'OR')) return false;
  const nouns = between.filter(isNoun);
  const sign = between.findIndex(({ kind }) => kind === 'SEP');
  if (sign === -1) return belong(between, label, one);
  // "Never, under any circumstances, buy cars".
  const aside = refusal.kind === 'NEG' && between.length > 1 && isComma(between[0]!) && isComma(between[1]!);
  if (aside) return !labelled && nouns.length === 0 && !between.slice(2).some(({ kind }) => kind === 'SEP');
  // "You may not: buy wine", where "no: buy wine" answers what was asked before.
  const opened = sign === 0 && refusal.kind === 'NEG' && !/^no$/i.test(refusal.text) && isColon(between[0]);
  if (opened) return !labelled && between.slice(1).every(({ kind }) => kind === 'VERB');
  if (sign !== between.length - 1) return false;
  if (nouns.length === 0) return isColon(between[sign]) || (between[sign]!.value === '-' && !labelled);
  const [noun] = nouns;
  const alone = nouns.length === 1 && noun === between[sign - 1] && noun?.kind === label;
  return alone && !labelled && isColon(between[sign]) && !between.some(({ kind }) => kind === 'VERB');
}

/** "Deals in", "a sale to the wallet": the nouns between a refusal and the names are said of these. */
function belong(between: readonly Atom[], label: string, one: boolean): boolean {
  return between.every((atom, at) => {
    if (!isNoun(atom)) return true;
    const rest = between.slice(at + 1);
    if (rest.some(({ kind }) => kind === 'VERB')) return false;
    // "The seller x.eth", where "no dealers, x.eth" may lack its comma.
    if (rest.every(({ kind }) => kind === 'ART') && atom.kind === label)
      return !one || atom.kind === 'GEN' || !/s$/i.test(atom.text);
    const linked = / (?:with|in|on|from|of)$/i.test(atom.text) || rest.some(({ kind }) => kind === 'PREP');
    return linked && (atom.kind === 'GEN' || !LABELS.includes(atom.kind));
  });
}

/** True where more stands behind the names than a noun of theirs: "no travel deals", "but x.eth as a seller". */
function goesOn(tail: readonly Atom[], label: string): boolean {
  let to = 0;
  while (OWN[tail[to]?.kind ?? ''] === OWN[label]) to++;
  const rest = tail.slice(to);
  const role = rest[0]?.kind === 'PREP' && /^as$/i.test(rest[0].text) ? rest.findIndex(isNoun) : -1;
  const more = role !== -1 && rest[role]!.kind === label ? rest.slice(role + 1) : rest;
  const sign = more.findIndex(({ kind }) => kind === 'SEP');
  return more.some((atom, at) => isNoun(atom) || (sign !== -1 && at > sign && atom.kind === 'VERB'));
}

/** "Cars: never", "cars may not be bought", "purchases from x.eth are prohibited". */
function trailing({ refusal, label, head, between, tail }: Parts): boolean {
  if (refusal.kind === 'EXCEPT') return false;
  let to = 0;
  // "Car deals", "the Base chain": a party stands behind its noun.
  while (label !== 'PARTYWORD' && OWN[between[to]?.kind ?? ''] === OWN[label] && !plural(between[to]!)) to++;
  const rest = between.slice(to);
  const sign = rest.find(({ kind }) => kind === 'SEP');
  if (refusal.kind === 'DENY' && sign === undefined) return false;
  if (rest.some(isNoun) || (sign !== undefined && sign !== rest.at(-1))) return false;
  const said = head.findLastIndex(({ kind }) => kind === 'SEP');
  if (head.some((atom, at) => isNoun(atom) && at < said && (atom.kind !== label || at !== said - 1)))
    return false;
  const verb = [...head, ...between].some(({ kind }) => kind === 'VERB');
  if (refusal.kind === 'OFF') return !(sign !== undefined && verb) && !tail.some(isNoun) && !verbApart(tail);
  return !verb && (sign === undefined || !isComma(sign)) && tail.every(({ kind }) => REFUSED.includes(kind));
}

/** "Base chains: never" may lack a comma, where "car deals" does not. */
function plural({ kind, text }: Atom): boolean {
  return kind === 'CHAINWORD' && /s$/i.test(text);
}

function verbApart(tail: readonly Atom[]): boolean {
  const sign = tail.findIndex(({ kind }) => kind === 'SEP');
  return sign !== -1 && tail.slice(sign).some(({ kind }) => kind === 'VERB');
}

function labelOf(name: Atom): string {
  return LABELS.find((label) => OWN[label] === name.kind)!;
}

function isNoun({ kind }: Atom): boolean {
  return OWN[kind] !== undefined;
}

function isColon(atom: Atom | undefined): boolean {
  return atom?.kind === 'SEP' && atom.value === ':';
}

function isComma({ kind, value }: Atom): boolean {
  return kind === 'SEP' && value === ',';
}
