import type { UnpaidPage } from '../../store/checkout/restored.ts';
import type { PaidPage } from '../checkout/public.ts';
import type { RestoreFinding } from './finding.ts';

/** What becomes of an agent whose payment went back: the chain keeps it, and no row here may act for it. */
export const STAYS =
  "it stays on chain and belongs to no handle here; its owner takes out what it holds by the account's own door";

/**
 * Tells what became of a card page.
 * @param agent the agent that was minted for it on chain and is not here; null: none is known
 * @returns null where there is nothing to tell: nobody paid, and nothing was minted
 */
export function tellPage(page: UnpaidPage, agent: bigint | null, outcome: PaidPage): RestoreFinding | null {
  const name = pageName(page);
  const onChain = agent === null ? '' : `, and its agent ${agent} is on chain`;
  switch (outcome.became) {
    case 'due':
      return { state: 'due', says: `${name} was paid, and is not booked` };
    case 'served': {
      const found = agent === null ? '' : `; its agent ${agent} is on chain, and is found there`;
      return { state: 'done', says: `${name} was paid, and is booked${found}` };
    }
    case 'already':
      return {
        state: 'by-itself',
        says: `${name} was booked meanwhile by its webhook or by another run: run this again to see what it left`,
      };
    case 'returned': {
      const says = `${name} was paid, and is returned: ${outcome.why}`;
      if (agent === null) return { state: 'done', says };
      return { state: 'by-hand', says: `${says}. Its agent ${agent}: ${STAYS}` };
    }
    case 'by-hand':
      return {
        state: 'by-hand',
        says: `${name} is not booked: its payment does not fit it, and must be returned by hand at the card processor (session ${page.session})${onChain}`,
      };
    case 'away':
      return {
        state: 'by-hand',
        says: `${name} is not booked: its money was given back, or is in a dispute that is not won${onChain}`,
      };
    case 'unpaid':
      if (agent === null) return null;
      return {
        state: 'by-hand',
        says: `${name} is not booked: the card processor knows of no payment${onChain}`,
      };
  }
}

/** How a page is named to the operator. */
export function pageName({ id, kind, handle }: UnpaidPage): string {
  return `checkout ${id} (${kind}${handle === null ? '' : ` ${handle}`})`;
}
