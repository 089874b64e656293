import type { Atom } from './atom.ts';
import { isName, isRefusing } from './atom-kinds.ts';
import { type Fact, wants } from './facts.ts';
import { adds, between, isGoverned, verbOf } from './governed-verbs.ts';
import { endsSentence, isFullStop } from './sentences.ts';
import type { Said, Standing } from './standing.ts';

type Kind = Fact['fact'];

const NONE: ReadonlySet<Kind> = new Set();

/** Nothing was read yet. */
export const AT_START: Standing = {
  last: undefined,
  refusal: undefined,
  refused: NONE,
  allowed: NONE,
  permits: false,
};

/**
 * What stands over a clause that begins at a place. Behind a full stop nothing does, unless the next sentence begins with
 * "and" or "or". Behind a semicolon, "never with x.eth; on Base", a list goes on where its own refusal is the main clause.
 */
export function standingAt(atoms: readonly Atom[], read: Standing, at: number): Standing {
  const { last, refusal, permits } = read;
  if (last === undefined) return read;
  const signs = atoms.slice(last.to, at).filter(endsSentence);
  if (signs.length === 0 || between(atoms, last, at).some(adds)) return read;
  const goesOn =
    !signs.some(isFullStop) &&
    refusal !== undefined &&
    !permits &&
    (refusesNames(last) || refusedLimit(atoms, last) !== null || wants(last.facts));
  if (goesOn) return read;
  return { ...AT_START, last, allowed: signs.some(isFullStop) ? NONE : read.allowed };
}

/**
 * What stands when a clause was read.
 * @param asked whether its names may be refused ones
 */
export function standingAfter(atoms: readonly Atom[], read: Standing, said: Said, asked: boolean): Standing {
  const here = standingAt(atoms, read, said.at);
  const kinds = (deny: boolean): Kind[] =>
    said.facts.flatMap((fact) => ('deny' in fact && fact.deny === deny ? [fact.fact] : []));
  if (refusesNames(said)) {
    const refused = new Set([...here.refused, ...kinds(true)]);
    return { ...here, last: said, refusal: said, refused };
  }
  if (asked) return { ...here, last: said, refusal: here.refusal ?? read.last };
  const from = refusedLimit(atoms, said);
  // "Never on Base and buying from x.eth": the deed is refused, and leads to the name.
  const verb = from === null && !wants(said.facts) ? verbOf(atoms.slice(said.at, said.to)) : undefined;
  if (verb !== undefined && isGoverned(atoms, here, said, verb)) return here;
  const led = { ...said, to: from ?? said.to };
  const permits = from !== said.at && permitsSome(atoms, here, led);
  const next =
    permits && !standsInside(atoms, here, led)
      ? { ...AT_START, last: said, allowed: new Set([...here.allowed, ...kinds(false)]), permits }
      : { ...here, last: said };
  if (from === null || (next.refusal !== undefined && refusesNames(next.refusal))) return next;
  return { ...next, refusal: { ...said, at: from } };
}

/** "Avoid music, only on Base, and travel", "avoid music (you may buy wine), travel": the refusal goes on behind it. */
function standsInside(atoms: readonly Atom[], { refusal }: Standing, { at, to }: Said): boolean {
  if (refusal === undefined) return false;
  const parts = atoms.slice(at, to);
  // "Forbidden: music; permitted: wine, Base" begins another list.
  const label = parts.findIndex(({ kind, value }) => kind === 'SEP' && value === ':');
  if (['ALLOWED', 'ONLY'].includes(parts[label - 1]?.kind ?? '')) return false;
  if (verbOf(parts) === undefined) return true;
  const sign = atoms
    .slice(refusal.to, at + 1)
    .findLast(({ kind, value }) => kind === 'SEP' && (value === '(' || value === ')'));
  return sign?.value === '(';
}

function permitsSome(atoms: readonly Atom[], here: Standing, said: Said): boolean {
  if (wants(said.facts)) return true;
  const parts = atoms.slice(said.at, said.to);
  const verb = verbOf(parts);
  if (verb !== undefined) return !isGoverned(atoms, here, said, verb);
  return parts.some(({ kind }) => kind === 'ANY');
}

function refusesNames({ facts }: Said): boolean {
  return facts.some((fact) => 'deny' in fact && fact.deny);
}

/**
 * Where in a clause a refusal of no name begins: "refuse deals above 50 USDC", "no selling". It may be the first of a list
 * of names. Null where there is none.
 */
export function refusedLimit(atoms: readonly Atom[], said: Said): number | null {
  const { at, to, facts } = said;
  if (refusesNames(said) || facts.some(({ fact }) => CLOSING.has(fact))) return null;
  for (let from = at; from < to; from++) {
    const [before, { kind }] = [atoms[from - 1], atoms[from]!];
    if (from > at && before?.kind !== 'SEP' && before?.kind !== 'OR') continue;
    let end = from + 1;
    while (end < to && !['SEP', 'OR'].includes(atoms[end]!.kind)) end++;
    if (!REFUSING.includes(kind) && atoms[end - 1]!.kind !== 'OFF') continue;
    return wants(facts) && atoms.slice(from, to).some(isName) ? null : from;
  }
  return null;
}

const REFUSING = ['NEG', 'DENY', 'OFF'];
/** "Nothing else", "no limit": nothing is listed behind them. */
const CLOSING: ReadonlySet<Kind> = new Set(['no-more-goods', 'no-more-places', 'uncapped', 'nothing']);

const HEADED = ['GEN', 'CHAINWORD', 'PARTYWORD', 'DEAL', 'PREP', 'VERB'];

/** What holds under a head: it refuses what is listed up to the next label, or all labels behind it as well. */
export type Headed = 'list' | 'labels' | null;

/** For each place, whether a head stands over it that refuses: "excluded: …", "you may not: …", "goods to avoid: …". */
export function underRefusingHeads(atoms: readonly Atom[]): readonly Headed[] {
  let holds: Headed = null;
  return atoms.map((atom, at) => {
    const here = holds;
    if (isFullStop(atom)) holds = null;
    if (atom.heads === true) holds ??= 'list';
    if (atom.kind === 'SEP' && atom.value === ':') holds = headedBy(atoms, at, holds);
    return here;
  });
}

/** What holds behind a colon. */
function headedBy(atoms: readonly Atom[], colon: number, holds: Headed): Headed {
  let at = colon - 1;
  while (at > colon - FARTHEST && HEADED.includes(atoms[at]?.kind ?? '')) at--;
  const [head, before] = [atoms[at], atoms[at - 1]];
  // "Only sell, never buy: clearance".
  const verb = atoms.slice(at, colon).some(({ kind }) => kind === 'VERB');
  if (head !== undefined && isRefusing(head) && !(verb && before !== undefined && !endsSentence(before)))
    return holds ?? 'list';
  if (holds === null) return null;
  // "Excluded: chains: Base; sellers: x.eth", and "never: Base, Polygon: …".
  if (holds === 'labels' || head?.value === ':') return 'labels';
  return head !== undefined && isName(head) ? holds : null;
}

/** How many atoms a head may have. */
const FARTHEST = 8;
