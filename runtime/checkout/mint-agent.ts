import { type Address, isAddressEqual } from 'viem';
import { keccak } from '../../agents/canonical.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { mandateTerms } from '../../agents/mandate/terms/terms.ts';
import { findByPayment, type MintedAgent, mintAgent, mintPurpose } from '../../chain/clients/agents.ts';
import type { OrderedAgent } from '../../chain/clients/minted-as-ordered.ts';
import { sessionKeyNumbers } from '../../chain/clients/session-key-numbers.ts';
import { placeMetadata } from '../../chain/deploy/metadata-base.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { insertAgent } from '../../store/agent/agents.ts';
import {
  type AgentDetails,
  agentDetails,
  type CheckoutRow,
  findCheckout,
} from '../../store/checkout/checkouts.ts';
import { adoptSessionKey, lastSessionKey } from '../../store/checkout/restored.ts';
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
  /**
   * The agent that the payment has minted already; null when there is none and none of those that were sent can come any
   * more; `taken` when the payment can mint none. Asked in this order, a mint that is mined meanwhile is found. A mint in
   * too young a block counts as under way: the node that is read may be behind the one that tells.
   * @throws EffectError while a sent mint may still be mined, or mined again
   */
  const minted = async (checkout: CheckoutRow): Promise<KeyedAgent | 'taken' | null> => {
    const purpose = mintPurpose(paymentRef(checkout.id));
    const underWay = await services.home.minter.underWay(purpose, services.config.confirmations);
    const { readers, deployment } = services.home;
    const found = await findByPayment(readers.viem, deployment, orderedAgent(checkout));
    if (isFound(found) && isAddressEqual(found.key, orderedKey(services, checkout)))
      return { ...found, keyIndex: BigInt(agentDetails(checkout).sessionKeyIndex) };
    if (underWay) throw new EffectError('a mint that was sent may still be mined', { retry: true });
    if (!isFound(found)) return found;
    const keyIndex = await forgottenKey(services, found.key);
    return keyIndex === null ? 'taken' : { ...found, keyIndex };
  };

  return {
    kind: 'mint-agent',
    lane: 'chain',
    maxAttempts: 1_000,
    async reconcile({ params }) {
      const { checkout, details } = await load(params);
      const found = await minted(checkout);
      // A run finds out the same, and gives up.
      return isFound(found) ? outcome(services, checkout, details, found) : null;
    },
    async run({ params }) {
      const { checkout, details } = await load(params);
      const { home } = services;
      try {
        const base = `${services.config.baseUrl}/metadata/${home.chainId}/`;
        const placed = await placeMetadata(home.minter, home.deployment.agentNft, base);
        const made = await mintAgent(home.minter, home.deployment, {
          ...orderedAgent(checkout),
          key: orderedKey(services, checkout),
          // The token's URI then follows the contract's base URI, which moves with the service; a URI of its own would
          // not.
          uri: placed ? '' : `${services.config.baseUrl}/agent/${checkout.handle}`,
        });
        const keyIndex = BigInt(details.sessionKeyIndex);
        return outcome(services, checkout, details, { ...made, keyIndex });
      } catch (error) {
        if (error instanceof ChainError && error.kind === 'reverted') {
          // An earlier attempt may have minted without learning of it, so its agent is taken. A node that does not
          // answer gives no reason for refusing.
          const found = await minted(checkout);
          if (found === 'taken') {
            services.log.error(
              { checkoutId: checkout.id, paymentRef: paymentRef(checkout.id) },
              'the agent of a payment was minted otherwise than it was ordered: whoever did that has the role of the minter, and the money is returned',
            );
            throw new EffectError('the number of the agent is taken by one that was not ordered', {
              retry: false,
              cause: error,
            });
          }
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

/**
 * What the payment of a checkout ordered, to be minted and to be recognised. @throws UnreadableRow for a checkout that pays
 * for no agent
 */
export function orderedAgent(checkout: CheckoutRow): OrderedAgent {
  const { mandate } = agentDetails(checkout);
  const terms = mandateTerms(mandate);
  return {
    to: checkout.owner as `0x${string}`,
    tier: TIER[checkout.tier as 'AGENT'],
    paymentRef: paymentRef(checkout.id),
    keyValidUntil: terms.expiry,
    terms,
  };
}

/** The session key of a checkout's agent. @throws RangeError where the seed's version is not held any more */
export function orderedKey({ sessionKeys }: Pick<Services, 'sessionKeys'>, checkout: CheckoutRow): Address {
  return sessionKeys.at(Number(agentDetails(checkout).sessionKeyIndex)).address;
}

/** The agent of a payment, with the index of the session key that its mint granted. */
type KeyedAgent = MintedAgent & { readonly keyIndex: bigint };

const isFound = <Found extends MintedAgent>(found: Found | 'taken' | null): found is Found =>
  found !== null && found !== 'taken';

/** How many agents may have been minted between the moment of a restore and the restore. */
const FORGOTTEN = 500n;

/**
 * The index of a session key of the service's that its checkout does not name: the database was restored to a moment before
 * the mint, and a number was taken anew for the same payment. Null for a key of somebody else.
 */
async function forgottenKey(
  { db, sessionKeys }: Pick<Services, 'db' | 'sessionKeys'>,
  key: Address,
): Promise<bigint | null> {
  const wanted = key.toLowerCase();
  const last = await lastSessionKey(db);
  const numbers = await sessionKeyNumbers(sessionKeys, new Set([wanted]), last, FORGOTTEN);
  const number = numbers.get(wanted);
  return number === undefined ? null : sessionKeys.base + number;
}

function paymentRef(checkoutId: string): `0x${string}` {
  return keccak(checkoutId);
}

function outcome(
  services: Services,
  checkout: CheckoutRow,
  details: AgentDetails,
  minted: KeyedAgent,
): EffectOutcome {
  const handle = checkout.handle as string;
  return {
    event: { type: 'MINTED', handle },
    commit: async (trx) => {
      const now = services.now();
      // Before the agent is there: a reversal after this finds it, and tells it itself.
      const isSuspended = await lockSuspended(trx, checkout.id);
      const index = minted.keyIndex;
      if (index !== BigInt(details.sessionKeyIndex))
        await adoptSessionKey(trx, checkout.id, index, services.sessionKeys.base);
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
        sessionKey: lowerAddress(minted.key),
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
