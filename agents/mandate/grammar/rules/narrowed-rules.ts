import type { Atom } from '../atom.ts';
import { wordsOf } from '../atom-kinds.ts';
import type { Clauses } from '../clauses.ts';
import type { Fact } from '../facts.ts';
import { permitting, refusing } from '../offers.ts';
import { endsSentence } from '../sentences.ts';
import { namesBehind } from './freed-from-limits.ts';

const BUT_NOT = /^but not$/i;
const NOT = /^(?:(?:and|but|though|yet) )?not$/i;
/** "Does not apply to", "not needed for", "no need for". */
const HOLDS = /^(?:apply|applies|hold|holds|count|counts|go|goes)\b/i;
const NOT_NEEDED = /^(?:(?:is|are) )?not (?:needed|required|necessary)$/i;
/** "… and buy only from a.eth": behind these "only" is said of a clause of its own. */
const OWN = ['VERB', 'DEAL', 'CATEGORY', 'ITEM', 'GEN', 'ANY', 'CHAIN', 'PARTY'];
/** What a rule or a limit consists of. */
const RULING = new Set(
  'ASK APPROVAL REQUIRE COND UNJUDGED TOPIC CHECK MONEY LIMIT CAP MARKET FACE COUNT UNIT SCOPE'.split(' '),
);
/** How many atoms back a rule may stand. */
const FARTHEST = 32;

/**
 * "If the price cannot be judged, proceed, but only with a.eth", "ask me above 20 USDC, not for wine", "this does not apply to
 * wine": the names narrow the rule before them, which no mandate holds, or all that is allowed. Null where they are said of
 * a clause of their own.
 */
export function narrowedRule(clauses: Clauses, at: number): { to: number; facts: Fact[] } | null {
  const from = narrowsFrom(clauses, at);
  if (from === -1) return null;
  clauses.steps.take();
  const { atoms } = clauses;
  const [first, to] = namesBehind(atoms, from);
  if (first === -1) return null;
  const names = atoms.slice(first, to);
  const only = atoms[at]!.kind === 'ONLY';
  const words = wordsOf(names);
  const sentence = only ? permitting(names, clauses.deed) : refusing(names);
  const either = only
    ? `Does the rule before "${atoms[at]!.text}" hold for "${words}" only, or does the agent deal in nothing else?`
    : `Is "${words}" refused, or free of the rule before "${atoms[at]!.text}"?`;
  const held = `The rules of a mandate hold for every deal${sentence === null ? '' : `, and ${only ? 'all is confined by' : 'refused is what stands in'} a sentence such as "${sentence}"`}.`;
  return {
    to,
    facts: [
      {
        fact: 'ask',
        reason: 'NOT_UNDERSTOOD',
        question: `${either} ${held}`,
        about: { start: atoms[at]!.start, end: names.at(-1)!.end },
        worded: true,
      },
    ],
  };
}

/** True where a clause that begins at a place would narrow a rule. */
export function narrowsRule(clauses: Clauses, at: number): boolean {
  const from = narrowsFrom(clauses, at);
  return from !== -1 && namesBehind(clauses.atoms, from)[0] !== -1;
}

/** The place of the last word that narrows a rule, from a place on; -1 where none does. */
function narrowsFrom(clauses: Clauses, at: number): number {
  const { atoms } = clauses;
  const [word, before] = [atoms[at], atoms[at - 1]];
  if (word === undefined || before === undefined) return -1;
  if (word.kind === 'ONLY' || BUT_NOT.test(word.text)) {
    const narrows = clauses.ruledBefore(at) && (isFor(atoms, at + 1) || confines(clauses, word, before, at));
    if (narrows) return at;
  }
  const next = atoms[at + 1];
  if (word.kind === 'OFF') return NOT_NEEDED.test(word.text) && atoms[at + 1]?.kind === 'PREP' ? at : -1;
  if (word.kind !== 'NEG') return -1;
  if (next?.kind === 'REQUIRE' || (next?.kind === 'KEEP' && HOLDS.test(next.text)))
    return atoms[at + 2]?.kind === 'PREP' ? at + 1 : -1;
  return NOT.test(word.text) && next?.kind === 'PREP' && /^for$/i.test(next.text) && behindRule(atoms, at)
    ? at
    : -1;
}

/** "Only for wine": of a rule it is the case, and of what is allowed nothing. */
function isFor(atoms: readonly Atom[], at: number): boolean {
  const [preposition, goods] = [atoms[at], atoms[at + 1]];
  return preposition?.kind === 'PREP' && /^for$/i.test(preposition.text) && goods?.kind === 'CATEGORY';
}

/**
 * ", but only with a.eth", " only on Base". Behind a comma the names go on with a list of rules, unless the rule is one for
 * some cases: "require clean provenance, and only on Base".
 */
function confines(clauses: Clauses, word: Atom, before: Atom, at: number): boolean {
  if (/^and\b/i.test(word.text) && before.kind === 'SEP' && !clauses.casesBefore(at)) return false;
  const joined =
    /^(?:but|and)\b/i.test(word.text) || (before.kind === 'SEP' && /^(?:but|and|yet)$/i.test(before.text));
  return joined || !(OWN.includes(before.kind) || (before.kind === 'SEP' && !clauses.casesBefore(at)));
}

/** True where the clause before, in this sentence or the last, is a rule or a limit. */
function behindRule(atoms: readonly Atom[], at: number): boolean {
  let ends = 0;
  for (let place = at - 1; place >= 0 && place > at - FARTHEST; place--) {
    if (RULING.has(atoms[place]!.kind)) return true;
    if (endsSentence(atoms[place]!) && ++ends > 1) return false;
  }
  return false;
}
