import { keccak } from '../../agents/canonical.ts';
import type { MintEvent } from '../../chain/indexer/whole-history.ts';
import { checkoutsWithoutAgent } from '../../store/checkout/restored.ts';
import type { Database } from '../../store/database.ts';
import type { RestoreFinding } from './finding.ts';
import { STAYS } from './tell-page.ts';

/**
 * Tells of agents on chain that this database does not know, but for those of card pages that nobody is known to have
 * paid, which are told with these.
 */
export async function tellMints(db: Database, lost: readonly MintEvent[]): Promise<RestoreFinding[]> {
  if (lost.length === 0) return [];
  const checkouts = new Map(
    (await checkoutsWithoutAgent(db)).map((one) => [keccak(one.id).toLowerCase(), one]),
  );
  return lost.flatMap(({ paymentRef, tokenId, owner, account, tx }): RestoreFinding[] => {
    const checkout = checkouts.get(paymentRef.toLowerCase());
    const what = `agent ${tokenId} of ${owner} (account ${account}, transaction ${tx})`;
    // Before what is paid: of a purchase that failed nothing is minted, so nothing looks for its mint.
    if (checkout?.isFailed)
      return [
        {
          state: 'by-hand',
          says: `${what} was bought by checkout ${checkout.id}, whose purchase failed, so that its payment goes back: ${STAYS}`,
        },
      ];
    if (checkout?.isPaid)
      return [{ state: 'by-itself', says: `${what} is found by the mint of checkout ${checkout.id}` }];
    if (checkout?.isCard) return [];
    if (checkout !== undefined)
      return [
        {
          state: 'by-hand',
          says: `${what} was bought by checkout ${checkout.id} in USDC, which is not paid here: the service looks up such payments, so run this again in a minute before anything is given back`,
        },
      ];
    return [
      {
        state: 'by-hand',
        says: `${what} was bought by a checkout that is not here: its owner takes out what it holds by the account's own door, and is given the money back or another agent`,
      },
    ];
  });
}
