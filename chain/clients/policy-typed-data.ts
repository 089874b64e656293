import type { Address } from 'viem';
import type { MandateTerms } from '../../agents/mandate/terms/terms.ts';
import type { Deployment } from '../deploy/deployment.ts';

/** What makes an owner's signature for the policy count once: one agent, one owner, and a deadline. */
export interface PolicySlot {
  readonly tokenId: bigint;
  /** The agent's epoch when it was asked for; the next transfer ends the signature. */
  readonly epoch: number;
  /** How many signatures the agent used before this one. */
  readonly nonce: bigint;
  /** In unix seconds. */
  readonly deadline: number;
}

export interface MandateChange extends PolicySlot {
  readonly terms: MandateTerms;
}

export interface KeyGrant extends PolicySlot {
  readonly key: Address;
  /** In unix seconds. */
  readonly validUntil: number;
}

export interface PauseChange extends PolicySlot {
  readonly paused: boolean;
}

const SLOT = [
  { name: 'epoch', type: 'uint32' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint48' },
] as const;

const SET_MANDATE = {
  SetMandate: [
    { name: 'agentId', type: 'uint256' },
    { name: 'terms', type: 'Terms' },
    { name: 'caps', type: 'TokenCap[]' },
    { name: 'allow', type: 'address[]' },
    { name: 'deny', type: 'address[]' },
    ...SLOT,
  ],
  Terms: [
    { name: 'mandateHash', type: 'bytes32' },
    { name: 'validAfter', type: 'uint48' },
    { name: 'expiry', type: 'uint48' },
    { name: 'sides', type: 'uint8' },
    { name: 'allowlistOnly', type: 'bool' },
    { name: 'categories', type: 'uint256' },
  ],
  TokenCap: [
    { name: 'token', type: 'address' },
    { name: 'perDeal', type: 'uint128' },
    { name: 'dayCap', type: 'uint128' },
    { name: 'weekCap', type: 'uint128' },
    { name: 'monthCap', type: 'uint128' },
    { name: 'totalCap', type: 'uint128' },
    { name: 'minPrice', type: 'uint128' },
  ],
} as const;

const GRANT_KEY = {
  GrantKey: [
    { name: 'agentId', type: 'uint256' },
    { name: 'key', type: 'address' },
    { name: 'validUntil', type: 'uint48' },
    ...SLOT,
  ],
} as const;

const SET_PAUSED = {
  SetPaused: [{ name: 'agentId', type: 'uint256' }, { name: 'paused', type: 'bool' }, ...SLOT],
} as const;

/** The EIP-712 document by which an owner replaces the mandate. Large numbers are text, so that it is JSON. */
export function setMandateTypedData(deployment: Deployment, change: MandateChange) {
  const { mandateHash, validAfter, expiry, sides, allowlistOnly, categories, caps, allow, deny } =
    change.terms;
  const amounts = Object.fromEntries(Object.entries(caps).map(([name, amount]) => [name, amount.toString()]));
  return {
    domain: domainOf(deployment),
    types: SET_MANDATE,
    primaryType: 'SetMandate' as const,
    message: {
      agentId: change.tokenId.toString(),
      terms: {
        mandateHash,
        validAfter,
        expiry,
        sides,
        allowlistOnly,
        categories: categories.toString(),
      },
      caps: [{ token: deployment.usdc, ...(amounts as Record<keyof typeof caps, string>) }],
      allow,
      deny,
      ...slotOf(change),
    },
  };
}

/** The EIP-712 document by which an owner grants a session key, as JSON. */
export function grantKeyTypedData(deployment: Deployment, grant: KeyGrant) {
  const { tokenId, key, validUntil } = grant;
  return {
    domain: domainOf(deployment),
    types: GRANT_KEY,
    primaryType: 'GrantKey' as const,
    message: { agentId: tokenId.toString(), key, validUntil, ...slotOf(grant) },
  };
}

/** The EIP-712 document by which an owner pauses or resumes the session keys, as JSON. */
export function setPausedTypedData(deployment: Deployment, change: PauseChange) {
  const { tokenId, paused } = change;
  return {
    domain: domainOf(deployment),
    types: SET_PAUSED,
    primaryType: 'SetPaused' as const,
    message: { agentId: tokenId.toString(), paused, ...slotOf(change) },
  };
}

function slotOf({ epoch, nonce, deadline }: PolicySlot) {
  return { epoch, nonce: nonce.toString(), deadline };
}

function domainOf({ chainId, policy }: Deployment) {
  return { name: 'SafeHandshakeSpendPolicy', version: '1', chainId, verifyingContract: policy } as const;
}
