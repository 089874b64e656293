import { DAY_MS } from '../../terms/instants.ts';
import type { Atom } from '../atom.ts';
import type { Fact } from '../facts.ts';
import { endsSentence } from '../sentences.ts';
import { type Bag, type Context, joinedBy, kindsOf, wordOf } from './bag.ts';

/** Words that may stand around a date without changing what happens on it. */
const AROUND = 'DATE PREP ART KEEP VERB DEAL GEN ANY SCOPE TERM ME SEP ALLOWED PER ITEM LIMIT';
const ENDING = kindsOf(`${AROUND} ENDS UNTIL NEG ABOVE AFTER OFF HALT NOMORE`);
const STARTING = kindsOf(`${AROUND} STARTS NEG UNTIL BEFORE`);
const RANGE = kindsOf(`${AROUND} ENDS UNTIL STARTS BETWEEN`);

const PREPOSITIONS = new Set(['on', 'by', 'at', 'in', 'with', 'as', 'for', 'to', 'of', 'from', 'through']);
const SEPARATORS = new Set([':', '-', '(', ')', ',']);

/** Reads a clause about a date, or about two: when the mandate ends, begins, or from when to when it holds. */
export function timeFrame(bag: Bag, context: Context): Fact[] | null {
  const dates = bag.all('DATE');
  if (dates.length === 0) return lasts(bag, context);
  if (dates.length > 2) return null;
  // What a date leaves open is asked as before.
  if (dates.some(({ date }) => date?.value === undefined)) return null;
  // "The whole thing ends", and not "500 USDC all told, until …".
  if (bag.all('SCOPE').some(({ text }) => !/thing|everything|all of it|whole lot/i.test(text))) return null;
  if (
    bag
      .all('LIMIT')
      .some(({ text }) => !/^(?:at (?:the )?most|up to|no more)$/i.test(text) && !PAST.test(text))
  )
    return null;
  if (dates.length === 2) return range(bag, dates as [Atom, Atom]);
  if (!joinedBy(bag, PREPOSITIONS, SEPARATORS)) return null;
  return ends(bag, dates[0]!) ?? starts(bag, dates[0]!);
}

/** "Not beyond 31 March": the words of a limit, in front of a date. */
const PAST = /^(?:and |but )?(?:not|never|nothing) (?:beyond|past)$/i;

const LASTING = kindsOf('UNIT NUMBER ART KEEP ENDS TERM PREP SEP NEXT AGO VERB ME UNDER ANY');

/** "You have sixty days", "sixty days is how long it runs". */
function lasts(bag: Bag, { before: left, after }: Context): Fact[] | null {
  if (bag.count('UNIT') !== 1 || !bag.only(LASTING) || !joinedBy(bag, PREPOSITIONS, SEPARATORS)) return null;
  const place = bag.at('UNIT');
  const before = bag.atoms[place - 1];
  const count = before?.kind === 'ART' ? 1 : before?.kind === 'NUMBER' ? Number(before.micro) / 1e6 : 0;
  if (count <= 0 || bag.count('NUMBER') > 1) return null;
  if (bag.all('UNDER').some(({ text }) => !/^within$/i.test(text))) return null;
  const had = /\b(?:have|has|got|gets?|gives?|given|grant|allow)\b/i.test(bag.words('KEEP'));
  // "Sixty days." as a sentence of its own.
  const alone = bag.atoms.length === 2 && stops(left) && stops(after);
  if (!had && !alone && !bag.has('ENDS', 'TERM')) return null;
  const unit = bag.atoms[place]!;
  return [{ fact: 'lasts', count, unit: unit.value, text: `${before!.text} ${unit.text}` }];
}

function ends(bag: Bag, date: Atom): Fact[] | null {
  if (!bag.only(ENDING)) return null;
  const neg = bag.count('NEG');
  const later = bag.count('AFTER', 'ABOVE');
  if (bag.all('PREP').some((atom) => wordOf(atom) === 'from')) return null;
  if (later > 1 || neg > 1) return null;
  const closes = /^end (?!of\b)/i.test(date.text) || bag.has('ENDS', 'OFF', 'HALT', 'NOMORE');
  // "Nothing after 31 March", "after 31 March you do nothing more", "the whole thing is off after 31 March".
  if (later === 1) {
    const place = bag.at('AFTER', 'ABOVE');
    if (bag.kindAt(place + 1) !== 'DATE') return null;
    if (bag.has('ABOVE') && !/^(?:past|beyond)$/i.test(bag.all('ABOVE')[0]!.text)) return null;
    if (bag.has('UNTIL') || neg + (closes ? 1 : 0) !== 1 || /expir|laps/.test(bag.words('ENDS'))) return null;
    return [endOn(date)];
  }
  if (neg > 0 || bag.has('OFF', 'HALT', 'NOMORE')) return null;
  const past = bag.all('LIMIT').some(({ text }) => PAST.test(text));
  const marked = closes || past || bag.has('UNTIL') || ledBy(bag, 'by', 'through');
  return marked ? [endOn(date)] : null;
}

function starts(bag: Bag, date: Atom): Fact[] | null {
  if (!bag.only(STARTING) || date.text.toLowerCase() === 'today') return null;
  const neg = bag.count('NEG');
  const waits = bag.count('UNTIL', 'BEFORE');
  // "Don't begin until 15 January", "buy nothing before 15 January".
  const held = neg === 1 && waits === 1 && bag.has('STARTS', 'VERB', 'DEAL', 'KEEP');
  if (!held && (neg > 0 || waits > 0 || !bag.has('STARTS'))) return null;
  return [{ fact: 'starts', ms: date.date!.value!.ms }];
}

function range(bag: Bag, [first, last]: readonly [Atom, Atom]): Fact[] | null {
  if (!bag.only(RANGE)) return null;
  const [from, to] = [bag.atoms.indexOf(first), bag.atoms.lastIndexOf(last)];
  if (to !== from + 2) return null;
  const joint = bag.atoms[from + 1]!;
  const between = bag.kindAt(from - 1) === 'BETWEEN';
  const joined = between
    ? joint.kind === 'SEP' && wordOf(joint) === 'and'
    : ['to', 'through'].includes(wordOf(joint)) || joint.kind === 'UNTIL' || wordOf(joint) === '-';
  const rest = bag.atoms.filter((_, at) => at < from || at > to);
  const plain = rest.every((atom) => atom.kind !== 'SEP' || SEPARATORS.has(wordOf(atom)));
  if (!joined || !plain || bag.has('LIMIT')) return null;
  return [{ fact: 'starts', ms: first.date!.value!.ms }, endOn(last)];
}

function endOn(date: Atom): Fact {
  const { ms, dateOnly } = date.date!.value!;
  return { fact: 'ends', ms: dateOnly ? ms + DAY_MS - 1000 : ms, text: date.text };
}

function ledBy(bag: Bag, ...words: readonly string[]): boolean {
  const before = bag.atoms[bag.at('DATE') - 1];
  return before?.kind === 'PREP' && words.includes(wordOf(before));
}

/** True where a sentence begins or ends. */
function stops(atom: Atom | undefined): boolean {
  return atom === undefined || endsSentence(atom);
}
