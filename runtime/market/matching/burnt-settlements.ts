import type { Hex } from 'viem';
import type { Asset } from '../../../agents/assets.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { isNameLot } from '../../../agents/names/name.ts';
import { SETTLE_GAS } from '../../../chain/clients/settlement.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { type GasCharge, takeGas, wouldExhaust } from '../../../store/payments/relay-budgets.ts';
import type { Services } from '../../services.ts';

/**
 * What a settlement that is refused in a block costs the service, though its simulation went through: a thing's contract can
 * tell the two apart, and burn all that it is given. It counts against whoever sold the thing, and against its contract.
 * The deployment's own contracts burn nothing, and all sellers share them: of what stands there, the code of others that
 * runs is the buyer's, so it counts against whoever buys, and against the agent.
 */

/** So much is burnt at most in a day, for one of those that it counts against: some five settlements. */
export const BURNT_A_DAY = 5n * SETTLE_GAS;

/**
 * What an honest refusal takes is less: the dearest settlement takes 285,000 (`test/contracts/gas.json`), and a buyer whose
 * money left meanwhile is not held against the seller.
 */
const IN_EARNEST = 300_000n;

interface Sold {
  readonly asset: Asset;
  readonly assetKey: string;
  /** The seller's beneficial owner. */
  readonly seller: string;
  readonly buyer: {
    /** The beneficial owner. */
    readonly owner: string;
    /** The agent's token; null where it is not there any more. */
    readonly tokenId: bigint | null;
  };
}

type Asking = Pick<Services, 'db' | 'now' | 'home'>;

function charges({ home }: Pick<Asking, 'home'>, sold: Sold, amount: bigint): GasCharge[] {
  return subjectsOf(home.deployment, sold).map((subject) => ({
    ...{ purpose: 'settlement-burnt', subject, amount },
    limit: BURNT_A_DAY,
  }));
}

function subjectsOf(deployment: Deployment, { asset, assetKey, seller, buyer }: Sold): string[] {
  // Names stand at contracts that the operator chose, which call nobody: nothing ends their auctions for that.
  if (asset.kind !== 'token' || isNameLot(assetKey)) return [];
  const { agentNft, certificates, assets } = deployment;
  if ([agentNft, certificates, assets].some((own) => sameAddress(own, asset.contract)))
    return [
      `buyer ${buyer.owner.toLowerCase()}`,
      ...(buyer.tokenId === null ? [] : [`agent ${buyer.tokenId}`]),
    ];
  return [`seller ${seller.toLowerCase()}`, `contract ${asset.contract.toLowerCase()}`];
}

/** Counts a settlement that was refused in a block. @throws ChainError when the chain does not say what it burnt */
export async function countBurnt(services: Asking, sold: Sold, hash: Hex): Promise<void> {
  const { db, now, home } = services;
  const { gasUsed } = await home.settlement.receipt(hash);
  if (gasUsed < IN_EARNEST) return;
  // Each by itself: where one has no room left, the other counts all the same.
  for (const charge of charges(services, sold, gasUsed)) await takeGas(db, [charge], now());
}

/** Why no such deal is settled now; null where another settlement may be refused. In one statement. */
export async function whyBurnt(services: Asking, sold: Sold): Promise<string | null> {
  const { db, now } = services;
  const over = await wouldExhaust(db, charges(services, sold, SETTLE_GAS), now());
  if (over === null) return null;
  return `too many settlements of the ${over.charge.subject} were refused in a block today: none is tried for ${over.retryAfterSeconds} seconds`;
}
