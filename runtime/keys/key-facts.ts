import type { SignerFacts } from '../chain-sync/signer-watch.ts';
import type { RoleFacts } from './own-roles.ts';

/** What a start says of the keys that sign, as they are now: whoever reads it may send them coin. */
export function keyFacts(
  signers: readonly SignerFacts[],
  roles: readonly RoleFacts[],
): (readonly [role: string, says: string])[] {
  return signers.map(({ role, address, balance, low }) => {
    const lacking = roles.filter((r) => r.address === address && !r.held).map((r) => r.role);
    const rests = lacking.length === 0 ? '' : `; not ${lacking.join(', ')} on chain now`;
    return [role, `${address} (${balance} coin${low ? ', too little' : ''}${rests})`];
  });
}
