import type { Hex } from 'viem';
import type { Asset } from '../../../agents/assets.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { isNameLot } from '../../../agents/names/name.ts';
import { couldPay, type Payment } from '../../../chain/clients/buyer-pays.ts';
import { SETTLE_GAS } from '../../../chain/clients/settlement.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import { type GasCharge, wouldExhaust } from '../../../store/payments/relay-budgets.ts';
import type { Services } from '../../services.ts';

/**
 * What a settlement that is refused in a block costs the service, though its simulation went through: a thing's contract can
 * tell the two apart, and burn all that it is given. It counts against whoever sold the thing, and against its contract;
 * where the buyer's account would not have paid, against whoever buys, and against the agent, and nobody else: a buyer who
 * takes the money out in between would close honest collections, whose transfers cost more than those of others.
 * The deployment's own contracts burn nothing, and all sellers share them: of what stands there, the code of others that
 * runs is the buyer's.
 */

/** So much is burnt at most in a day, for one of those that it counts against: some five settlements. */
export const BURNT_A_DAY = 5n * SETTLE_GAS;

/** The dearest settlement of a thing that costs as little as the deployment's own takes 285,000 (`test/contracts/gas.json`). */
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

/** A settlement that was refused in a block. */
interface Refused {
  readonly hash: Hex;
  readonly block: bigint;
  readonly payment: Payment;
}

type Asking = Pick<Services, 'db' | 'now' | 'home'>;

const chargeOf = (subject: string, amount: bigint): GasCharge => ({
  ...{ purpose: 'settlement-burnt', subject, amount },
  limit: BURNT_A_DAY,
});

/** Whom a settlement may count against: those on the buyer's side, and on the seller's. */
function subjectsOf(
  deployment: Deployment,
  { asset, assetKey, seller, buyer }: Sold,
): { readonly buying: readonly string[]; readonly selling: readonly string[] } {
  // Names stand at contracts that the operator chose, which call nobody: nothing ends their auctions for that.
  if (asset.kind !== 'token' || isNameLot(assetKey)) return { buying: [], selling: [] };
  const { agentNft, certificates, assets } = deployment;
  const isOwn = [agentNft, certificates, assets].some((own) => sameAddress(own, asset.contract));
  const agent = buyer.tokenId === null ? [] : [`agent ${buyer.tokenId}`];
  return {
    buying: [`buyer ${buyer.owner.toLowerCase()}`, ...agent],
    selling: isOwn ? [] : [`seller ${seller.toLowerCase()}`, `contract ${asset.contract.toLowerCase()}`],
  };
}

/**
 * What counts against whom for a settlement that was refused in a block. Where the chain does not say what it burnt, or
 * whether its buyer could have paid, it counts against all: nobody is spared because a node fails.
 */
export async function burntBy(services: Asking, sold: Sold, refused: Refused): Promise<readonly GasCharge[]> {
  const { buying, selling } = subjectsOf(services.home.deployment, sold);
  if (buying.length === 0) return [];
  const gasUsed = await whereSaid(gasOf(services, refused));
  if (gasUsed !== null && gasUsed < IN_EARNEST) return [];
  const bySeller =
    selling.length === 0 ? false : await whereSaid(couldHavePaid(services, refused, sold.buyer.tokenId));
  const subjects = bySeller === null ? [...buying, ...selling] : bySeller ? selling : buying;
  return subjects.map((subject) => chargeOf(subject, gasUsed ?? SETTLE_GAS));
}

async function gasOf({ home }: Asking, { hash }: Refused): Promise<bigint> {
  return (await home.settlement.receipt(hash)).gasUsed;
}

async function couldHavePaid(
  { home }: Asking,
  { payment, block }: Refused,
  agentId: bigint | null,
): Promise<boolean> {
  return await couldPay(home.readers.viem, home.deployment, payment, { block, agentId });
}

/** Null where the chain does not say. */
async function whereSaid<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ReaderError || error instanceof ChainError) return null;
    throw error;
  }
}

/** Why no such deal is settled now; null where another settlement may be refused. In one statement. */
export async function whyBurnt(services: Asking, sold: Sold): Promise<string | null> {
  const { db, now, home } = services;
  const { buying, selling } = subjectsOf(home.deployment, sold);
  const charges = [...buying, ...selling].map((subject) => chargeOf(subject, SETTLE_GAS));
  const over = await wouldExhaust(db, charges, now());
  if (over === null) return null;
  return `too many settlements of the ${over.charge.subject} were refused in a block today: none is tried for ${over.retryAfterSeconds} seconds`;
}
