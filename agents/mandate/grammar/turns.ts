import type { Atom } from './atom.ts';
import type { Known, PhraseAt } from './lexicon/lexicon.ts';
import { readNumber } from './numbers.ts';
import type { Token } from './tokens.ts';

/**
 * What a phrase means by what stands around it, where that differs from what it means by itself; null elsewhere.
 *
 * @param atoms what was read before
 */
export function turned(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
  atoms: readonly Atom[],
): Known | null {
  const known = phraseAt(at);
  return (
    overAmount(tokens, at, known) ??
    aboveEverything(tokens, at, known) ??
    theMonth(tokens, at) ??
    ticketsTo(tokens, at, phraseAt) ??
    surplus(tokens, at, phraseAt) ??
    wanted(tokens, at, phraseAt, atoms.at(-1)) ??
    thing(tokens, at, phraseAt, atoms.at(-1)) ??
    sameAgain(tokens, at, phraseAt, atoms)
  );
}

/** "Ask me if it's over 200 USDC": in front of an amount it is no end. */
function overAmount(tokens: readonly Token[], at: number, known: Known | null): Known | null {
  if (known?.meaning.kind !== 'ENDS' || tokens[at + known.length - 1]!.key !== 'over') return null;
  const next = at + known.length;
  const figure = tokens[next]?.key === '$' ? readNumber(tokens, next + 1) : readNumber(tokens, next);
  if (figure === null) return null;
  return tokens[next]!.kind === 'number' || tokens[next]!.key === '$' || isMoney(tokens, next + figure.length)
    ? { meaning: { kind: 'ABOVE', value: '' }, length: known.length }
    : null;
}

function isMoney(tokens: readonly Token[], at: number): boolean {
  return ['usdc', 'usd', 'dollars', '$'].includes(tokens[at]?.key ?? '');
}

/** "I sign off on everything over 500 USDC": each thing, and not the sum of all. */
function aboveEverything(tokens: readonly Token[], at: number, known: Known | null): Known | null {
  if (known?.meaning.kind !== 'SCOPE' || known.meaning.value !== 'total') return null;
  if (!/^(?:everything|anything)$/.test(tokens[at + known.length - 1]!.key)) return null;
  return /^(?:over|above|beyond|exceeding|costing|more|past|from)$/.test(tokens[at + known.length]?.key ?? '')
    ? { meaning: { kind: 'ANY', value: '' }, length: known.length }
    : null;
}

const MODALS = new Set(['must', 'may', 'should', 'can', 'shall', 'cannot', "can't", "mustn't", "shouldn't"]);

/** "The month must not cost more than 2,000 USDC": any month. */
function theMonth(tokens: readonly Token[], at: number): Known | null {
  if (tokens[at]!.key !== 'the' || !/^(?:day|week|month)$/.test(tokens[at + 1]?.key ?? '')) return null;
  return MODALS.has(tokens[at + 2]?.key ?? '') ? { meaning: { kind: 'ART', value: '' }, length: 1 } : null;
}

/** "Tickets to musicals" are goods of one name. */
function ticketsTo(tokens: readonly Token[], at: number, phraseAt: PhraseAt): Known | null {
  const known = phraseAt(at);
  if (known?.meaning.kind !== 'CATEGORY') return null;
  const next = at + known.length;
  if (!/^(?:tickets?|seats?|vouchers?)$/.test(tokens[next - 1]!.key)) return null;
  if (!/^(?:to|for|at)$/.test(tokens[next]?.key ?? '')) return null;
  const what = phraseAt(next + 1);
  return what?.meaning.kind === 'CATEGORY' && what.meaning.value === known.meaning.value
    ? { meaning: known.meaning, length: known.length + 1 + what.length }
    : null;
}

const SURPLUS = new Set([
  'surplus',
  'overstock',
  'overstocked',
  'liquidation',
  'clearance',
  'salvage',
  'liquidated',
]);
const SEASONS = new Set(['season', 'line', 'range', 'run']);
const SURPLUS_ENDS = new Set([
  'SEP',
  'LIMIT',
  'UNTIL',
  'PREP',
  'ENDS',
  'UNDER',
  'MINIMUM',
  'SCOPE',
  'NEG',
  'ONLY',
  'MONEY',
]);

/** "Surplus bike parts", "overstock sneakers": whatever it is, it is surplus. Tickets left over may be travel, too. */
function surplus(tokens: readonly Token[], at: number, phraseAt: PhraseAt): Known | null {
  let end = at;
  // "End-of-season surplus".
  if (tokens[end]?.key === 'end' && tokens[end + 1]?.key === 'of' && SEASONS.has(tokens[end + 2]?.key ?? ''))
    end += 3;
  if (!SURPLUS.has(tokens[end]?.key ?? '')) return null;
  const known = phraseAt(end);
  const from = end;
  end += known?.meaning.value === LIQUIDATION ? known.length : 1;
  for (let nouns = 0; nouns < 4; nouns++) {
    const token = tokens[end];
    const next = phraseAt(end);
    if (next?.meaning.kind === 'CATEGORY') {
      // Equipment in surplus is goods of its own, or what a business uses; travel and rights are never surplus goods.
      const goods = next.meaning.value === LIQUIDATION || next.meaning.value === 'real-world-assets';
      if (!goods || tokens[end + next.length - 1]!.key === 'equipment') return null;
      end += next.length;
    } else if (next?.meaning.kind === 'ITEM' || next?.meaning.kind === 'GEN') end += next.length;
    else if (next === null && isThing(token)) end++;
    else if (
      token?.key === 'and' &&
      nouns > 0 &&
      phraseAt(end + 1) === null &&
      /s$/.test(tokens[end + 1]?.key ?? '') &&
      tokens[end + 1]?.kind === 'word'
    )
      end += 2;
    else break;
  }
  if (end <= from + (known?.length ?? 1) && from === at) return null;
  const after = tokens[end];
  const kind = phraseAt(end)?.meaning.kind ?? '';
  const ends =
    after === undefined ||
    after.kind !== 'word' ||
    SURPLUS_ENDS.has(kind) ||
    kind === 'FILL' ||
    ['from', 'to', 'for'].includes(after.key);
  return ends ? { meaning: { kind: 'CATEGORY', value: LIQUIDATION }, length: end - at } : null;
}

/** A noun that no list has: no verb, no adverb, and nothing that says what becomes of the goods. */
function isThing(token: Token | undefined): boolean {
  if (token?.kind !== 'word' || !/^\p{Ll}{3,}$/u.test(token.text) || STATES_OF_GOODS.has(token.key))
    return false;
  return !/(?:ing|ed|ly)$/.test(token.key) || THINGS_ING.has(token.key);
}

const STATES_OF_GOODS = new Set(
  'gone out sold away back off here there now soon cheap fast quick too also myself'.split(' '),
);
const THINGS_ING = new Set(
  'shelving clothing bedding lighting flooring seating fencing roofing plumbing packaging tubing piping'.split(
    ' ',
  ),
);
const LIQUIDATION = 'liquidation-and-surplus';

const OPENING = new Set([
  'need',
  'needed',
  'want',
  'wanted',
  'needs',
  'wants',
  'seeking',
  'after',
  'wanting',
]);

/** "Need vintage cameras": where a sentence begins, in front of goods. */
function wanted(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
  before: Atom | undefined,
): Known | null {
  if (!OPENING.has(tokens[at]!.key)) return null;
  if (before !== undefined && (before.kind !== 'SEP' || !['.', ';', '!', '-'].includes(before.value)))
    return null;
  const next = tokens[at + 1]?.key === 'some' || tokens[at + 1]?.key === ':' ? at + 2 : at + 1;
  return ['CATEGORY', 'MODIFIER'].includes(phraseAt(next)?.meaning.kind ?? '')
    ? { meaning: { kind: 'VERB', value: 'buy' }, length: next - at }
    : null;
}

/** "One deal in total": behind a number no verb begins. "For all coins together": behind old coins they are no money. */
function thing(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
  before: Atom | undefined,
): Known | null {
  const known = phraseAt(at);
  if (tokens[at]!.key === 'deal' && known?.meaning.kind === 'VERB' && before?.kind === 'NUMBER')
    return { meaning: { kind: 'DEAL', value: 'deal' }, length: 1 };
  // "Unsold travel", "leftover tickets".
  if (/^(?:unsold|leftover|unused|spare)$/.test(tokens[at]!.key) && known === null)
    return phraseAt(at + 1)?.meaning.value === 'travel-and-perishables'
      ? { meaning: { kind: 'MODIFIER', value: '' }, length: 1 }
      : null;
  return null;
}

const CHIEFLY = new Set(['mostly', 'mainly', 'chiefly', 'especially', 'particularly']);

/**
 * "Tokenized invoices and other tokenized debt", "digital products, mostly fonts": words that pick some of the goods of a
 * category say nothing where all of it is named beside them.
 */
function sameAgain(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
  atoms: readonly Atom[],
): Known | null {
  const { key } = tokens[at]!;
  const next = phraseAt(at + 1)?.meaning;
  if (key === 'other') return next?.kind === 'CATEGORY' && joined(atoms, next.value) ? FILLER : null;
  if (!CHIEFLY.has(key)) return null;
  const named = atoms.filter(({ kind }) => kind === 'CATEGORY');
  const last = atoms.at(-1);
  if (next?.kind === 'CATEGORY')
    return named.length > 0 && named.every(({ value }) => value === next.value) ? FILLER : null;
  return last?.kind === 'CATEGORY' && named.length > 1 && named.every(({ value }) => value === last.value)
    ? FILLER
    : null;
}

const FILLER: Known = { meaning: { kind: 'FILL', value: '' }, length: 1 };

/** True behind "goods of the same category and". */
function joined(atoms: readonly Atom[], category: string): boolean {
  const [joint, goods] = [atoms.at(-1), atoms.at(-2)];
  return (
    (joint?.kind === 'SEP' || joint?.kind === 'OR') && goods?.kind === 'CATEGORY' && goods.value === category
  );
}
