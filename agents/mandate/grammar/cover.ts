import type { Atom } from './atom.ts';
import { answers } from './beside-refused.ts';
import { type Clauses, HORIZON } from './clauses.ts';
import type { Fact } from './facts.ts';
import { amountFrame } from './frames/amount-frames.ts';
import { Bag, type Context, proper } from './frames/bag.ts';
import { countFrame } from './frames/count-frames.ts';
import { listFrame } from './frames/list-frames.ts';
import { percentFrame } from './frames/percent-frames.ts';
import { timeFrame } from './frames/time-frames.ts';
import { freedFromLimit } from './rules/freed-from-limits.ts';
import { narrowsRule } from './rules/narrowed-rules.ts';
import { endsSentence } from './sentences.ts';

/** A clause that can be read: where it ends, and what it says. */
export interface Found {
  readonly to: number;
  readonly facts: Fact[];
}

type Frame = (bag: Bag, context: Context) => Fact[] | null;
const FRAMES: readonly Frame[] = [amountFrame, timeFrame, countFrame, percentFrame, listFrame];

/** How many steps a character of a sentence gives to the search for a reading of all of it. */
const STEPS_A_CHARACTER = 5;
/** How many ends of a clause are tried from one place, the farthest first. */
const MOST_ENDS = 8;

/**
 * Divides one sentence into clauses so that nothing is left over; null when that cannot be done within the steps that a
 * sentence of this length has. Of clauses from the same place, the longest that leaves a readable rest counts.
 * @param saysNothing whether a word may stand for itself, as "otherwise" behind a rule for some cases
 * @param rules the clauses that the ordered rules read from a place
 */
export function cover(
  clauses: Clauses,
  from: number,
  end: number,
  rules: (at: number) => readonly Found[],
  saysNothing: (at: number) => boolean,
): readonly (Found & { readonly at: number })[] | null {
  const { atoms, steps } = clauses;
  const allowed = steps.taken + STEPS_A_CHARACTER * (atoms[end - 1]!.end - atoms[from]!.start);
  const known = new Map<number, { readonly found: Found; readonly at: number } | 'skip' | null>();
  // From the end to the start, so that what follows a clause is known when the clause is tried.
  const covered = (at: number): boolean => at === end || known.get(at) != null;
  for (let at = end - 1; at >= from; at--) {
    if (steps.taken > allowed) return null;
    const skipped =
      (atoms[at]!.kind === 'SEP' || atoms[at]!.kind === 'ART' || saysNothing(at)) && covered(at + 1);
    const found = [...rules(at), ...framesAt(clauses, at, end)]
      .filter(({ to, facts }) => to <= end && covered(to) && facts.every(readable))
      .sort((a, b) => b.to - a.to || Number(b.facts.every(settled)) - Number(a.facts.every(settled)))[0];
    // "Never over 500 USDC per deal or over 2,000 USDC a week": both hold.
    const next = known.get(at + 1);
    const goesOn = next != null && next !== 'skip' ? next.found.facts[0]?.fact : undefined;
    const or = atoms[at]!.kind === 'OR' && (goesOn === 'cap' || goesOn === 'count');
    if (or && clauses.forbiddenBefore(at)) known.set(at, 'skip');
    else known.set(at, found !== undefined ? { found, at } : skipped ? 'skip' : null);
  }
  const read: (Found & { at: number })[] = [];
  for (let at = from; at < end; ) {
    const next = known.get(at);
    if (next == null) return null;
    if (next === 'skip') at++;
    else {
      read.push({ ...next.found, at });
      at = next.found.to;
    }
  }
  return read;
}

/** A smaller number without a currency may be a number of deals. */
const BARE = 100_000_000n;

/** True when a fact leaves nothing open by itself. */
export function settled(fact: Fact): boolean {
  return readable(fact) && !(fact.fact === 'cap' && fact.scope === null);
}

/** True when a fact asks nothing. What an amount is for may stand elsewhere in the text. */
function readable(fact: Fact): boolean {
  if (fact.fact === 'cap') return fact.amount.currency !== '' || fact.amount.micro >= BARE;
  return fact.fact !== 'ask';
}

/** What the frames read from a place, to each of the places at which a clause may end. */
function framesAt(clauses: Clauses, at: number, end: number): Found[] {
  const { atoms, steps } = clauses;
  if (!opens(clauses, at)) return [];
  const around: Omit<Context, 'after' | 'beyond'> = {
    sells: clauses.onlySells,
    limited: clauses.limitedBefore(at),
    denied: clauses.deniedBefore(at),
    counted: counted(atoms, at),
    nouns: clauses.nouns,
    before: atoms[at - 1],
  };
  const found: Found[] = [];
  const last = Math.min(end, at + HORIZON);
  let ends = 0;
  for (let to = at + 1; to <= last && ends < MOST_ENDS; to++) {
    if (STOPS.has(atoms[to - 1]!.kind) || freedFromLimit(clauses, to - 1) !== null) break;
    if (narrowsRule(clauses, to - 1)) break;
    if (to < end && !parts(atoms, to) && !prices(atoms, to)) continue;
    ends++;
    steps.take(to - at);
    const bag = new Bag(atoms.slice(at, to));
    const frames = to < end && prices(atoms, to) ? [countFrame] : FRAMES;
    const facts = proper(bag)
      ? firstOf(frames, bag, { ...around, after: atoms[to], beyond: atoms[to + 1] })
      : null;
    if (facts !== null) found.push({ to, facts });
  }
  return found;
}

function firstOf(frames: readonly Frame[], bag: Bag, context: Context): Fact[] | null {
  for (const frame of frames) {
    const facts = frame(bag, context);
    if (facts !== null) return facts;
  }
  return null;
}

/** Kinds that no frame reads: a clause with one of them is for the ordered rules. */
const STOPS = new Set([
  'UNKNOWN',
  'BADNUMBER',
  'HEDGE',
  'CHECK',
  'UNJUDGED',
  'NOCAP',
  'NOEND',
  'VAGUE',
  'TAINT',
]);
const OPENERS = new Set([
  'SEP',
  'CATEGORY',
  'GEN',
  'CHAIN',
  'PARTY',
  'DATE',
  'ANY',
  'SCOPE',
  'MONEY',
  'DEAL',
  'ITEM',
  'UNIT',
  'PERCENT',
  'MARKET',
  'FACE',
]);

/** True where a clause may begin: at the start, behind a separator, or behind a noun where nothing is limited yet. */
function opens(clauses: Clauses, at: number): boolean {
  const [before, ahead] = [clauses.atoms[at - 1], clauses.atoms[at - 2]];
  if (before === undefined) return true;
  if ([at, at + 1].some((place) => answers(clauses.atoms, place) || narrowsRule(clauses, place)))
    return false;
  if (before.kind === 'COND') return /^otherwise$/i.test(before.text);
  if (before.kind === 'OR') return clauses.forbiddenBefore(at);
  if (before.kind !== 'SEP') return OPENERS.has(before.kind) && !clauses.deniedBefore(at);
  // "Anything but travel" leaves travel out.
  return !(before.text.toLowerCase() === 'but' && ['ANY', 'NEG', 'GEN'].includes(ahead?.kind ?? ''));
}

/**
 * True where a clause may end: in front of a separator, or of a word that begins a clause about time. A clause that went
 * on to name goods, a chain or a party would hold for those only.
 */
function parts(atoms: readonly Atom[], to: number): boolean {
  const next = atoms[to]!;
  if (['SEP', 'UNTIL', 'ENDS', 'STARTS', 'BETWEEN'].includes(next.kind)) return true;
  if (next.kind === 'OR') return ['LIMIT', 'ABOVE', 'MONEY'].includes(atoms[to + 1]?.kind ?? '');
  return next.kind === 'PREP' && /^(?:by|through|from)$/i.test(next.text) && atoms[to + 1]?.kind === 'DATE';
}

/** "Up to three bookings a day at 210 USDC each": what is counted ends where its price is said. */
function prices(atoms: readonly Atom[], to: number): boolean {
  const [next, after] = [atoms[to]!, atoms[to + 1]?.kind];
  return (
    next.kind === 'PREP' &&
    /^(?:at|of|for)$/i.test(next.text) &&
    (after === 'MONEY' || ((after === 'LIMIT' || after === 'MINIMUM') && atoms[to + 2]?.kind === 'MONEY'))
  );
}

/** True when the sentence says a number of deals in the few words before. */
function counted(atoms: readonly Atom[], at: number): boolean {
  for (let i = at - 1; i > 0 && i > at - 12; i--) {
    if (endsSentence(atoms[i]!)) return false;
    if (['DEAL', 'ITEM'].includes(atoms[i]!.kind) && atoms[i - 1]!.kind === 'NUMBER') return true;
  }
  return false;
}
