import { keccak } from '../../agents/canonical.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { mandateTerms } from '../../agents/mandate/terms/terms.ts';
import { findByPayment, type MintedAgent, mintAgent, mintPurpose } from '../../chain/clients/agents.ts';
import { placeMetadata } from '../../chain/deploy/metadata-base.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { insertAgent } from '../../store/agent/agents.ts';
import {
  type AgentDetails,
  agentDetails,
  type CheckoutRow,
  findCheckout,
} from '../../store/checkout/checkouts.ts';
import { lockSuspended } from '../../store/checkout/reversals.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { spawnActor } from '../durable/actors/spawn.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from '../durable/jobs/effect.ts';
import { holdsRole, roleRests } from '../keys/own-roles.ts';
import { agentActor } from '../machines.ts';
import type { Services } from '../services.ts';

/** The tiers by the contract's numbers. */
const TIER = { AGENT: 1, EXECUTOR: 2 } as const;

/**
 * Mints the paid agent with its account, first mandate and session key in one transaction. The mint carries the
 * payment's reference, and the contract refuses a second mint with the same reference, whatever happened before.
 */
export function mintAgentEffect(services: Services): EffectRunner {
  const load = async (params: Record<string, unknown>) => {
    const checkout = await findCheckout(services.db, String(params.checkoutId));
    if (!checkout) throw new EffectError('there is no such checkout', { retry: false });
    return { checkout, details: agentDetails(checkout) };
  };
  const existing = async (checkout: CheckoutRow) =>
    await findByPayment(services.home.readers.viem, services.home.deployment, paymentRef(checkout.id));
  /**
   * The agent that the payment has minted already; null when there is none and none of those that were sent can come any
   * more; `taken` when the payment can mint none. Asked in this order, a mint that is mined meanwhile is found. A mint in
   * too young a block counts as under way: the node that is read may be behind the one that tells.
   * @throws EffectError while a sent mint may still be mined, or mined again
   */
  const minted = async (checkout: CheckoutRow): Promise<MintedAgent | 'taken' | null> => {
    const purpose = mintPurpose(paymentRef(checkout.id));
    const underWay = await services.home.minter.underWay(purpose, services.config.confirmations);
    const found = await existing(checkout);
    if ((found === null || found === 'taken') && underWay)
      throw new EffectError('a mint that was sent may still be mined', { retry: true });
    return found;
  };

  return {
    kind: 'mint-agent',
    lane: 'chain',
    maxAttempts: 1_000,
    async reconcile({ params }) {
      const { checkout, details } = await load(params);
      const found = await minted(checkout);
      // A run finds out the same, and gives up.
      return found === null || found === 'taken' ? null : outcome(services, checkout, details, found);
    },
    async run({ params }) {
      const { checkout, details } = await load(params);
      const { home } = services;
      const terms = mandateTerms(details.mandate);
      try {
        const base = `${services.config.baseUrl}/metadata/${home.chainId}/`;
        const placed = await placeMetadata(home.minter, home.deployment.agentNft, base);
        const made = await mintAgent(home.minter, home.deployment, {
          to: checkout.owner as `0x${string}`,
          tier: TIER[checkout.tier as 'AGENT'],
          paymentRef: paymentRef(checkout.id),
          key: services.sessionKeys.at(Number(details.sessionKeyIndex)).address,
          keyValidUntil: terms.expiry,
          // The token's URI then follows the contract's base URI, which moves with the service; a URI of its own would
          // not.
          uri: placed ? '' : `${services.config.baseUrl}/agent/${checkout.handle}`,
          terms,
        });
        return outcome(services, checkout, details, made);
      } catch (error) {
        if (error instanceof ChainError && error.kind === 'reverted') {
          // An earlier attempt may have minted without learning of it, so its agent is taken. A node that does not
          // answer gives no reason for refusing.
          const found = await minted(checkout);
          if (found === 'taken')
            throw new EffectError('the number of the agent is taken by that of another payment', {
              retry: false,
              cause: error,
            });
          if (found !== null) return outcome(services, checkout, details, found);
          // The contract has minted for this payment: the node that was asked for the agent is behind, or lies.
          if (error.errorName === 'PaymentAlreadyUsed')
            throw new EffectError('the chain says that the agent is minted, and not which', { retry: true });
          await requireMinter(services);
          throw new EffectError(`the mint was refused: ${error.message}`, { retry: false, cause: error });
        }
        throw error;
      }
    },
  };
}

/** How long a mint rests before it is asked again whether the service may mint. */
const ROLE_RESTS_MS = 60_000;

/**
 * What was paid for is not failed because the role of the minter rests, as after a stolen key: it waits.
 * @throws EffectError to be retried
 */
async function requireMinter({ home }: Services): Promise<void> {
  if (await holdsRole(home, 'minter')) return;
  throw new EffectError(roleRests(home, 'minter'), { retry: true, waitMs: ROLE_RESTS_MS });
}

function paymentRef(checkoutId: string): `0x${string}` {
  return keccak(checkoutId);
}

function outcome(
  services: Services,
  checkout: CheckoutRow,
  details: AgentDetails,
  minted: MintedAgent,
): EffectOutcome {
  const handle = checkout.handle as string;
  return {
    event: { type: 'MINTED', handle },
    commit: async (trx) => {
      const now = services.now();
      // Before the agent is there: a reversal after this finds it, and tells it itself.
      const isSuspended = await lockSuspended(trx, checkout.id);
      const index = BigInt(details.sessionKeyIndex);
      await insertAgent(trx, {
        handle,
        checkoutId: checkout.id,
        owner: checkout.owner,
        tier: checkout.tier as 'AGENT',
        depth: checkout.depth,
        chainId: services.home.chainId,
        contract: lowerAddress(services.home.deployment.agentNft),
        tokenId: minted.tokenId,
        account: lowerAddress(minted.account),
        sessionKey: lowerAddress(services.sessionKeys.at(Number(index)).address),
        sessionKeyIndex: index,
        mintTx: minted.tx,
        mandate: { text: details.mandateText, structured: details.mandate, hash: details.mandateHash },
        now,
      });
      await spawnActor(trx, agentActor, {
        key: handle,
        input: {
          handle,
          mandateEndsInMs: Math.max(0, Date.parse(details.mandate.expires_at) - now.getTime()),
          watchEveryMs: services.config.watchSeconds * 1000,
          // An EXECUTOR does not look for deals by itself.
          watches: checkout.tier === 'AGENT',
        },
        now,
      });
      // Money that was taken back before the mint holds the agent from its birth on.
      const born = { key: handle, eventId: 'born-suspended', event: { type: 'SUSPEND' }, now };
      if (isSuspended) await applyEvent(trx, agentActor, born);
    },
  };
}
