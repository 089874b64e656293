import type { Category } from '../../../categories.ts';
import { CHOOSABLE, isChoosable, type OnInconclusive } from '../../../deal/effect.ts';
import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { wordOf } from '../frames/bag.ts';
import { namesAll } from '../frames/nouns.ts';
import { choiceSaid, undoneSides } from './unjudged-choices.ts';

/**
 * What is to happen where something could not be judged: "if the price cannot be judged, ask me", "proceed when the
 * provenance is inconclusive", "inconclusive bidding: stop". Without a name it is said of all that may be chosen for.
 */
export function unjudgedClause(c: Cursor): Fact[] | null {
  const from = c.at;
  const said = c.attempt(conditionFirst) ?? c.attempt(choiceFirst);
  if (said === null || !c.atBreak) return null;
  const { names, choice } = said;
  const fixed = names.filter((name) => !isChoosable(name));
  if (fixed.length > 0) return [neverWaived(fixed)];
  const atoms = c.atoms.slice(from, c.at);
  // Who stops for some goods permits nothing more by stopping for all.
  const goods = choice === 'stop' ? [] : atoms.filter(({ kind }) => kind === 'CATEGORY');
  if (!namesAll(c.clauses.nouns, goods)) return null;
  return [
    { fact: 'unjudged', names: names.filter(isChoosable), choice },
    ...undoneSides(atoms),
    ...goods.map(
      ({ value, text }) => ({ fact: 'holds-for', goods: [value as Category], words: text }) as const,
    ),
  ];
}

interface Said {
  readonly names: readonly string[];
  readonly choice: OnInconclusive;
}

function conditionFirst(c: Cursor): Said | null {
  if (!condition(c)) c.attempt(dealIn);
  const names = unjudged(c);
  if (names === null) return null;
  c.eat('SEP', ',', ':', '-');
  c.eat('THEN');
  const choice = choiceSaid(c);
  return choice === null ? null : { names, choice };
}

/** "A deal in which the price is inconclusive", "a purchase whose provenance cannot be judged". */
function dealIn(c: Cursor): true | null {
  c.eatAll('ART', 'PER');
  if (c.eat('DEAL') === null) return null;
  c.eat('PREP', 'in', 'for');
  c.eatAll('ART');
  return TOPICS.some((kind) => c.sees(kind)) ? true : null;
}

function choiceFirst(c: Cursor): Said | null {
  const choice = choiceSaid(c);
  if (choice === null) return null;
  c.eat('SEP', ',', '-');
  if (!condition(c)) return null;
  const names = unjudged(c);
  return names === null ? null : { names, choice };
}

function condition(c: Cursor): boolean {
  return (
    c.eat(
      'COND',
      'if',
      'when',
      'whenever',
      'in case',
      'in the case that',
      'in cases where',
      'where',
      'wherever',
    ) !== null ||
    c.eat('COND', 'even if', 'even when', 'even where', 'even though') !== null ||
    c.eat('COND', 'although', 'in the event that', 'in the event') !== null ||
    (c.eat('PREP', 'in case') ?? c.eat('PREP', 'with', 'on', 'for')) !== null
  );
}

/** "The price or the provenance cannot be judged", "an inconclusive price"; null where nothing says so. */
function unjudged(c: Cursor): readonly string[] | null {
  const opened = c.at;
  const named = topics(c);
  const said = c.eat('UNJUDGED');
  if (said === null) return again(c, opened) ? named : null;
  const before =
    named.length === 0 && said.value === '' && FAILING.test(said.text) ? meant(c, opened) : named;
  const after = before.length > 0 ? [] : topics(c);
  const own = said.value === '' ? [] : [said.value];
  const names = [...new Set([...before, ...own, ...after])];
  return names.length === 0 || names.includes('any') ? CHOOSABLE : names;
}

/** "Proceed when the price is inconclusive, but stop when the provenance is": the same is said again. */
function again(c: Cursor, opened: number): boolean {
  const atoms = c.atoms;
  const [last, next] = [c.peek(-1), c.peek()];
  if (c.at === opened || next === undefined || !c.atBreak || atoms[opened - 1]?.kind !== 'COND') return false;
  // "When the price is right": no more than "is" or "are" may have been dropped.
  if (!IS.includes(next.start - last!.end)) return false;
  let at = opened - 2;
  while (['ONLY', 'GOON', 'HALT', 'ENDS', 'ASK'].includes(atoms[at]?.kind ?? '')) at--;
  const choice = at < opened - 2;
  while (atoms[at]?.kind === 'SEP' && [',', 'and', 'but'].includes(wordOf(atoms[at]))) at--;
  return choice && atoms[at]?.kind === 'UNJUDGED';
}

const IS = [' is'.length, ' are'.length];

/** Words that need a subject; without a name that is "it", "they" or "either". */
const FAILING = /^(?:can|could)/i;

/** "Provenance has to be clean, and if it can't be verified": what was to be clean just before. */
function meant(c: Cursor, opened: number): readonly string[] {
  const atoms = c.atoms;
  let at = opened - 1;
  if (atoms[at]?.kind !== 'COND') return [];
  do at--;
  while (atoms[at]?.kind === 'SEP');
  if (atoms[at]?.kind !== 'PASS' || !/\bclean$/i.test(atoms[at]!.text)) return [];
  const found: string[] = [];
  for (let most = MOST_BACK; most > 0; most--) {
    const atom = atoms[--at];
    if (atom === undefined || !['TOPIC', 'CHECK', 'REQUIRE', 'ART', 'OR'].includes(atom.kind)) {
      if (atom?.kind !== 'SEP' || !['and', ',', '&'].includes(atom.text.toLowerCase())) break;
    } else if (atom.kind === 'TOPIC' || atom.kind === 'CHECK') found.push(...atom.value.split(','));
  }
  return found;
}

const MOST_BACK = 12;

function topics(c: Cursor): string[] {
  const found: string[] = [];
  for (;;) {
    c.eatAll('ART', 'PER');
    const topic = topicAt(c);
    if (topic === null) return found;
    found.push(...topic);
    // "The price of a lot", "the bidding on a lot".
    c.attempt((at) => {
      if (at.eat('PREP', 'of', 'on', 'for') === null) return null;
      at.eatAll('ART', 'PER', 'ANY');
      return at.eat('DEAL') ?? at.eat('GEN') ?? at.eat('ITEM') ?? at.eat('CATEGORY');
    });
    c.attempt((at) => {
      const comma = at.eat('SEP', ',');
      const joined = at.eat('SEP', 'and') ?? at.eat('OR') ?? comma;
      if (joined === null) return null;
      at.eatAll('ART', 'PER');
      return TOPICS.some((kind) => at.sees(kind)) ? true : null;
    });
  }
}

const TOPICS = ['CHECK', 'TOPIC', 'KEEP', 'MARKET', 'VERB', 'PARTYWORD', 'ANY'];

/** The determinations that one word or phrase names. */
function topicAt(c: Cursor): readonly string[] | null {
  // "The determination on shill bidding".
  if (c.sees('TOPIC', ['any']) && c.sees('PREP', ['on', 'of'], 1) && c.sees('TOPIC', [], 2)) c.skip(2);
  const check = c.eat('CHECK') ?? c.eat('TOPIC');
  if (check !== null) return check.value.split(',');
  if (c.eat('KEEP', 'price', 'prices', 'pricing', 'asking price', 'value') ?? c.eat('MARKET'))
    return ['price-intelligence'];
  const verb = c.sees('VERB') && c.peek()?.text.toLowerCase() === 'bidding' ? c.eat('VERB') : null;
  if (verb !== null) return ['shill-collusion'];
  if (c.eat('PARTYWORD') !== null) return ['wallet'];
  return c.eat('ANY', 'anything', 'everything') === null ? null : ['any'];
}

const FIXED: Readonly<Record<string, string>> = {
  wallet: "the other side's wallet",
  'double-pledge': 'a double pledge',
  'mandate-compliance': 'the mandate itself',
};

function neverWaived(names: readonly string[]): Fact {
  const said = names.map((name) => FIXED[name] ?? name).join(' and ');
  return {
    fact: 'ask',
    reason: 'NEVER_WAIVED',
    question: `What it causes that ${said} could not be judged cannot be chosen: such a deal never goes on by itself. May that be left out? The choice is there for the price, the provenance and the bidding.`,
  };
}
