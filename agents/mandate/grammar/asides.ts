import { COUNTED, DOINGS, HARMLESS, RISKY } from './lexicon/background-words.ts';
import type { PhraseAt } from './lexicon/lexicon.ts';
import { CALLINGS, PURPOSES, QUALITIES, TRADES } from './lexicon/people-words.ts';
import { readNumber } from './numbers.ts';
import type { Token } from './tokens.ts';

const LONGEST = 14;
const ENDS = new Set(['.', ';', '!', ',', '-', ')', ':', '?', '(', '']);
const PLAIN = new Set([
  'FILL',
  'ART',
  'PREP',
  'MODIFIER',
  'ITEM',
  'GEN',
  'TERM',
  'SINGLE',
  'CATEGORY',
  'VAGUE',
]);
/** Endings of verbs and adverbs, which say more than a noun does: "renewing automatically", "vetted". */
const TELLING = /(?:ing|ed|ly|able|ible|less|n['’]?t)$/;

/**
 * One harmless word or phrase: of the closed lists, a noun that no list has, or a name with a capital; with the category
 * where it names goods. Null for all that may limit, count, date, permit or forbid.
 */
export function passable(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
): { readonly length: number; readonly category?: string } | null {
  const token = tokens[at];
  if (token === undefined) return null;
  // "The Harbour Trust": a name.
  const name = /^\p{Lu}\p{Ll}+$/u.test(token.text) && people(token.key);
  const month = token.text === 'May' && MONTH_LEADS.has(tokens[at - 1]?.key ?? '');
  if (RISKY.has(token.key) && !name && !month) return null;
  if (month) return { length: 1 };
  if (token.key === '&' || token.key === '/' || token.key === "'") return { length: 1 };
  const counted = countedAt(tokens, at);
  if (counted > 0) return { length: counted };
  if (token.kind === 'ordinal')
    return /^(?:birthday|birthdays|anniversary|wedding)$/.test(tokens[at + 1]?.key ?? '')
      ? { length: 2 }
      : null;
  if (token.kind !== 'word' || readNumber(tokens, at) !== null) return null;
  const known = phraseAt(at);
  if (known !== null && PLAIN.has(known.meaning.kind)) {
    if (tokens.slice(at, at + known.length).some(({ key }) => RISKY.has(key))) return null;
    return known.meaning.kind === 'CATEGORY'
      ? { length: known.length, category: known.meaning.value }
      : { length: known.length };
  }
  if (HARMLESS.has(token.key) || DOINGS.has(token.key) || people(token.key) || COUNTED.has(token.key))
    return known === null || known.length === 1 || known.meaning.kind === 'VERB' ? { length: 1 } : null;
  if (known !== null || TELLING.test(token.key)) return null;
  // "We work with nordlager": what stands there without an article may be a name.
  const led = tokens[at - 1]?.key ?? '';
  if (led === 'with' || led === 'by' || (OTHERS.has(led) && !/^\p{Lu}/u.test(token.text))) return null;
  return token.key.length > 1 ? { length: 1 } : null;
}

const MONTH_LEADS = new Set(['in', 'of', 'next', 'last', 'this', 'every']);
const OTHERS = new Set(['from', 'to', 'at', 'of', 'via', 'through']);

function people(key: string): boolean {
  return CALLINGS.has(key) || PURPOSES.has(key) || QUALITIES.has(key) || TRADES.has(key);
}

/** How many words "two sisters", "thirty years" and "62 years old" take; 0 where something else is counted. */
export function countedAt(tokens: readonly Token[], at: number): number {
  const number = readNumber(tokens, at);
  if (number === null || number.unreadable !== undefined) return 0;
  const next = tokens[at + number.length]?.key ?? '';
  if (COUNTED.has(next)) return number.length + 1;
  const described = QUALITIES.has(next) || TRADES.has(next);
  return described && COUNTED.has(tokens[at + number.length + 1]?.key ?? '') ? number.length + 2 : 0;
}

const OWNERS = new Set(['my', 'our', 'his', 'her', 'their']);
const SELVES = new Set(['me', 'us', 'him', 'her', 'them', 'myself', 'ourselves']);
/** What begins a clause, and so ends whom something is for. */
const BEGINS = new Set(['UNTIL', 'LIMIT', 'NEG', 'ENDS', 'STARTS', 'UNDER', 'MINIMUM', 'ONLY']);

/**
 * How many words say for whom somebody buys: "for my shop in Leeds", "for me and my mates", "on behalf of our fund"; 0
 * where goods, an amount, a time or anything else follows.
 */
export function beneficiaryAt(tokens: readonly Token[], at: number, phraseAt: PhraseAt): number {
  const behalf = tokens[at]?.key === 'on' && tokens[at + 1]?.key === 'behalf' && tokens[at + 2]?.key === 'of';
  const led =
    tokens[at]?.key === 'for' || (tokens[at]?.key === 'in' && OWNERS.has(tokens[at + 1]?.key ?? ''));
  if (!led && !behalf) return 0;
  const from = at + (behalf ? 3 : 1);
  const first = tokens[from]?.key ?? '';
  const owned = OWNERS.has(first) || SELVES.has(first) || behalf;
  if (!owned && !['a', 'an', 'the', 'two', 'three', 'some'].includes(first)) return 0;
  // "For the birthday": of what nobody is said to own, only people, places and occasions are named.
  let head = SELVES.has(first) && !OWNERS.has(first) ? from + 1 : from;
  let end = from + 1;
  let named = head > from || first === 'her';
  for (; end < at + LONGEST; end++) {
    const key = tokens[end]?.key ?? '';
    if (ENDS.has(key)) return named ? end - at : 0;
    const known = phraseAt(end);
    if (known !== null && BEGINS.has(known.meaning.kind)) return named ? end - at : 0;
    const moved = passable(tokens, end, phraseAt);
    if (moved === null || known?.meaning.kind === 'VERB')
      return named && follows(tokens, head, phraseAt) ? head - at : 0;
    const last = tokens[end + moved.length - 1]!;
    if (people(last.key) || COUNTED.has(last.key)) [named, head] = [true, end + moved.length];
    // "At least 300 USDC for my boat": what is sold. "My boat club" is not.
    else if (moved.category !== undefined || ['GEN', 'ITEM'].includes(known?.meaning.kind ?? ''))
      named = false;
    else if (owned && known === null && !named && !['and', 'of', '&'].includes(key))
      [named, head] = [true, end + 1];
    end += moved.length - 1;
  }
  return 0;
}

/** True where a clause may go on behind whom it is for: "for my shop at 20 USDC each". */
function follows(tokens: readonly Token[], at: number, phraseAt: PhraseAt): boolean {
  const kind = phraseAt(at)?.meaning.kind ?? '';
  const key = tokens[at]?.key ?? '';
  return (
    ENDS.has(key) || key === 'i' || key === 'we' || kind === 'PREP' || kind === 'SEP' || BEGINS.has(kind)
  );
}

/** "My late husband's stamps": how many words say whose the goods are; 0 where none do. */
export function possessorAt(tokens: readonly Token[], at: number, phraseAt: PhraseAt): number {
  if (!OWNERS.has(tokens[at]?.key ?? '') && tokens[at]?.key !== 'the') return 0;
  for (let end = at + 1; end < at + 5; end++) {
    const token = tokens[end];
    if (token?.kind !== 'word' || RISKY.has(token.key)) return 0;
    const owner =
      /(?:['’]s|s['’])$/i.test(token.text) || (/s$/.test(token.key) && tokens[end + 1]?.key === "'");
    if (!owner) continue;
    const next = /['’]/.test(token.text) ? end + 1 : end + 2;
    const after = phraseAt(next)?.meaning.kind ?? '';
    return ['CATEGORY', 'MODIFIER', 'ITEM'].includes(after) ? next - at : 0;
  }
  return 0;
}

/** "Buy him model trains", "get my son headphones": whom the goods are for, between the verb and them. */
export function receiverAt(tokens: readonly Token[], at: number, phraseAt: PhraseAt): number {
  const first = tokens[at]?.key ?? '';
  let end = at + 1;
  if (OWNERS.has(first) && first !== 'her') {
    while (QUALITIES.has(tokens[end]?.key ?? '')) end++;
    if (!PURPOSES.has(tokens[end]?.key ?? '')) return 0;
    end++;
  } else if (!['him', 'her', 'them', 'us', 'me'].includes(first)) return 0;
  else if (first === 'her' && PURPOSES.has(tokens[end]?.key ?? '')) end++;
  while (['some', 'a', 'few'].includes(tokens[end]?.key ?? '')) return 0;
  return ['CATEGORY', 'MODIFIER', 'ITEM'].includes(phraseAt(end)?.meaning.kind ?? '') ? end - at : 0;
}

/** What somebody does with goods. None of these verbs begins, ends, buys or sells. */
const USES = new Set(
  'flip restore repair refurbish decorate furnish hang display read play wear give gift fill brighten cook bake serve enjoy watch visit practise practice teach learn admire frame show share use donate brew drink eat fix paint learn-from surprise entertain cheer stream'.split(
    ' ',
  ),
);

/** "Surplus sneakers to flip at the stall": what for, up to the end of the clause; 0 where anything else is said. */
export function useAt(tokens: readonly Token[], at: number, phraseAt: PhraseAt): number {
  if (tokens[at]?.key !== 'to' || !USES.has(tokens[at + 1]?.key ?? '')) return 0;
  for (let end = at + 2; end < at + LONGEST; ) {
    if (ENDS.has(tokens[end]?.key ?? '')) return end - at;
    const moved = passable(tokens, end, phraseAt);
    // Goods that are used are goods that may be meant.
    if (moved === null || moved.category !== undefined) return 0;
    end += moved.length;
  }
  return 0;
}

/** Words that say of a clause that it is a courtesy, and the words that may stand around them. */
const COURTEOUS = new Set(
  `thanks thank thx ty tysm cheers ta tia regards greetings grateful gratitude appreciate appreciated appreciates hope hoping
  hello hi hey hiya howdy dear morning afternoon evening goodbye bye luck sincerely faithfully respectfully sorry
  welcome pleasure excellent brilliant fantastic helpful hugs bless obliged delighted`.split(/\s+/),
);
const AROUND_COURTESY = new Set(
  `you your yours i we me us my our it this that these all a an the for in on of to so very really much many lots
  lot loads bunch million once again and be am is are would will well day week weekend have having doing keep
  finds find found advance kind kindest warm warmest warmly good help helping time attention assistance work
  everyone team sir madam sirs friend friends friendly folks mate pal buddy there from with by god truly always too best
  i'm i'd we'd we're i'll it's that's happy glad please looking forward already yours
  patience understanding cooperation care big huge super great nice lovely`.split(/\s+/),
);

/** How many words a courtesy takes up to the end of its clause: "that would be a great help, thanks"; 0 where it is none. */
export function courtesyAt(tokens: readonly Token[], at: number): number {
  let courteous = false;
  for (let end = at; end < at + LONGEST; end++) {
    const key = tokens[end]?.key ?? '';
    if (ENDS.has(key)) return courteous ? end - at : 0;
    if (COURTEOUS.has(key)) courteous = true;
    else if (!AROUND_COURTESY.has(key)) return 0;
  }
  return 0;
}
