import { isName } from '../compliance/compliance.ts';
import { chainNameOf, chainWords } from '../terms/chains.ts';
import type { ClauseQuestion, Mandate } from '../terms/schema.ts';
import type { Atom } from './atom.ts';
import { readAtoms } from './atoms.ts';
import { clausesOf } from './one-question.ts';
import { Steps } from './steps.ts';
import { tokenize } from './tokens.ts';

/**
 * Finds the clauses of a mandate that nothing here can enforce. An agent with such a clause would be paid for and
 * minted, and could then never trade as it says: a face value is the word of whoever sells, nothing can be listed on
 * most chains, and nobody resolves a name such as alice.eth, so that anybody may be who it means. A denied chain is
 * enforceable, because nothing is listed there.
 * @param text the text that `mandate` was read from
 * @param ref when it was read, ISO 8601
 * @param listable the chains on which assets can be listed
 */
export function unenforceable(
  text: string,
  mandate: Mandate,
  { ref, listable }: { readonly ref: string; readonly listable: readonly number[] },
): readonly ClauseQuestion[] {
  const allowed = mandate.chains_allow;
  const nowhere = allowed !== undefined && !listable.some((id) => allowed.includes(chainNameOf(id)));
  const parties = [...(mandate.counterparties_allow ?? []), ...(mandate.counterparties_deny ?? [])];
  const names = [...new Set(parties.filter(isName))];
  if (mandate.max_pct_of_face === undefined && !nowhere && names.length === 0) return [];
  // Only a mandate with such a clause is read a second time, to find its words.
  const steps = Steps.for(text);
  const atoms = readAtoms(tokenize(text, steps), text, Date.parse(ref), steps);
  const questions: ClauseQuestion[] = [];
  if (mandate.max_pct_of_face !== undefined)
    questions.push({
      reason: 'NO_FACE_VALUE',
      question:
        'No listing here states a face value that could be checked. What is the most that the agent may pay, as an amount or as a share of the market?',
      words: faceWords(atoms, text, steps),
    });
  if (nowhere) {
    const named = atoms.filter(({ kind, value }) => kind === 'CHAIN' && allowed.includes(value));
    questions.push({
      reason: 'NO_LISTINGS_ON_CHAIN',
      question: `Nothing can be listed on ${allowed.map(chainWords).join(' or ')}: the agent could never trade. May it deal wherever there are listings?`,
      words: [...new Set(named.map(({ text: words }) => words))],
    });
  }
  if (names.length > 0) {
    const named = atoms.filter(({ kind, value }) => kind === 'PARTY' && names.includes(value));
    questions.push({
      reason: 'UNKNOWN_NAME',
      question: `Nobody here can tell whose name ${names.join(' or ')} is. What is the address of the account of the agent that is meant?`,
      words: [...new Set(named.map(({ text: words }) => words))],
    });
  }
  return questions;
}

/** The words from the percentage to what it is a percentage of, when both are in one clause. */
function faceWords(atoms: readonly Atom[], text: string, steps: Steps): readonly string[] {
  const clauseAround = clausesOf(atoms, steps);
  const found = atoms
    .filter(({ kind }) => kind === 'FACE')
    .map((face) => {
      const clause = clauseAround(face);
      const shares = atoms.filter(
        ({ kind, start, end }) => kind === 'PERCENT' && start >= clause.start && end <= clause.end,
      );
      const start = Math.min(face.start, ...shares.map((share) => share.start));
      const end = Math.max(face.end, ...shares.map((share) => share.end));
      return text.slice(start, end).replace(/\s+/g, ' ');
    });
  return [...new Set(found)];
}
