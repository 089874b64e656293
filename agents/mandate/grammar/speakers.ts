import { beneficiaryAt, courtesyAt, possessorAt, receiverAt, useAt } from './asides.ts';
import type { Atom } from './atom.ts';
import { backgroundAt } from './background.ts';
import type { Background } from './background-words.ts';
import type { PhraseAt } from './lexicon/lexicon.ts';
import type { Steps } from './steps.ts';
import type { Token } from './tokens.ts';

const AGAIN = new Set(['them', 'some', 'it', 'these', 'those']);

/** "My late father made violins. We'd like to sell them": the goods that were spoken of, where there are no others. */
export function spokenOf(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
  atoms: readonly Atom[],
  passed: readonly Background[],
): Background['goods'][number] | null {
  const verb = atoms.at(-1);
  if (!AGAIN.has(tokens[at]!.key) || verb?.kind !== 'VERB' || verb.value === 'spend') return null;
  const goods = passed.flatMap((background) => background.goods);
  if (goods.length !== 1 || atoms.some(({ kind }) => kind === 'CATEGORY')) return null;
  const next = tokens[at + 1];
  const ends = next === undefined || next.kind === 'symbol';
  return ends || ENDS_OBJECT.has(phraseAt(at + 1)?.meaning.kind ?? '') ? goods[0]! : null;
}

const ENDS_OBJECT = new Set(['PREP', 'LIMIT', 'UNTIL', 'SEP', 'MINIMUM', 'FILL', 'UNDER', 'ENDS', 'NEG']);

const CLAUSE_STARTS = new Set(['.', ';', '!', ',', '?', ':', '-', '(']);
const JOINTS = new Set(['and', 'but', 'so']);
const SELVES = new Set(['i', 'we', 'my', 'our', 'he', 'she', "i'm", "we're"]);

/** @param first whether nothing but fillers came before */
export function backgroundFrom(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
  first: boolean,
  steps: Steps,
): Background | null {
  const [before, { key }] = [tokens[at - 1]?.key ?? '.', tokens[at]!];
  const starts =
    first || CLAUSE_STARTS.has(before) || key === 'because' || (JOINTS.has(before) && SELVES.has(key));
  return starts ? backgroundAt(tokens, at, phraseAt, steps) : null;
}

/** What an aside may begin with, and how many tokens are looked at behind it. */
const LEADS = new Set(['for', 'in', 'on', 'my', 'our', 'his', 'her', 'their', 'the', 'to', 'him', 'them']);
const LOOKS = 14;

/** How many words from a place say for whom, whose or how politely, and nothing else. */
export function asideAt(
  tokens: readonly Token[],
  at: number,
  phraseAt: PhraseAt,
  last: Atom | undefined,
  steps: Steps,
): number {
  if (LEADS.has(tokens[at]!.key)) steps.take(LOOKS);
  const before = tokens[at - 1]?.key ?? '.';
  return (
    beneficiaryAt(tokens, at, phraseAt) ||
    possessorAt(tokens, at, phraseAt) ||
    (last?.kind === 'CATEGORY' ? useAt(tokens, at, phraseAt) : 0) ||
    (last?.kind === 'VERB' && last.value === 'buy' ? receiverAt(tokens, at, phraseAt) : 0) ||
    (CLAUSE_STARTS.has(before) || before === 'and' ? courtesyAt(tokens, at) : 0)
  );
}
