import { AppError, badField } from '../../../agents/errors.ts';
import { sameAddress } from '../../../agents/ids.ts';
import { rehearse, type SignedChange } from '../../../chain/clients/policy-relay.ts';
import type { PolicySlot } from '../../../chain/clients/policy-typed-data.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { isSignedBy } from '../../../chain/tx/typed-signature.ts';
import { findAct, newestAct, type OwnerActRow, signAct } from '../../../store/agent/owner-acts.ts';
import { overChain } from '../../determinations/public.ts';
import { deliver } from '../../durable/actors/mailbox.ts';
import { relayOf } from '../../payments/public.ts';
import type { LastCall, Services } from '../../services.ts';
import type { LiveAgent } from '../live-agent.ts';
import { type Change, changesOf, documentOf } from './act-changes.ts';
import { readSlot } from './propose.ts';

type Signature = `0x${string}`;

/** Selects an act: the newest of these kinds, for this mandate version if one is named. */
interface Meant {
  readonly kinds: readonly OwnerActRow['kind'][];
  readonly version?: number;
}

/**
 * Takes the signatures over the documents that an owner was given, and has them sent to the chain by an effect that
 * survives this process. The same request sent again gets the state of the act.
 * @param key the signature over the second document, if there is one
 * @throws AppError not-found, bad-request (the agent has no key of this owner, and none is signed for),
 *   signature-invalid, signature-expired, not-owner, mandate-refused (the policy would not accept the terms), conflict
 *   (a newer act was proposed, or another signature was used), unavailable
 */
export async function confirmAct(
  services: Services,
  live: LiveAgent,
  meant: Meant,
  signed: { readonly first: Signature; readonly key: Signature | null },
  lastCall: LastCall,
): Promise<OwnerActRow> {
  const { handle } = live.agent;
  const act = await newestAct(services.db, { handle, ...meant });
  if (act === null) throw new AppError('not-found', `"${handle}" has nothing of this kind to be signed.`);
  if (isSent(act)) return act;
  if (act.status === 'replaced')
    throw new AppError('conflict', 'It was asked anew since: sign the newer one.');
  await requireGenuine(services, live, act, signed);
  try {
    await requireCurrent(services, live, act);
    const [change] = changesOf(act, live.agent.token_id);
    await requireAcceptable(services, change, act, signed.first);
  } catch (error) {
    // The same request ran at the same time and was faster: what the chain accepted is this act.
    const since = await findAct(services.db, act.id);
    if (since !== null && isSent(since)) return since;
    throw error;
  }
  const signatures = signed.key === null ? [signed.first] : [signed.first, signed.key];
  const now = services.now();
  await services.db.transaction().execute(async (trx) => {
    // Of two requests at the same time, the second one finds what the first has written.
    if (!(await signAct(trx, { id: act.id, signatures, now }))) return;
    const event = { type: 'SIGNED', actId: act.id, kind: act.kind };
    await deliver(trx, { actorId: `agent:${handle}`, eventId: `signed:${act.id}`, event, now });
    lastCall();
  });
  services.crash('after-confirm-before-relay');
  services.notifier.actor(`agent:${handle}`);
  const kept = (await findAct(services.db, act.id)) as OwnerActRow;
  requireNewest(kept);
  return kept;
}

function requireNewest({ status }: OwnerActRow): void {
  if (status === 'replaced') throw new AppError('conflict', 'It was asked anew since: sign the newer one.');
}

function isSent({ status }: OwnerActRow): boolean {
  return status === 'signed' || status === 'done' || status === 'failed';
}

/** A change with its signature, as the relay needs it. */
export function signedChange<C extends PolicySlot>(
  act: OwnerActRow,
  change: C,
  signature: Signature,
): SignedChange<C> {
  return { change, signature, since: act.since_block };
}

/** Checks that each signature is by the owner who was asked, over that very document. */
async function requireGenuine(
  services: Services,
  { agent }: LiveAgent,
  act: OwnerActRow,
  { first, key }: { readonly first: Signature; readonly key: Signature | null },
): Promise<void> {
  const { readers, deployment, chainId } = services.home;
  const [one, two] = changesOf(act, agent.token_id);
  if (two === undefined && key !== null) throw badField('keySignature', 'there is no key to be signed for');
  if (two !== undefined && key === null && act.detail.keyUntil === null)
    throw badField(
      'keySignature',
      `sign \`keyTypedData\` too: "${agent.handle}" has no session key of this owner`,
    );
  const given: [Change, Signature, string][] = [[one, first, 'typedData']];
  if (two !== undefined && key !== null) given.push([two, key, 'keyTypedData']);
  for (const [change, signature, name] of given) {
    const document = documentOf(deployment, change);
    const owner = act.owner as Signature;
    if (await overChain(chainId, () => isSignedBy(readers.viem, owner, document, signature))) continue;
    throw new AppError('signature-invalid', `The signature is not one of ${owner} over \`${name}\`.`);
  }
}

/** Checks that the chain would accept it now. */
async function requireCurrent(services: Services, live: LiveAgent, act: OwnerActRow): Promise<void> {
  if (!sameAddress(live.chain.owner, act.owner))
    throw new AppError('not-owner', `${act.owner} no longer owns this agent: it moved since.`);
  const slot = await readSlot(services, live);
  if (slot.timestamp > act.deadline.getTime() / 1000)
    throw new AppError('signature-expired', `It was to be signed by ${act.deadline.toISOString()}.`);
  if (slot.epoch !== act.epoch || slot.nonce !== act.nonce)
    throw new AppError('conflict', 'The chain has taken another signature since: ask anew.');
}

/** Checks what the policy would say. @throws AppError mandate-refused, conflict, unavailable */
async function requireAcceptable(
  services: Services,
  change: Change,
  act: OwnerActRow,
  signature: Signature,
): Promise<void> {
  try {
    const relay = relayOf(services);
    // The owner's wallet is also read, because the relay pays for running its code.
    await overChain(services.home.chainId, async () => {
      if (change.is === 'mandate')
        await rehearse(relay, { mandate: signedChange(act, change.change, signature) });
      else if (change.is === 'grant')
        await rehearse(relay, { grant: signedChange(act, change.change, signature) });
      else await rehearse(relay, { pause: signedChange(act, change.change, signature) });
    });
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    if (error.kind !== 'reverted')
      throw new AppError('unavailable', 'The chain does not answer now: send the same request again.', {
        cause: error,
      });
    const code = change.is === 'mandate' ? 'mandate-refused' : 'conflict';
    throw new AppError(code, `The contract would not take it: ${error.message}.`, { cause: error });
  }
}
