import { decodeEventLog, encodeEventTopics, type Hex } from 'viem';
import { agentNftAbi } from './abi/agent-nft.ts';
import { spendPolicyAbi } from './abi/spend-policy.ts';
import { ChainError } from './chain-error.ts';
import type { Deployment } from './deployment.ts';
import { findLog } from './find-log.ts';
import type { KeyGrant, MandateChange, PauseChange, PolicySlot } from './policy-typed-data.ts';
import type { ChainLog, ChainReader } from './readers/reader.ts';
import type { Signer } from './signer.ts';
import { simulate, transact } from './transact.ts';

/** The next signature that an agent's owner can give the policy, as of a block. */
export interface NextSlot {
  readonly epoch: number;
  readonly nonce: bigint;
  readonly block: bigint;
}

/** An owner's signature over a change, and what is needed to tell whether the chain has it already. */
export interface SignedChange<Change extends PolicySlot> {
  readonly change: Change;
  readonly signature: Hex;
  /** A block at which the slot was still free: nothing older is taken for this change. */
  readonly since: bigint;
}

/** By what changes are relayed and looked for. */
export interface Relay {
  readonly signer: Signer;
  readonly reader: ChainReader;
  readonly deployment: Deployment;
}

/** How far the chain may have gone back since a change was asked for, and taken it in below the block known then. */
const BLOCKS_BACK = 256n;

type EventName = 'MandateSet' | 'KeyGranted' | 'PausedSet';

interface Act {
  readonly functionName: 'setMandateBySig' | 'grantKeyBySig' | 'setPausedBySig';
  readonly args: readonly unknown[];
  readonly gas: bigint;
  readonly eventName: EventName;
  /** Of the event: what tells this change from another of its kind. */
  readonly left: Readonly<Record<string, unknown>>;
}

/** What the owner's next signature must name; epoch 0 for an agent that was never minted. @throws ReaderError */
export async function nextSlot(
  reader: ChainReader,
  { agentNft, policy }: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<NextSlot> {
  const args = [tokenId];
  const [epoch, nonce] = await Promise.all([
    reader.read({ address: agentNft, abi: agentNftAbi, functionName: 'epochOf', args, block }),
    reader.read({ address: policy, abi: spendPolicyAbi, functionName: 'nonces', args, block }),
  ]);
  return { epoch: epoch as number, nonce: nonce as bigint, block };
}

/** By which a signer knows what it sent for a slot. */
export function relayPurpose({ tokenId, nonce }: Pick<PolicySlot, 'tokenId' | 'nonce'>): string {
  return `policy:${tokenId}:${nonce}`;
}

/**
 * Replaces an agent's mandate by its owner's signature. Asked again, it finds what it did; so do the others here.
 * @returns the transaction that made the change
 * @throws ChainError reverted (`BadOwnerSignature`: not the owner's over this change, or its slot went to another
 *   change; `SignatureExpired`; what the policy says of the terms), down when nothing was sent, unknown: ask again;
 *   ReaderError
 */
export async function relayMandate(relay: Relay, signed: SignedChange<MandateChange>): Promise<Hex> {
  return await carry(relay, signed, mandateAct(relay, signed));
}

/** Lets a session key act by its agent's owner's signature. @throws as relayMandate */
export async function relayKeyGrant(relay: Relay, signed: SignedChange<KeyGrant>): Promise<Hex> {
  return await carry(relay, signed, grantAct(signed));
}

/** Stops or resumes an agent's session keys by its owner's signature. @throws as relayMandate */
export async function relayPause(relay: Relay, signed: SignedChange<PauseChange>): Promise<Hex> {
  return await carry(relay, signed, pauseAct(signed));
}

/** What the policy would say of a change now, without a transaction. @throws ChainError reverted, down, slow */
export async function rehearse(
  relay: Relay,
  change:
    | { readonly mandate: SignedChange<MandateChange> }
    | { readonly grant: SignedChange<KeyGrant> }
    | { readonly pause: SignedChange<PauseChange> },
): Promise<void> {
  const { functionName, args } =
    'mandate' in change
      ? mandateAct(relay, change.mandate)
      : 'grant' in change
        ? grantAct(change.grant)
        : pauseAct(change.pause);
  await simulate(relay.signer, { to: relay.deployment.policy, abi: spendPolicyAbi, functionName, args });
}

function mandateAct({ deployment }: Relay, signed: SignedChange<MandateChange>): Act {
  const { tokenId, deadline, terms } = signed.change;
  const { mandateHash, validAfter, expiry, sides, allowlistOnly, categories, caps, allow, deny } = terms;
  return {
    functionName: 'setMandateBySig',
    args: [
      tokenId,
      { mandateHash, validAfter, expiry, sides, allowlistOnly, categories },
      [{ token: deployment.usdc, ...caps }],
      allow,
      deny,
      deadline,
      signed.signature,
    ],
    gas: 800_000n + 60_000n * BigInt(allow.length + deny.length),
    eventName: 'MandateSet',
    left: { mandateHash },
  };
}

function grantAct(signed: SignedChange<KeyGrant>): Act {
  const { tokenId, key, validUntil, epoch, deadline } = signed.change;
  return {
    functionName: 'grantKeyBySig',
    args: [tokenId, key, validUntil, deadline, signed.signature],
    gas: 400_000n,
    eventName: 'KeyGranted',
    left: { key, epoch, validUntil },
  };
}

function pauseAct(signed: SignedChange<PauseChange>): Act {
  const { tokenId, paused, deadline } = signed.change;
  return {
    functionName: 'setPausedBySig',
    args: [tokenId, paused, deadline, signed.signature],
    gas: 400_000n,
    eventName: 'PausedSet',
    left: { paused, byGuardian: false },
  };
}

async function carry(relay: Relay, { change, since }: SignedChange<PolicySlot>, act: Act): Promise<Hex> {
  const made = await madeBy(relay, change, since, act);
  if (made !== null) return made;
  const { functionName, args, gas } = act;
  const call = { to: relay.deployment.policy, abi: spendPolicyAbi, functionName, args };
  try {
    // A refusal that is known beforehand costs no gas.
    await simulate(relay.signer, call);
    const purpose = relayPurpose(change);
    return (await transact(relay.signer, { ...call, gas, purpose })).transactionHash;
  } catch (error) {
    if (!(error instanceof ChainError) || error.kind !== 'reverted') throw error;
    // The same signature, sent by somebody else meanwhile, is no refusal.
    const byAnother = await madeBy(relay, change, since, act).catch(() => null);
    if (byAnother !== null) return byAnother;
    throw error;
  }
}

/**
 * The transaction by which the change stands already; null while its slot is free.
 * @throws ChainError reverted, when the slot went to another change
 */
async function madeBy(
  { reader, deployment }: Relay,
  { tokenId, nonce }: PolicySlot,
  since: bigint,
  { eventName, left }: Act,
): Promise<Hex | null> {
  const { number: block } = await reader.head();
  if ((await nextSlot(reader, deployment, tokenId, block)).nonce <= nonce) return null;
  const [event] = encodeEventTopics({ abi: spendPolicyAbi, eventName }) as [Hex];
  const log = await findLog(
    reader,
    {
      address: deployment.policy,
      topics: [event, `0x${tokenId.toString(16).padStart(64, '0')}`],
      fromBlock: since > BLOCKS_BACK ? since - BLOCKS_BACK : 0n,
      toBlock: block,
    },
    (found) => tells(found, eventName, left),
  );
  // In blocks up to `since` it stands only where the chain went back meanwhile: then its slot was free before them.
  const isOlder = log !== null && log.blockNumber <= since;
  const before = isOlder ? await nextSlot(reader, deployment, tokenId, log.blockNumber) : null;
  if (log !== null && (before === null || before.nonce > nonce)) return log.transactionHash;
  throw new ChainError('reverted', `signature ${nonce} of agent ${tokenId} was used for another change`, {
    errorName: 'BadOwnerSignature',
    args: [tokenId],
  });
}

function tells({ topics, data }: ChainLog, eventName: EventName, left: Act['left']): boolean {
  const { args } = decodeEventLog({
    abi: spendPolicyAbi,
    eventName,
    topics: topics as [Hex, ...Hex[]],
    data,
  });
  const said = args as Readonly<Record<string, unknown>>;
  return Object.entries(left).every(([name, value]) => plain(said[name]) === plain(value));
}

/** Addresses come in two spellings. */
function plain(value: unknown): string {
  return String(value).toLowerCase();
}
