import { describeMandate } from '../terms/describe.ts';
import type { Mandate, Question } from '../terms/schema.ts';
import type { Atom } from './atom.ts';
import { isName } from './atom-kinds.ts';
import { UNLISTED } from './facts.ts';
import { bothWays } from './offers.ts';
import type { Asked } from './one-question.ts';
import { endsSentence, isFullStop } from './sentences.ts';

/** How many other passages that were not understood a question names. */
const MOST_OTHERS = 3;

/** The steps of one rewording, for each atom and each question. */
export const REWORDING_STEPS = 4;

/**
 * A question with the other words that were not understood, and a sentence that would be. What the text limits is never
 * left out of a sentence that is offered as the whole.
 * @param rest what the text says without the words in question; null where that is no whole mandate
 */
export function withRewording(
  asked: Asked,
  leftovers: readonly Asked[],
  atoms: readonly Atom[],
  text: string,
  rest: Mandate | null,
): Question {
  const { reason, question, about, vague } = asked;
  if (!vague || about === null || (reason !== 'NOT_UNDERSTOOD' && reason !== 'AMBIGUOUS_CAP'))
    return { reason, question };
  const others = leftovers.flatMap((q) =>
    q.about === null || q.about.start === about.start || question.includes(quote(text, q.about))
      ? []
      : [quote(text, q.about)],
  );
  const more =
    others.length === 0
      ? ''
      : ` Not understood either: ${others
          .slice(0, MOST_OTHERS)
          .map((words) => `"${words}"`)
          .join(', ')}.`;
  const inside = atoms.filter((atom) => atom.start >= about.start && atom.end <= about.end);
  const around = inside.some(mayRefuse) ? beside(atoms, about) : [];
  const offered = offer(inside, around, others.length === 0 ? rest : null, deedOf(atoms));
  return { reason, question: `${question}${more} ${offered}` };
}

/** The names that words may refuse or narrow: those behind them in their clause, or right before them. */
function beside(atoms: readonly Atom[], { start, end }: { start: number; end: number }): readonly Atom[] {
  const next = atoms.findIndex((atom) => atom.start >= end);
  const last = atoms.findLastIndex(
    (atom) => atom.end <= start && !MARKS.has(atom.value) && atom.kind !== 'ART',
  );
  const before = atoms[last];
  const following = next === -1 ? [] : clauseFrom(atoms, headed(atoms, before, next)).filter(isName);
  // "Deals on Base, nope".
  const named = before?.value === ',' ? atoms[last - 1] : before;
  const near = following.length > 0 || named === undefined ? following : [named].filter(isName);
  return near.filter(({ kind }) => kind === near[0]!.kind);
}

/** Where the clause behind words begins: on the next line, where they stand on one of their own, as in "verboten\nBase". */
function headed(atoms: readonly Atom[], before: Atom | undefined, next: number): number {
  if (before !== undefined && !endsSentence(before)) return next;
  let from = next;
  while (atoms[from]?.kind === 'SEP' && !isFullStop(atoms[from]!)) from++;
  return from;
}

/** "Music: verboten". */
const MARKS = new Set([':', '-']);

function clauseFrom(atoms: readonly Atom[], from: number): readonly Atom[] {
  const to = atoms.findIndex(
    ({ kind, value }, at) => at >= from && kind === 'SEP' && !MARKS.has(value) && !/^(?:and|&)$/i.test(value),
  );
  return atoms.slice(from, to === -1 ? undefined : to);
}

function quote(text: string, { start, end }: { start: number; end: number }): string {
  return text.slice(start, end).replace(/\s+/g, ' ');
}

/** Kinds of words that limit nothing, so that a sentence may be offered that leaves them out. */
const LEAVABLE = new Set(['UNKNOWN', 'SEP', 'ART', 'PREP', 'OR', 'ITEM', 'GEN', 'ME', 'KEEP']);
const NARROWING = new Set(['NEG', 'DENY', 'OFF', 'EXCEPT', 'ONLY', 'WITHOUT', 'COND']);
/** These may refuse a name beside them, or confine all to it. */
const REFUSING = new Set(['UNKNOWN', 'NEG', 'DENY', 'OFF', 'EXCEPT', 'ONLY', 'WITHOUT']);

/** "Ideally not from x.eth" refuses as well. */
function mayRefuse({ kind, text }: Atom): boolean {
  return REFUSING.has(kind) || (kind === 'HEDGE' && /\bnot$/i.test(text));
}

/** What the text has done with goods: "Sell" where it speaks of selling and never of buying. */
function deedOf(atoms: readonly Atom[]): string {
  const verbs = atoms.filter(({ kind }) => kind === 'VERB');
  return verbs.length > 0 && verbs.every(({ value }) => value === 'sell') ? 'Sell' : 'Buy';
}

/**
 * @param around the names that the words may refuse or narrow
 * @param deed the verb of a sentence that permits goods
 */
function offer(atoms: readonly Atom[], around: readonly Atom[], rest: Mandate | null, deed: string): string {
  const of = (kind: string): string | undefined => atoms.find((atom) => atom.kind === kind)?.text;
  const money = of('MONEY');
  if (money !== undefined)
    return `You could write "At most ${money} per deal", or "At most ${money} in total".`;
  const percent = of('PERCENT');
  if (percent !== undefined) return `You could write "Never above ${percent} of the market median".`;
  const chain = of('CHAIN');
  if (chain !== undefined) return `You could write "Only on ${chain}", or "Never on ${chain}".`;
  const party = of('PARTY');
  if (party !== undefined) return `You could write "Deal only with ${party}", or "Never deal with ${party}".`;
  if (atoms.some(({ value }) => value === UNLISTED)) return `You could write ${wider(atoms)}.`;
  const goods = of('CATEGORY');
  if (goods !== undefined) return `You could write "${deed} ${goods}", or "Never deal in ${goods}".`;
  const date = of('DATE');
  if (date !== undefined) return `You could write "Until ${date}".`;
  // What may refuse a name is never left out: the name would become what is allowed.
  const either = bothWays(around, deed);
  if (either !== null) return either;
  const plain =
    'say it as a sentence such as "At most 100 USDC per deal", "Buy digital products" or "Until 31 March 2030".';
  if (atoms.some(({ kind }) => NARROWING.has(kind))) return `You could ${plain}`;
  // Words that may be goods are not left out where nothing else says which goods are meant.
  if (rest?.categories_allow !== undefined && atoms.every((atom) => LEAVABLE.has(atom.kind)))
    return `If it may be left out, you could write: ${describeMandate(rest)}`;
  return `You could leave it out, or ${plain}`;
}

/** A sentence about the category that goods of a narrower name may belong to. */
function wider(atoms: readonly Atom[]): string {
  const words = atoms.map(({ text }) => text.toLowerCase()).join(' ');
  const [, goods] = WIDER.find(([named]) => named.some((word) => words.includes(word))) ?? [
    [],
    'real-world assets',
  ];
  return `"Buy ${goods}" or "Sell ${goods}", if any of them will do`;
}

/** Words in the names of goods, and the category that they speak of; the first that fits counts. */
const WIDER: readonly (readonly [words: readonly string[], goods: string])[] = [
  [
    ['surplus', 'liquidation', 'overstock', 'pallet', 'returned', 'retired', 'unsold'],
    'liquidation and surplus',
  ],
  [['tokeni', 'invoice', 'bond', 'loan', 'receivable', 'treasury', 'debt'], 'tokenized debt and finance'],
  [['royalt', 'music', 'film', 'song', 'recording', 'video', 'sync'], 'music and video rights'],
  [['domain', 'licen', 'software', 'nft', 'e-book', 'game key', 'digital'], 'digital products'],
  [['ticket', 'hotel', 'flight', 'voucher', 'avocado', 'food', 'travel'], 'travel and perishables'],
];
