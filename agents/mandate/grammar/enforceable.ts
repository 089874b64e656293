import { chainNameOf, chainWords } from '../terms/chains.ts';
import type { ClauseQuestion, Mandate } from '../terms/schema.ts';
import { readAtoms } from './atoms.ts';
import { Steps } from './steps.ts';
import { tokenize } from './tokens.ts';

/**
 * Finds the clauses of a mandate that nothing here can enforce. An agent with such a clause would be paid for and
 * minted, and could then never trade: nothing can be listed on most chains. A denied chain is enforceable, because
 * nothing is listed there.
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
  if (!nowhere) return [];
  // Only a mandate with such a clause is read a second time, to find its words.
  const steps = Steps.for(text);
  const atoms = readAtoms(tokenize(text, steps), text, Date.parse(ref), steps);
  const named = atoms.filter(({ kind, value }) => kind === 'CHAIN' && allowed.includes(value));
  return [
    {
      reason: 'NO_LISTINGS_ON_CHAIN',
      question: `Nothing can be listed on ${allowed.map(chainWords).join(' or ')}: the agent could never trade. May it deal wherever there are listings?`,
      words: [...new Set(named.map(({ text: words }) => words))],
    },
  ];
}
