import type { Hex } from 'viem';
import type { Asset } from '../../../agents/assets.ts';
import { SETTLE_GAS } from '../../../chain/clients/settlement.ts';
import { type GasCharge, takeGas } from '../../../store/payments/relay-budgets.ts';
import type { Services } from '../../services.ts';

/**
 * What a settlement that is refused in a block costs the service, though its simulation went through: a thing's contract can
 * tell the two apart, and burn all that it is given. It counts against whoever sold the thing, and against its contract.
 */

/** So much is burnt at most in a day, by one seller's lots and by things of one contract: some five settlements. */
export const BURNT_A_DAY = 5n * SETTLE_GAS;

/** What an honest refusal takes is less: a buyer whose money left meanwhile is not held against the seller. */
const IN_EARNEST = SETTLE_GAS / 2n;

interface Sold {
  /** The seller's beneficial owner. */
  readonly owner: string;
  readonly asset: Asset;
}

function charges({ owner, asset }: Sold, amount: bigint): GasCharge[] {
  if (asset.kind !== 'token') return [];
  const subjects = [`seller ${owner.toLowerCase()}`, `contract ${asset.contract.toLowerCase()}`];
  return subjects.map((subject) => ({ purpose: 'settlement-burnt', subject, amount, limit: BURNT_A_DAY }));
}

/** Counts a settlement that was refused in a block. @throws ChainError when the chain does not say what it burnt */
export async function countBurnt(
  { db, now, home }: Pick<Services, 'db' | 'now' | 'home'>,
  sold: Sold,
  hash: Hex,
): Promise<void> {
  const { gasUsed } = await home.settlement.receipt(hash);
  if (gasUsed < IN_EARNEST) return;
  // Each by itself: where one has no room left, the other counts all the same.
  for (const charge of charges(sold, gasUsed)) await takeGas(db, [charge], now());
}

/** Why nothing is settled for this seller or of this contract now; null where another settlement may be refused. */
export async function whyBurnt(
  { db, now }: Pick<Services, 'db' | 'now'>,
  sold: Sold,
): Promise<string | null> {
  const over = await takeGas(db, charges(sold, SETTLE_GAS), now(), { take: false });
  if (over === null) return null;
  return `too many settlements of the ${over.charge.subject} were refused in a block today: none is tried for ${over.retryAfterSeconds} seconds`;
}
