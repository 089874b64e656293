import { formatUsd } from '../../money.ts';
import type { Atom } from './atom.ts';
import { besideOthers } from './beside.ts';
import { withWordsBesideRefused } from './beside-refused.ts';
import { chainAt } from './chain-numbers.ts';
import { withCleanTopics } from './clean-topics.ts';
import { asksPolitely, greeting, introduces, signs } from './courtesies.ts';
import { readDate } from './dates.ts';
import { Heads } from './heads.ts';
import { introductionAt, joinedVerb } from './introductions.ts';
import { withKept } from './kept-goods.ts';
import { enumerates, labelAt, labelled } from './labels.ts';
import { parts, SEMICOLON, withEachForbidden, withoutNumbering, withoutRestatement } from './layout.ts';
import { withLeftOut } from './left-out.ts';
import { type Known, lookUp, type Meaning } from './lexicon/lexicon.ts';
import { readNumber } from './numbers.ts';
import type { Span } from './one-question.ts';
import { withOthersActs } from './other-party.ts';
import { verbBeforeLimit } from './particles.ts';
import { Prose } from './prose/prose.ts';
import { wareAt } from './prose/wares.ts';
import { purposeAt } from './purposes.ts';
import { Steps } from './steps.ts';
import type { Token } from './tokens.ts';

const SEPARATORS = new Set([',', ';', '.', '(', ')', ':', '-', '!']);

/**
 * Turns tokens into atoms. The longest reading wins at every place; fillers are dropped, unknown words are kept.
 * @param recitals takes the places of what only tells who writes and why, which is dropped as well
 */
export function readAtoms(
  tokens: readonly Token[],
  text: string,
  refMs: number,
  steps: Steps = Steps.for(text),
  recitals: Span[] = [],
): readonly Atom[] {
  const phraseAt = phrasesOf(tokens, steps);
  const atoms: Atom[] = [];
  let i = 0;
  const heads = new Heads();
  const prose = new Prose({ tokens, text, phraseAt }, steps, recitals);
  while (i < tokens.length) {
    steps.take(PLACE_STEPS);
    const told = prose.at(i, atoms);
    if (told !== null) {
      steps.take(told.length);
      if (told.meaning !== null) {
        const [start, end] = [tokens[i]!.start, tokens[i + told.length - 1]!.end];
        atoms.push({ ...told.meaning, text: text.slice(start, end), start, end });
      }
      i += told.length;
      continue;
    }
    const introduced = introductionAt(tokens, i, steps);
    if (introduced !== null) {
      steps.take(introduced.length);
      i += introduced.length;
      const joined = joinedVerb(tokens, i, introduced.pronoun, steps);
      if (joined !== null) {
        const { at, length, meaning } = joined;
        const [start, end] = [tokens[at]!.start, tokens[at + length - 1]!.end];
        if (meaning.kind !== 'FILL') atoms.push({ ...meaning, text: text.slice(start, end), start, end });
        i = at + length;
      }
      continue;
    }
    const purpose = purposeAt(tokens, i);
    if (purpose > 0) {
      i += purpose;
      continue;
    }
    const token = tokens[i]!;
    const known =
      chainAt(tokens, i, phraseAt) ??
      greeting(tokens, i) ??
      enumerates(tokens, i) ??
      labelAt(tokens, i) ??
      verbBeforeLimit(tokens, i, phraseAt, (keys) => lookUp(keys, 0, steps)) ??
      besideOthers({ tokens, at: i, atoms, phraseAt }) ??
      (sharesHead(tokens, i, phraseAt, steps) === null ? wareAt(tokens, i, atoms, phraseAt) : null) ??
      phraseAt(i);
    const date = readDate(tokens, i, refMs);
    const money = readMoney(tokens, phraseAt, i);
    let length = 1;
    let atom: Omit<Atom, 'text' | 'start' | 'end'>;
    if (date !== null && date.length >= (known?.length ?? 0) && date.length >= (money?.length ?? 0)) {
      length = date.length;
      atom = { kind: 'DATE', value: '', date };
    } else if (money !== null && money.length >= (known?.length ?? 0)) {
      ({ length, atom } = money);
    } else if (known !== null) {
      length = known.length;
      atom = known.meaning;
    } else if (signs(tokens, i, phraseAt)) break;
    else if (introduces(tokens, i)) atom = FILLER;
    else if (token.key === '?' && labelled(tokens, i)) atom = COLON;
    else if (token.key === '?' && asksPolitely(tokens, i)) atom = ENDED;
    else atom = heads.again(token) ?? sharesHead(tokens, i, phraseAt, steps) ?? bare(token);
    if (atom.kind !== 'FILL') {
      const start = token.start;
      const end = tokens[i + length - 1]!.end;
      const words = length === 1 ? token.text : text.slice(start, end).replace(/\s+/g, ' ');
      const { kind, value, micro, date: day } = atom;
      const plain = { kind, value, text: words, start, end };
      if (micro !== undefined) atoms.push({ ...plain, micro });
      else if (day !== undefined) atoms.push({ ...plain, date: day });
      else atoms.push(plain);
      if (kind === 'CATEGORY') heads.add(words, value);
    }
    i += length;
  }
  return withoutNumbering(
    withEachForbidden(
      withoutRestatement(
        withCleanTopics(withOthersActs(withWordsBesideRefused(withLeftOut(withKept(atoms)), text), text)),
      ),
    )
      .filter((atom, at, all) => !(someOf(atom) && partOf(all, at)))
      .map((atom, at) =>
        parts(atom, atoms[at - 1], atoms[at + 1], text) ? { ...atom, ...SEMICOLON } : atom,
      ),
    text,
  );
}

/** "Buy some wine": in front of goods the word says nothing. */
function partOf(atoms: readonly Atom[], at: number): boolean {
  const [before, after] = [atoms[at - 1], atoms[at + 1]];
  const bought = before?.kind === 'VERB' && before.value !== 'spend';
  return (
    (bought || /^some$/i.test(atoms[at]!.text)) &&
    ['CATEGORY', 'MODIFIER', 'ITEM'].includes(after?.kind ?? '')
  );
}

function someOf({ kind, text }: Atom): boolean {
  return kind === 'HEDGE' && /^(?:some|several|a few)$/i.test(text);
}

const ENDED: Meaning = { kind: 'SEP', value: '.' };
const FILLER: Meaning = { kind: 'FILL', value: '' };
const COLON: Meaning = { kind: 'SEP', value: ':' };

/** "Bus and train tickets": the first word shares the noun of the second. */
function sharesHead(
  tokens: readonly Token[],
  at: number,
  phraseAt: (at: number) => Known | null,
  steps: Steps,
): Meaning | null {
  if (tokens[at]!.kind !== 'word' || !['and', 'or', '&', ','].includes(tokens[at + 1]?.key ?? ''))
    return null;
  const second = phraseAt(at + 2);
  if (second?.meaning.kind !== 'CATEGORY' || second.length < 2) return null;
  const whole = lookUp([tokens[at]!.key, tokens[at + 1 + second.length]!.key], 0, steps);
  return whole?.length === 2 && whole.meaning.value === second.meaning.value ? second.meaning : null;
}

/** The steps charged for looking for a date and a number at one place; both look at a bounded number of tokens. */
const PLACE_STEPS = 4;

/** Looks phrases up, once for each place, because an amount asks for the currency before and after it. */
function phrasesOf(tokens: readonly Token[], steps: Steps): (at: number) => Known | null {
  const keys = tokens.map((t) => t.key);
  const found = new Map<number, Known | null>();
  return (at) => {
    let known = found.get(at);
    if (known === undefined) {
      known = lookUp(keys, at, steps);
      found.set(at, known);
    }
    return known;
  };
}

function bare(token: Token): Meaning {
  if (token.kind === 'address')
    return {
      kind: 'PARTY',
      value:
        token.text.startsWith('0x') || token.text.startsWith('0X') ? token.text.toLowerCase() : token.text,
    };
  if (token.kind === 'name') return { kind: 'PARTY', value: token.text.toLowerCase() };
  if (token.kind === 'bad-number') return { kind: 'BADNUMBER', value: token.text };
  if (token.kind !== 'symbol')
    return {
      kind: token.kind === 'ordinal' || token.kind === 'time' ? 'VAGUE' : 'UNKNOWN',
      value: token.text,
    };
  if (token.key === '&' || token.key === '+') return { kind: 'SEP', value: 'and' };
  if (token.key === '/') return { kind: 'PER', value: '/' };
  if (token.key === '=') return { kind: 'SEP', value: ':' };
  if (SEPARATORS.has(token.key)) return { kind: 'SEP', value: token.key };
  return { kind: 'UNKNOWN', value: token.text };
}

/** The `value` of a MONEY atom is its currency. NUMBER has none; PERCENT is a number with a percent sign. */
function readMoney(
  tokens: readonly Token[],
  phraseAt: (at: number) => Known | null,
  at: number,
): { length: number; atom: Omit<Atom, 'text' | 'start' | 'end'> } | null {
  const before = currencyAt(phraseAt(at));
  const number = readNumber(tokens, at + before.length);
  if (number === null || (before.length > 0 && tokens[at + before.length]!.kind !== 'number')) return null;
  let length = before.length + number.length;
  const after = currencyBehind(tokens, phraseAt, at + length, before.value === null);
  if (before.value === null && after.value === null && number.unreadable === undefined) {
    const percent = phraseAt(at + length);
    if (percent?.meaning.kind === 'PERCENTSIGN')
      return {
        length: length + percent.length,
        atom: { kind: 'PERCENT', value: formatUsd(number.micro), micro: number.micro },
      };
  }
  length += after.length;
  const currency = after.value ?? before.value;
  // "$500 EUR" names two currencies; "$500 USDC" is USDC written with a dollar sign.
  const clash =
    before.value !== null &&
    after.value !== null &&
    before.value !== after.value &&
    !(before.value === 'USD' && after.value === 'USDC');
  if (number.unreadable !== undefined)
    return { length, atom: { kind: 'BADNUMBER', value: number.unreadable } };
  if (currency === null) return { length, atom: { kind: 'NUMBER', value: '', micro: number.micro } };
  return { length, atom: { kind: 'MONEY', value: clash ? 'other' : currency, micro: number.micro } };
}

/** "500 coins per deal": behind a number coins may be money, and are asked about. */
function currencyBehind(
  tokens: readonly Token[],
  phraseAt: (at: number) => Known | null,
  at: number,
  bare: boolean,
): { value: string | null; length: number } {
  if (bare && tokens[at]?.key === 'coins') return { value: 'other', length: 1 };
  return currencyAt(phraseAt(at));
}

function currencyAt(found: Known | null): { value: string | null; length: number } {
  return found?.meaning.kind === 'CURRENCY'
    ? { value: found.meaning.value, length: found.length }
    : { value: null, length: 0 };
}
