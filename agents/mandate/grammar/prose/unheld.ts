import type { Known } from '../lexicon/lexicon.ts';
import type { Steps } from '../steps.ts';
import type { Token } from '../tokens.ts';
import { namesPayer } from './payer.ts';
import { type Segment, segmentsOf } from './segments.ts';

type PhraseAt = (at: number) => Known | null;

/** Something that owners ask for and that no field of a mandate holds. */
export type Unheld = 'hours' | 'rest' | 'depth' | 'tier' | 'fees' | 'serials' | 'handle' | 'every' | 'payer';

/** What a question says of each. */
export const UNHELD: Readonly<Record<Unheld, string>> = {
  hours: 'A mandate holds dates, and no hours of the day',
  rest: 'A mandate does not say how long an order stays open',
  depth: 'A mandate does not say how many reviewers a determination has',
  tier: 'A mandate does not say which tier of evaluation is bought',
  fees: 'The limits of a mandate hold for the price alone, without fees',
  serials: 'A mandate requires determinations, and no single numbers',
  every: 'A mandate asks its owner above an amount, and not for every deal. Above which amount',
  handle: 'A mandate names others by the address of their account',
  payer: 'A mandate does not say which wallet pays, as an agent pays from its own account',
};

const ORDERS = /^(?:orders?|offers?|bids?|listings?|quotes?)$/;
const RESTING =
  /^(?:rest|rests|resting|rested|open|book|unfilled|withdrawn|withdraw|cancelled|canceled|cancel|stay|stays|staying|sit|sits|sitting|remain|remains|standing|stand|stands|outstanding|left|leave|lapse|lapses|up|pull|pulled|live|keep|kept|expire)$/;
const SPAN = /^(?:hours?|days?|weeks?|months?|~d|~h|~w)$/;
const SEATS = /^(?:one|two|three|four|five|1|2|3|4|5)$/;
const CERTIFIED = /^(?:evaluations?|checks?|reports?|appraisals?|assessments?|determinations?)$/;
const NUMBERED = /^(?:vins?|serial|chassis)$/;
const INCLUDING = /^(?:inclusive|including|include|includes|exclusive|excluding|net|plus|before|after|with)$/;
const DEALT = /^(?:deals?|purchases?|sales?|transactions?|trades?|orders?|time)$/;
const AGENT_NAMED = /^(?:named|called|styled|known|titled)$/;
const DEALS = /^(?:sell|buy|deal|trade|purchase|dealing|not|only|never|acquire)$/;

/**
 * The places of clauses that say what no mandate holds, each with how many tokens it has. Such a clause is asked about as
 * a whole, whatever else is in it; a clause with money or a date in it is left to the rules.
 */
export function unheldIn(
  tokens: readonly Token[],
  text: string,
  phraseAt: PhraseAt,
  steps: Steps,
): ReadonlyMap<number, { readonly length: number; readonly kind: Unheld }> {
  steps.take(tokens.length >> 1);
  const found = new Map<number, { length: number; kind: Unheld }>();
  let last: { at: number; kind: Unheld } | null = null;
  for (const segment of segmentsOf(tokens)) {
    const kind = kindOf({ tokens, text, phraseAt }, segment);
    if (kind !== null) {
      found.set(segment.from, { length: segment.to - segment.from, kind });
      last = { at: segment.from, kind };
      continue;
    }
    // ", no longer", ", in every case": said of the same.
    if (last === null || segment.opens || !trails(tokens, segment, last.kind, phraseAt)) last = null;
    else found.set(last.at, { length: segment.to - last.at, kind: last.kind });
  }
  return found;
}

const TRAILING = new Set(
  'no not longer more than that at most ever please in each every case for all of its determinations deal deals time always everywhere'.split(
    ' ',
  ),
);

function trails(tokens: readonly Token[], { from, to }: Segment, kind: Unheld, phraseAt: PhraseAt): boolean {
  if (to - from > 5) return false;
  // "… and upper-octave": a second name.
  if (kind === 'handle' && phraseAt(from) === null && /^\p{Ll}/u.test(tokens[from]!.text)) return true;
  return tokens.slice(from, to).every(({ key }) => TRAILING.has(key));
}

interface Read {
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly phraseAt: PhraseAt;
}

function kindOf(read: Read, { from, to }: Segment): Unheld | null {
  const words = read.tokens.slice(from, to);
  const has = (pattern: RegExp): boolean => words.some(({ key }) => pattern.test(key));
  const priced = words.some((_, i) => read.phraseAt(from + i)?.meaning.kind === 'CURRENCY');
  if (priced || words.some(({ kind, text }) => kind === 'date' || /^20\d\d$/.test(text))) return null;
  const over = words.some((_, i) => read.phraseAt(from + i)?.meaning.kind === 'ABOVE');
  const timed = words.filter(
    ({ kind, key }) => kind === 'time' || key === 'midnight' || key === 'noon',
  ).length;
  if (timed > 1 || (timed === 1 && has(/^(?:utc|gmt)$/))) return 'hours';
  if (has(ORDERS) && has(RESTING) && has(SPAN)) return 'rest';
  if (has(/^superconsensus$/) || seats(words)) return 'depth';
  if (has(/^certified$/) && has(CERTIFIED)) return 'tier';
  if (has(/^fees$/) && has(INCLUDING)) return 'fees';
  if (
    has(/^(?:every|each|all)$/) &&
    has(DEALT) &&
    has(/^(?:approv|ok$|okay$|consent|permission|ask$)/) &&
    !over
  )
    return 'every';
  if (has(NUMBERED) && has(/^(?:check|trace|validate|verif|look)/)) return 'serials';
  if (namesPayer(read.tokens, from, to, read.phraseAt)) return 'payer';
  return handled(read, from, to) ? 'handle' : null;
}

/** "Two-of-two depth", "one-of-one checks". */
function seats(words: readonly Token[]): boolean {
  return words.some(({ key }, i) => {
    const [of, other] = [words[i + 1]?.key, words[i + 2]?.key];
    return (
      SEATS.test(key) &&
      of === 'of' &&
      SEATS.test(other ?? '') &&
      words.some((word) => /^(?:depth|checks?|determinations?|review|panel|seats?)$/.test(word.key))
    );
  });
}

/** "The agent known as redline-surplus", "sell to ticketshark": others by what they call themselves here. */
function handled(read: Read, from: number, to: number): boolean {
  const { tokens } = read;
  let dealt = false;
  for (let at = from; at < to; at++) {
    const { key } = tokens[at]!;
    dealt ||= DEALS.test(key);
    if (key === 'agent' || key === 'agents') {
      const next = tokens[at + 1]?.key ?? '';
      const called = AGENT_NAMED.test(next);
      const name = at + (called ? (next === 'known' ? 3 : 2) : 1);
      const end = nameEnd(read, name, to);
      // Without "named" only a hyphen tells a name: "the agent bulk-barn", and not "the agent three months".
      if (end !== null && (called || end > name + 1)) return true;
    } else if (dealt && /^(?:to|from|with)$/.test(key) && nameEnd(read, at + 1, to) === to)
      // "From her" is nobody's name.
      return read.phraseAt(at)?.meaning.kind !== 'FROM_THEM';
  }
  return false;
}

/** Where a name ends: one unknown word in small letters, or several that hyphens join. */
function nameEnd({ tokens, text, phraseAt }: Read, at: number, to: number): number | null {
  const first = tokens[at];
  if (first === undefined || at >= to || first.kind !== 'word' || !/^\p{Ll}/u.test(first.text)) return null;
  let end = at + 1;
  while (end < to && tokens[end]!.start === tokens[end - 1]!.end + 1 && text[tokens[end]!.start - 1] === '-')
    end++;
  return end > at + 1 || phraseAt(at) === null ? end : null;
}
