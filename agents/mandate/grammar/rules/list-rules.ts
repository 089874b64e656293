import type { Cursor } from '../cursor.ts';
import { type Fact, type Side, sideOf } from '../facts.ts';
import { priceFollows } from './everything-rules.ts';
import { describes, mayLeaveOut } from './exceptions.ts';
import { asMany } from './limit-ends.ts';
import { refusesNames } from './refused-names.ts';
import { listAt, repeats } from './repeated-refusals.ts';
import { factOf, NAME_KINDS, sizeOf, type Target, target } from './targets.ts';

const NEUTRAL = ['DEAL', 'GEN', 'ANY', 'PARTYWORD', 'CHAINWORD', 'ART', 'PER'] as const;

/** The most targets in one denial; further ones begin another clause. */
const MOST_TARGETS = 8;

/** "except travel and music rights", "never deal with scammer.eth or on Solana", "no deals on Polygon". */
export function denyClause(c: Cursor): Fact[] | null {
  const from = c.at;
  const left = c.attempt(leftAlone);
  if (left !== null) return left;
  // "anything but travel": after "anything" the word "but" excludes; elsewhere it only joins.
  const but = c.peek(-1)?.kind === 'ANY' ? c.eat('SEP', 'but') : null;
  if (but === null) c.attempt(labelled);
  const anyone =
    c.sees('EXCEPT') &&
    /\b(?:any|every)/i.test(c.peek()!.text) &&
    (c.peek(-1)?.kind === 'SEP' || !c.clauses.limitedBefore(c.at));
  const intro = but ?? (anyone || mayLeaveOut(c) ? c.eat('EXCEPT') : null) ?? c.eat('DENY') ?? c.eat('NEG');
  if (intro === null || (but === null && describes(intro, c.peek(-2)))) return null;
  let side: Side | null = null;
  for (;;) {
    // "Skip everything else on Base" does not deny Base.
    if (c.sees('ANY') && /\b(?:else|rest)\b/i.test(c.peek()!.text)) return null;
    const verb = c.eat('VERB');
    if (verb !== null) side = sideOf(verb.value);
    else if (
      c.eatAll(...NEUTRAL) === 0 &&
      c.eat('PREP', 'with', 'from', 'on', 'in', 'to', 'of', 'for', 'using', 'via', 'into', 'through') === null
    )
      break;
  }
  const led = c.atoms.slice(from, c.at);
  const first = target(c);
  if (first === null) return null;
  const found = [first];
  while (found.length < MOST_TARGETS) {
    const next = c.attempt((at) => {
      const comma = at.eat('SEP', ',') !== null;
      const joined = at.eat('OR') ?? (at.eat('SEP', 'and') && at.eat('NEG'));
      const again = comma && joined === null && at.sees('PREP');
      if (joined === null && !(again && repeats(led, listAt(at), NAME_KINDS[first.kind]))) return null;
      at.eatAll(...NEUTRAL);
      return at.eat('PREP', 'with', 'from', 'on', 'in', 'to') === null ? null : target(at);
    });
    if (next === null) break;
    found.push(next);
  }
  if (c.sees('OFF')) return null;
  // "Anything but bonds at up to 55 USDC each": what is left out is named inside of what may be bought.
  // "Everything but vehicles is allowed".
  if (but !== null || intro.kind === 'EXCEPT')
    c.attempt((at) => (at.eat('ALLOWED') && at.atBreak ? true : null));
  // "Leave out travel altogether".
  c.attempt((at) => (at.eat('SCOPE') && ENTIRELY.test(at.peek(-1)!.text) && at.atBreak ? true : null));
  // "Never on Solana and never with x.eth".
  const next = c.peek();
  const again = next?.kind === 'NEG' && /^(?:and|but|nor) /i.test(next.text);
  const closed = c.atBreak || again || ((but !== null || anyone) && priceFollows(c));
  if (!closed || !refusesNames(c.atoms.slice(from, c.at), [c.peek(), c.peek(1)])) return null;
  return found.map((one) => factOf(one, true, false, side));
}

const ENTIRELY = /^(?:altogether|entirely|completely|in (?:its|their) entirety)$/i;

/** "Leave scammer.eth alone". */
function leftAlone(c: Cursor): Fact[] | null {
  if (c.eat('LEAVE') === null) return null;
  const found = target(c);
  if (found === null || c.eat('ONLY', 'alone') === null || !c.atBreak) return null;
  return [factOf(found, true, false, null)];
}

/** "Counterparties: never with x.eth". */
function labelled(c: Cursor): true | null {
  return openedBy(c) && c.eatAll('PARTYWORD', 'CHAINWORD', 'GEN') > 0 && c.eat('SEP', ':') !== null
    ? true
    : null;
}

/** "Solana is off limits", "travel excluded", "excluded chains: Solana", "blocked: scammer.eth". */
export function markedClause(c: Cursor): Fact[] | null {
  const from = c.at;
  const opened = openedBy(c);
  const opener = c.peek(-1);
  const label = c.eat('OFF') ?? c.eat('ALLOWED') ?? c.eat('ONLY');
  const named = c.eatAll('GEN', 'CHAINWORD', 'PARTYWORD', 'OFF', 'ALLOWED') > 0;
  const before = c.peek(-1);
  if (label !== null && describes(label, opener)) return null;
  if (label !== null || named) {
    const colon = c.eat('SEP', ':', '-') !== null || c.eat('ONLY') !== null;
    // "The goods are travel": a label at the start of a clause, and nothing behind the list.
    const equals = opened && before !== undefined && (before.kind === 'GEN' || before.kind === 'CHAINWORD');
    if (!colon && label === null && !equals) return null;
    const found = target(c);
    if (!colon && label === null && found?.kind !== (before?.kind === 'GEN' ? 'goods' : 'chains'))
      return null;
    if (found === null) return null;
    c.eat('ONLY');
    const off = label?.kind === 'OFF' || (label === null && before?.kind === 'OFF');
    if (
      !c.atBreak ||
      c.sees('OFF') ||
      (off && !refusesNames(c.atoms.slice(from, c.at), [c.peek(), c.peek(1)]))
    )
      return null;
    return [factOf(found, off, true, null)];
  }
  c.eat('PREP', 'on', 'from', 'with');
  const found = target(c);
  if (found === null) return null;
  c.eat('SEP', ':');
  const mark = c.eat('OFF') ?? c.eat('ALLOWED');
  // "Base: yes. Arbitrum: yes."
  const only = mark !== null && !/^(?:yes|ok)$/i.test(mark.text);
  if (mark === null || !c.atBreak) return null;
  const off = mark.kind === 'OFF';
  // "Buy on Base, Solana is off limits".
  if (off && !opened && sizeOf(found) > 1) return null;
  if (off && !refusesNames(c.atoms.slice(from, c.at), [c.peek(), c.peek(1)])) return null;
  return [factOf(found, off, only, null)];
}

/** "on Ethereum", "Ethereum only", "only from 0x…", "deal only with alice.eth", "travel only", or a bare ", Base,". */
export function allowClause(c: Cursor): Fact[] | null {
  const opened = openedBy(c);
  let only = false;
  let lead = false;
  let side: Side | null = null;
  for (;;) {
    if (c.eat('ONLY') !== null) only = true;
    else if (c.eat('DEAL') !== null) lead = true;
    else if (only && side === null && c.sees('VERB')) {
      side = sideOf(c.eat('VERB')!.value);
      lead = true;
    } else if (c.eatAll('ANY', 'GEN') > 0) lead = true;
    else break;
  }
  // "Cars only, bought on Base".
  if (opened && !lead && c.eat('BOUGHT') !== null) lead = true;
  const preposition = c.eat(
    'PREP',
    'on',
    'in',
    'of',
    'for',
    'from',
    'with',
    'to',
    'via',
    'using',
    'use',
    'through',
    'at',
  );
  c.eat('ART');
  const label = c.eatAll('PARTYWORD', 'CHAINWORD') > 0;
  if (label) c.eat('SEP', ':');
  const found = target(c);
  if (found === null) return null;
  if (c.attempt(onlyBehind) !== null || c.attempt(nothingElse) !== null) {
    if (!asMany(c.peek(-1)!.text, sizeOf(found))) return null;
    only = true;
  }
  // "Digital products at 20 USDC per deal", "real-world assets on Ethereum": what follows holds for these goods.
  if (opened && !only && !lead && !label && preposition === null && found.kind === 'goods' && limitFollows(c))
    return [
      factOf(found, false, false, null),
      { fact: 'holds-for', goods: found.list, words: c.peek(-1)!.text },
    ];
  if (lead && !only && preposition === null) return null;
  const bare = !only && preposition === null && !lead;
  const closed = c.atBreak || c.sees('UNTIL') || c.sees('ENDS') || (c.sees('COND', ['otherwise']) && opened);
  if (bare && (found.kind === 'parties' || !opened || !closed)) return null;
  if (c.sees('OFF') || c.sees('ALLOWED') || c.sees('ABOVE') || c.sees('CATEGORY')) return null;
  if (
    preposition !== null &&
    !prepositions[found.kind].includes(preposition.value || preposition.text.toLowerCase())
  )
    return null;
  const goods = found.kind === 'goods' ? found.list : null;
  return [
    factOf(found, false, only, null),
    ...(side === null ? [] : [{ fact: 'side', side, spends: false, bare: goods === null, goods } as const]),
  ];
}

/** Reads "only" behind a name, but not the "and only" that begins the next one. */
function onlyBehind(c: Cursor): true | null {
  if (c.eat('ONLY') === null) return null;
  return ['CATEGORY', 'CHAIN', 'PARTY', 'MODIFIER'].includes(c.peek()?.kind ?? '') ? null : true;
}

function limitFollows(c: Cursor): boolean {
  const ahead = c.sees('PREP', ['at', 'for', 'on', 'via', 'from', 'to', 'with']) ? 1 : 0;
  const kind = c.peek(ahead)?.kind ?? '';
  return ['MONEY', 'LIMIT', 'UNDER'].includes(kind) || (ahead === 1 && ['CHAIN', 'PARTY'].includes(kind));
}

/** Reads ", and only there" or ", nowhere else" at the end of a clause, about what comes right before. */
function nothingElse(c: Cursor): true | null {
  if (c.eat('SEP', ',', '-') === null) return null;
  const only = c.eat('ONLY');
  return only !== null && NOTHING_ELSE.test(only.text) && c.atBreak ? true : null;
}

const NOTHING_ELSE = /\b(?:there|that|those|these|else|others?|alone)$|^only there$/i;

const prepositions: Readonly<Record<Target['kind'], readonly string[]>> = {
  goods: ['on', 'in', 'of', 'for', 'to', 'with'],
  chains: ['on', 'via', 'using', 'use', 'through', 'in', 'to'],
  parties: ['from', 'with', 'to', 'of', 'at'],
};

/** True at the start of a clause, but not inside brackets. */
function openedBy(c: Cursor): boolean {
  const before = c.peek(-1);
  return (
    before === undefined ||
    (before.kind === 'SEP' && before.value !== '(' && before.text.toLowerCase() !== 'but')
  );
}
