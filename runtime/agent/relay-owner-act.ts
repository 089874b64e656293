import { AppError } from '../../agents/errors.ts';
import { isGuardian, revokeKey } from '../../chain/clients/policy-keys.ts';
import { relayKeyGrant, relayMandate, relayPause, relayPurpose } from '../../chain/clients/policy-relay.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { type AgentRow, findAgent } from '../../store/agent/agents.ts';
import { changeSessionKey, dropMandate } from '../../store/agent/mandates.ts';
import { endAct, findAct, type OwnerActRow } from '../../store/agent/owner-acts.ts';
import type { Trx } from '../../store/database.ts';
import { isSettling } from '../../store/deal/deals.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from '../durable/jobs/effect.ts';
import { relayOf } from '../payments/public.ts';
import type { Services } from '../services.ts';
import { type Change, changesOf } from './owner-acts/act-changes.ts';
import { signedChange } from './owner-acts/confirm.ts';
import { mandateOutcome } from './owner-acts/mandate-outcome.ts';

type Hash = `0x${string}`;

/** The outcome of one owner act: its transactions, or why the chain will never accept it. */
interface Relayed {
  /** Null where it was refused, and where the chain held to it already. */
  readonly first: Hash | null;
  /** The transaction of the second signature, if there is one. */
  readonly second: Hash | null;
  readonly refused: string | null;
}

/**
 * Sends what an agent's owner has signed to the policy contract, and applies it here once the chain has it. The nonce on
 * chain shows whether it was sent, so that a retry has no second effect. An act that the chain refuses for good fails,
 * and the owner may sign a new one. It fails only when nothing that was sent for it can still be mined.
 */
export function relayOwnerActEffect(services: Services): EffectRunner {
  return {
    kind: 'relay-owner-act',
    lane: 'chain',
    maxAttempts: 1_000,
    async run({ params }) {
      const act = await findAct(services.db, String(params.actId));
      const agent = act && (await findAgent(services.db, act.handle));
      if (!act || !agent) throw new EffectError('there is no such act', { retry: false });
      const relayed = await relay(services, agent, act);
      services.crash('after-relay-before-act');
      if (relayed.first === null && relayed.refused !== null) return refusal(services, act, relayed.refused);
      switch (act.kind) {
        case 'mandate':
          return await mandateOutcome(services, agent, act, relayed);
        case 'rotate':
          return await rotated(services, agent, act, relayed.first);
        case 'retire':
          await end(services, agent.token_id, agent.session_key as Hash);
          return done(services, act, relayed.first, { type: 'KEYS_ENDED' });
        case 'pause':
          return done(services, act, relayed.first, { type: 'PAUSE', by: 'owner-on-chain' });
        default:
          return done(services, act, relayed.first, { type: 'RESUME', by: ['owner', 'owner-on-chain'] });
      }
    },
    async givenUp({ params }, reason) {
      const act = await findAct(services.db, String(params.actId));
      const agent = act && (await findAgent(services.db, act.handle));
      if (!act || !agent) return async () => {};
      for (const change of changesOf(act, agent.token_id)) await requireNoneUnderWay(services, change);
      return async (trx) => await fails(services, trx, act, `it was given up: ${reason}`);
    },
  };
}

async function relay(services: Services, agent: AgentRow, act: OwnerActRow): Promise<Relayed> {
  const [first, second] = changesOf(act, agent.token_id);
  const [signature, keySignature] = (act.signatures ?? []) as Hash[];
  if (signature === undefined) throw new EffectError('nobody has signed it', { retry: false });
  let tx: Hash | null = null;
  try {
    tx = await send(services, act, first, signature);
    const granted =
      second !== undefined && keySignature !== undefined
        ? await send(services, act, second, keySignature)
        : null;
    return { first: tx, second: granted, refused: null };
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    await requireNoneUnderWay(services, tx === null || second === undefined ? first : second);
    return { first: tx, second: null, refused };
  }
}

/** Why a change is refused; null when it may yet be accepted. */
function refusalOf(error: unknown): string | null {
  // The owner was told before the signature was taken. What the wallet has spent since is its own responsibility.
  if (error instanceof AppError && error.code === 'relay-budget') return error.message;
  if (!(error instanceof ChainError) || error.kind !== 'reverted') return null;
  return `the chain refused it: ${error.message}`;
}

/**
 * An attempt before this one may have sent the change. A node that lags refuses it all the same, and what was refused in
 * a block that a reorg may remove can succeed in another.
 * @throws EffectError then, ChainError down
 */
async function requireNoneUnderWay({ home, config }: Services, { change }: Change): Promise<void> {
  if (await home.operator.underWay(relayPurpose(change), config.confirmations))
    throw new EffectError('what was sent for it may still be mined', { retry: true });
}

async function send(
  services: Services,
  act: OwnerActRow,
  change: Change,
  signature: Hash,
): Promise<Hash | null> {
  const by = relayOf(services);
  if (change.is === 'mandate') return await relayMandate(by, signedChange(act, change.change, signature));
  if (change.is === 'pause') return await relayPause(by, signedChange(act, change.change, signature));
  return await relayKeyGrant(by, signedChange(act, change.change, signature));
}

function refusal(services: Services, act: OwnerActRow, refused: string): EffectOutcome {
  return {
    event: { type: 'ACT_FAILED', actId: act.id },
    commit: async (trx) => await fails(services, trx, act, refused),
  };
}

/** Ends an act that came to nothing, so that its owner may sign another. */
async function fails(services: Services, trx: Trx, act: OwnerActRow, reason: string): Promise<void> {
  if (act.version !== null) await dropMandate(trx, act.handle, act.version);
  await endAct(trx, act.id, { status: 'failed', reason, tx: null, now: services.now() });
}

function done(
  services: Services,
  act: OwnerActRow,
  tx: string | null,
  event: { readonly type: string; readonly by?: string | readonly string[] },
): EffectOutcome {
  return {
    event,
    commit: async (trx) => {
      await endAct(trx, act.id, { status: 'done', reason: null, tx, now: services.now() });
    },
  };
}

/** The new key signs from now on; the old one ends when no settlement is left that it may have signed. */
async function rotated(
  services: Services,
  agent: AgentRow,
  act: OwnerActRow,
  tx: string | null,
): Promise<EffectOutcome> {
  const { grant, oldKey } = act.detail;
  const { handle } = agent;
  if (!grant || oldKey === undefined) throw new EffectError('the act grants no key', { retry: false });
  const change = { handle, from: oldKey, key: grant.key, index: BigInt(grant.index) };
  // A process that stood still may come to this when a later act has given the agent yet another key.
  if (agent.session_key === oldKey)
    await services.db.transaction().execute((trx) => changeSessionKey(trx, change));
  if (await isSettling(services.db, handle))
    throw new EffectError('a deal is being settled that the old key may have signed', { retry: true });
  await end(services, agent.token_id, oldKey);
  return done(services, act, tx, { type: 'ROTATED' });
}

/** Ends a key on chain where this service is the guardian; elsewhere its owner can. */
async function end(services: Services, tokenId: bigint, key: Hash): Promise<void> {
  const { operator, readers, deployment } = services.home;
  if (!(await isGuardian(readers.viem, deployment, operator.address))) return;
  await revokeKey({ signer: operator, reader: readers.viem, deployment }, tokenId, key);
}
