import type { Atom } from './atoms.ts';
import type { Fact } from './facts.ts';
import type { Asked } from './one-question.ts';

/**
 * Turns what no rule consumed into questions. Nothing that was written is ever ignored: whatever stands here refuses
 * the mandate, and the reason says what kind of thing was not settled.
 */
export function askAboutLeftovers(
  atoms: readonly Atom[],
  left: readonly number[],
  text: string,
  facts: readonly Fact[],
): Asked[] {
  const questions: Asked[] = [];
  const hasEnd = facts.some(
    (f) =>
      f.fact === 'ends' ||
      f.fact === 'lasts' ||
      (f.fact === 'ask' && (f.reason === 'AMBIGUOUS_DATE' || f.reason === 'NO_EXPIRY')),
  );
  const hasCapQuestion = facts.some((f) => f.fact === 'ask' && f.reason === 'AMBIGUOUS_CAP');
  for (const run of runs(atoms, left)) {
    const about = { start: atoms[run[0]!]!.start, end: atoms[run.at(-1)!]!.end };
    const words = text.slice(about.start, about.end);
    const has = (...kinds: string[]) => run.some((i) => kinds.includes(atoms[i]!.kind));
    const negative = run.find(
      (i) => atoms[i]!.kind === 'MINUS' && ['MONEY', 'NUMBER'].includes(atoms[i + 1]?.kind ?? ''),
    );
    const bad = run.map((i) => atoms[i]!).find((atom) => atom.kind === 'BADNUMBER' || lookalike(atom, atoms));
    const amount = run.map((i) => atoms[i]!).find((atom) => atom.kind === 'MONEY' || atom.kind === 'NUMBER');
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

/** Leftover atoms that stand side by side, with separators between them counted in. */
function runs(atoms: readonly Atom[], left: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const index of left) {
    const run = found.at(-1);
    const last = run?.at(-1);
    const joined =
      last !== undefined &&
      atoms
        .slice(last + 1, index)
        .every(
          (atom) => atom.kind === 'ART' || (atom.kind === 'SEP' && atom.value !== '.' && atom.value !== ';'),
        );
    if (run !== undefined && joined) run.push(index);
    else found.push([index]);
  }
  return found;
}

/** "lOO USDC": letters where an amount belongs. */
function lookalike(atom: Atom, atoms: readonly Atom[]): boolean {
  return (
    atom.kind === 'UNKNOWN' &&
    /^[oOlISB]{2,}[kKmM]?$/.test(atom.text) &&
    atoms[atoms.indexOf(atom) + 1]?.kind === 'CURRENCY'
  );
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

/** A condition right behind or before an amount concerns that amount. */
function nearCap(run: readonly number[], atoms: readonly Atom[]): boolean {
  const around = atoms.slice(Math.max(0, run[0]! - 6), run.at(-1)! + 3);
  return around.some((atom) => atom.kind === 'MONEY' || atom.kind === 'CAP' || atom.kind === 'LIMIT');
}
