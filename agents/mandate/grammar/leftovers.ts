import type { Atom } from './atom.ts';
import { type Fact, UNLISTED } from './facts.ts';
import type { Asked, Span } from './one-question.ts';
import { UNHELD, type Unheld } from './prose/unheld.ts';
import { endsSentence } from './sentences.ts';
import type { Steps } from './steps.ts';

/** The steps charged for each atom of a run. */
const LOOKS_A_RUN = 4;

/**
 * Turns what no rule consumed into questions. Nothing in the text is ever ignored: any leftover refuses the mandate,
 * with a reason that says what kind of thing is unsettled.
 */
export function askAboutLeftovers(
  atoms: readonly Atom[],
  left: readonly number[],
  text: string,
  facts: readonly Fact[],
  steps: Steps,
): Asked[] {
  const questions: Asked[] = [];
  const hasEnd = facts.some(
    (f) =>
      f.fact === 'ends' ||
      f.fact === 'lasts' ||
      (f.fact === 'ask' && (f.reason === 'AMBIGUOUS_DATE' || f.reason === 'NO_EXPIRY')),
  );
  const hasCapQuestion = facts.some((f) => f.fact === 'ask' && f.reason === 'AMBIGUOUS_CAP');
  for (const { about, words } of narrower(atoms))
    questions.push({
      about,
      vague: true,
      worded: true,
      reason: 'NOT_UNDERSTOOD',
      question: `A mandate holds goods by their category, and nothing narrower. Which category is meant by "${words}"?`,
    });
  for (const run of runs(atoms, left)) {
    steps.take(LOOKS_A_RUN * run.length);
    const about = { start: atoms[run[0]!]!.start, end: atoms[run.at(-1)!]!.end };
    const words = text.slice(about.start, about.end);
    const unheld = first(atoms, run, (atom) => atom.kind === 'UNHELD');
    if (unheld !== undefined) {
      questions.push({
        about: { start: unheld.start, end: unheld.end },
        vague: true,
        worded: true,
        ...unheldQuestion(unheld),
      });
      continue;
    }
    const present = new Set(run.map((i) => atoms[i]!.kind));
    const has = (...kinds: string[]) => kinds.some((kind) => present.has(kind));
    const negative = run.find(
      (i) => atoms[i]!.kind === 'MINUS' && ['MONEY', 'NUMBER'].includes(atoms[i + 1]?.kind ?? ''),
    );
    const bad = first(atoms, run, (atom, i) => atom.kind === 'BADNUMBER' || lookalike(atom, atoms[i + 1]));
    const amount = first(atoms, run, (atom) => atom.kind === 'MONEY' || atom.kind === 'NUMBER');
    if (negative !== undefined)
      questions.push({
        about,
        vague: true,
        reason: 'UNREADABLE_AMOUNT',
        question: `The amount '${words} ${atoms[negative + 1]!.text}' is below zero. Which amount is meant?`,
      });
    else if (bad)
      questions.push({ about, vague: false, reason: 'UNREADABLE_AMOUNT', question: unreadable(bad, text) });
    else if (has('UNTIL', 'ENDS') && !hasEnd) {
      const reason = has('VAGUE', 'NUMBER', 'DATE', 'HEDGE', 'UNIT') ? 'AMBIGUOUS_DATE' : 'NO_EXPIRY';
      questions.push({
        about,
        vague: true,
        reason,
        question: `"${words}" is not a date. On which date does the mandate expire?`,
      });
    } else if (!hasEnd && has('VAGUE', 'DATE'))
      questions.push({
        about,
        vague: true,
        reason: 'AMBIGUOUS_DATE',
        question: `Which date exactly is meant by "${words}", and is it when the mandate expires?`,
      });
    else if (amount?.kind === 'NUMBER' && /^2[01]\d\d$/.test(amount.text))
      questions.push({
        about,
        vague: true,
        reason: 'AMBIGUOUS_DATE',
        question: `Which date exactly is meant by "${words}"?`,
      });
    else if (amount !== undefined && has('HEDGE', 'COND', 'OR', 'WITHOUT', 'UNKNOWN'))
      questions.push({
        about,
        vague: true,
        reason: 'AMBIGUOUS_CAP',
        question: `A cap must be exact and hold without conditions. Which cap is meant by "${words}"?`,
      });
    else if (amount !== undefined && !has('MONEYWORD'))
      questions.push({
        about,
        vague: true,
        reason: 'AMBIGUOUS_CAP',
        question: `What is ${amount.text} a limit of: each deal, each day, or all deals together?`,
      });
    else if (has('SCOPE') || (has('PER') && has('UNIT', 'DEAL')))
      questions.push({
        about,
        vague: true,
        reason: 'AMBIGUOUS_CAP',
        question: `Which amount is the limit "${words}"?`,
      });
    else if (has('COND', 'HEDGE', 'WITHOUT') && (hasCapQuestion || nearCap(run, atoms)))
      questions.push({
        about,
        vague: true,
        reason: 'AMBIGUOUS_CAP',
        question: `A cap must hold without conditions. What is the cap, without "${words}"?`,
      });
    else {
      questions.push({
        about,
        vague: true,
        reason: 'NOT_UNDERSTOOD',
        question: `What is meant by "${words}"? It cannot be read as a limit, goods, a chain, a counterparty or a date.`,
      });
    }
  }
  return questions;
}

function unheldQuestion({ value, text }: Atom): Pick<Asked, 'reason' | 'question'> {
  const said = UNHELD[value as Unheld];
  return value === 'every'
    ? { reason: 'AMBIGUOUS_CAP', question: `${said} are you asked, by "${text}"?` }
    : { reason: 'NOT_UNDERSTOOD', question: `${said}. May "${text}" be left out?` };
}

/** Goods that are named more narrowly than a category, each name once. */
function narrower(atoms: readonly Atom[]): { about: Span; words: string }[] {
  const found = new Map<string, Span>();
  for (const { kind, value, text, start, end } of atoms)
    if (kind === 'CATEGORY' && value === UNLISTED && !found.has(text))
      if (found.size === 0 || /\s/.test(text))
        // Behind a longer name one word names the same again: "Combi ovens … each oven".
        found.set(text, { start, end });
  return [...found].map(([words, about]) => ({ words, about }));
}

/** Groups adjacent leftover atoms, including the separators between them. */
function runs(atoms: readonly Atom[], left: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const index of left) {
    const run = found.at(-1);
    const last = run?.at(-1);
    const joined =
      last !== undefined &&
      atoms
        .slice(last + 1, index)
        .every((atom) => atom.kind === 'ART' || (atom.kind === 'SEP' && !endsSentence(atom)));
    const apart =
      atoms[index]!.kind === 'UNHELD' || (run !== undefined && atoms[run.at(-1)!]!.kind === 'UNHELD');
    if (run !== undefined && joined && !apart) run.push(index);
    else found.push([index]);
  }
  return found;
}

/** The first atom of a run for which `holds` is true. */
function first(
  atoms: readonly Atom[],
  run: readonly number[],
  holds: (atom: Atom, at: number) => boolean,
): Atom | undefined {
  const at = run.find((i) => holds(atoms[i]!, i));
  return at === undefined ? undefined : atoms[at];
}

/** True for letters that stand for digits in an amount, as in "lOO USDC". */
function lookalike(atom: Atom, next: Atom | undefined): boolean {
  return atom.kind === 'UNKNOWN' && /^[oOlISB]{2,}[kKmM]?$/.test(atom.text) && next?.kind === 'CURRENCY';
}

function unreadable(atom: Atom, text: string): string {
  const letters =
    /[a-z]/i.test(atom.value) && /\d/.test(atom.value) ? ' has a letter in it' : ' cannot be read';
  const after = text.slice(atom.end, atom.end + 30);
  const cap = /\bper[- ]deal\b|\/deal/i.test(after)
    ? 'per-deal cap'
    : /\b(?:per|a) day\b|daily/i.test(after)
      ? 'daily cap'
      : 'amount';
  return `The amount '${atom.value}'${letters}. What is the ${cap}?`;
}

/** True when an amount is near: a condition next to an amount is about that amount. */
function nearCap(run: readonly number[], atoms: readonly Atom[]): boolean {
  const around = atoms.slice(Math.max(0, run[0]! - 6), run.at(-1)! + 3);
  return around.some((atom) => atom.kind === 'MONEY' || atom.kind === 'CAP' || atom.kind === 'LIMIT');
}
