import { type Address, decodeEventLog, encodeEventTopics, type Hex } from 'viem';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { findLog } from '../indexer/find-log.ts';
import { ChainError } from '../rpc/chain-error.ts';
import type { ChainLog, ChainReader } from '../rpc/reader.ts';
import { simulate } from '../tx/transact.ts';
import { readAgentOwner } from './agents.ts';
import { readPauses } from './policy-keys.ts';
import type { KeyGrant, MandateChange, PauseChange, PolicySlot } from './policy-typed-data.ts';
import { type Relay, type RelayedCall, rehearseCall, relayCall } from './relay-call.ts';

/** What an agent's owner must sign next for the policy, as of a block. */
export interface NextSlot {
  readonly epoch: number;
  readonly nonce: bigint;
  readonly block: bigint;
}

/** An owner's signature over a change, and what is needed to find out whether the chain has it already. */
export interface SignedChange<Change extends PolicySlot> {
  readonly change: Change;
  readonly signature: Hex;
  /** A block at which the nonce was unused, so that no older event can be this change. */
  readonly since: bigint;
}

/**
 * How many blocks before `since` are searched as well, because a reorg may have put the change into an earlier block.
 */
const BLOCKS_BACK = 256n;

type EventName = 'MandateSet' | 'KeyGranted' | 'PausedSet';

interface Act {
  readonly functionName: 'setMandateBySig' | 'grantKeyBySig' | 'setPausedBySig';
  readonly args: readonly unknown[];
  readonly gas: bigint;
  readonly eventName: EventName;
  /** Fields of the event that distinguish this change from others of its kind. */
  readonly left: Readonly<Record<string, unknown>>;
}

/** Reads what the owner's next signature must name; epoch 0 for an agent that was never minted. @throws ReaderError */
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

/** The purpose under which the signer keeps what it sent for a signature. */
export function relayPurpose({ tokenId, nonce }: Pick<PolicySlot, 'tokenId' | 'nonce'>): string {
  return `policy:${tokenId}:${nonce}`;
}

/**
 * Replaces an agent's mandate by its owner's signature. A repeated call finds what the first one did, as do the other
 * relay functions here.
 * @returns the transaction that made the change
 * @throws ChainError reverted (`BadOwnerSignature`: not the owner's over this change, or its nonce was used for another
 *   change; `SignatureExpired`; what the policy says of the terms), down when nothing was sent, unknown: ask again (also
 *   when the node does not have the changes before this one); ReaderError
 */
export async function relayMandate(relay: Relay, signed: SignedChange<MandateChange>): Promise<Hex> {
  return await carry(relay, signed, mandateAct(relay, signed));
}

/** Grants a session key by the signature of the agent's owner. @throws as relayMandate */
export async function relayKeyGrant(relay: Relay, signed: SignedChange<KeyGrant>): Promise<Hex> {
  return await carry(relay, signed, grantAct(signed));
}

/**
 * Pauses or resumes an agent's session keys by the owner's signature.
 * @returns null where its owner has paused it already: nothing is sent for that
 * @throws as relayMandate
 */
export async function relayPause(relay: Relay, signed: SignedChange<PauseChange>): Promise<Hex | null> {
  const act = pauseAct(signed);
  if ((await isPaused(relay, signed.change)) && (await isTaken(relay, act))) return null;
  return await carry(relay, signed, act);
}

/** Whether the owner has paused the agent already, with this signature the next that the chain would take. */
async function isPaused({ reader, deployment }: Relay, change: PauseChange): Promise<boolean> {
  if (!change.paused) return false;
  const { number } = await reader.head();
  const [{ epoch, nonce }, { owner }] = await Promise.all([
    nextSlot(reader, deployment, change.tokenId, number),
    readPauses(reader, deployment, change.tokenId, number),
  ]);
  // A node that lags does not have what its owner signed since.
  return owner && epoch === change.epoch && nonce === change.nonce;
}

/** Whether the policy takes it now; what it says where it does not, and why, is told by whoever sends it. */
async function isTaken({ signer, deployment }: Relay, { functionName, args }: Act): Promise<boolean> {
  const call = { to: deployment.policy, abi: spendPolicyAbi, functionName, args };
  return await simulate(signer, call).then(
    () => true,
    () => false,
  );
}

/**
 * Simulates a change, to see whether the policy would accept it now.
 * @throws ChainError reverted, down, slow; ReaderError; AppError relay-budget
 */
export async function rehearse(
  relay: Relay,
  change:
    | { readonly mandate: SignedChange<MandateChange> }
    | { readonly grant: SignedChange<KeyGrant> }
    | { readonly pause: SignedChange<PauseChange> },
): Promise<void> {
  const act =
    'mandate' in change
      ? mandateAct(relay, change.mandate)
      : 'grant' in change
        ? grantAct(change.grant)
        : pauseAct(change.pause);
  const { functionName, args, gas } = act;
  const { tokenId } = ('mandate' in change ? change.mandate : 'grant' in change ? change.grant : change.pause)
    .change;
  if ('pause' in change && (await isPaused(relay, change.pause.change))) return;
  const wallet = await ownerNow(relay, tokenId);
  await rehearseCall(relay, {
    to: relay.deployment.policy,
    abi: spendPolicyAbi,
    functionName,
    args,
    gas,
    wallet,
    ...payersOf(tokenId, act),
  });
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

/** What stops an agent waits for nothing else that was relayed for it. */
function payersOf(tokenId: bigint, { left }: Act): Pick<RelayedCall, 'payers' | 'stops'> {
  if (left.paused === true) return { payers: [`pauses of agent ${tokenId}`], stops: true };
  return { payers: [`agent ${tokenId}`] };
}

async function ownerNow({ reader, deployment }: Relay, tokenId: bigint): Promise<Address> {
  const { number } = await reader.head();
  return await readAgentOwner(reader, deployment, tokenId, number);
}

async function carry(relay: Relay, { change, since }: SignedChange<PolicySlot>, act: Act): Promise<Hex> {
  const made = await madeBy(relay, change, since, act);
  if (made !== null) return made;
  const { functionName, args, gas } = act;
  const call = { to: relay.deployment.policy, abi: spendPolicyAbi, functionName, args };
  try {
    const [purposes, wallet] = [[relayPurpose(change)], await ownerNow(relay, change.tokenId)];
    const payers = payersOf(change.tokenId, act);
    return (await relayCall(relay, { ...call, gas, purposes, wallet, ...payers })).transactionHash;
  } catch (error) {
    if (!(error instanceof ChainError) || error.kind !== 'reverted') throw error;
    // When somebody else has sent the same signature meanwhile, the change is made and this is no refusal. As long as
    // nobody can tell, it is none either.
    const byAnother = await madeBy(relay, change, since, act);
    if (byAnother !== null) return byAnother;
    if (error.errorName === 'BadOwnerSignature') await requireItsTurn(relay, change);
    throw error;
  }
}

/**
 * A signature names the state of the agent after the changes that its owner signed before. A node that lags, or that
 * follows a reorg until they are mined again, does not have those, and refuses what the chain will accept.
 * @throws ChainError unknown then; ReaderError
 */
async function requireItsTurn(
  { reader, deployment }: Relay,
  { tokenId, epoch, nonce }: PolicySlot,
): Promise<void> {
  const { number } = await reader.head();
  const next = await nextSlot(reader, deployment, tokenId, number);
  if (next.epoch < epoch || (next.epoch === epoch && next.nonce < nonce))
    throw new ChainError('unknown', `the node lacks what precedes signature ${nonce} of agent ${tokenId}`);
}

/**
 * The transaction that made the change already; null while its nonce is unused.
 * @throws ChainError reverted when the nonce was used for another change; unknown when the node serves no change at all
 *   that used it: it is behind, or lies; ReaderError
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
  const agent: Hex = `0x${tokenId.toString(16).padStart(64, '0')}`;
  const where = {
    address: deployment.policy,
    fromBlock: since > BLOCKS_BACK ? since - BLOCKS_BACK : 0n,
    toBlock: block,
  };
  const log = await findLog(reader, { ...where, topics: [event, agent] }, (found) =>
    tells(found, eventName, left),
  );
  // An event at or before `since` counts only if a reorg moved it there. Then the nonce was unused just before it.
  const isOlder = log !== null && log.blockNumber <= since;
  const before = isOlder ? await nextSlot(reader, deployment, tokenId, log.blockNumber) : null;
  if (log !== null && (before === null || before.nonce > nonce)) return log.transactionHash;
  // Every change that uses a signature tells of the agent.
  if (log === null && (await findLog(reader, { ...where, topics: [null, agent] })) === null)
    throw new ChainError(
      'unknown',
      `the node does not serve what signature ${nonce} of agent ${tokenId} changed`,
    );
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

/** Addresses are compared in lower case, because they come with and without checksum. */
function plain(value: unknown): string {
  return String(value).toLowerCase();
}
