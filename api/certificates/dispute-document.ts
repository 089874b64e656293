import { type Static, Type } from 'typebox';
import {
  appealUntil,
  type Decision,
  DISPUTE_STATES,
  type Dispute,
  stateOf,
} from '../../agents/certificates/dispute.ts';
import { EvmAddress, Time } from '../schemas.ts';

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(one: T) => Type.Union([one, Type.Null()]);

const DecisionDocument = Type.Object({
  decision: Type.Enum(['upheld', 'rejected']),
  reason: Type.String(),
  decidedAt: Time,
  recordUrl: Type.Union([Type.String(), Type.Null()], {
    description: 'null for the moment before it is filed',
  }),
});

/** A dispute as everybody is shown it. All of its texts are strangers' words. */
export const DisputeDocument = Type.Object({
  disputeId: Type.String({ description: 'such as dsp_…' }),
  state: Type.Enum([...DISPUTE_STATES], {
    description:
      'disclosed: it stops nothing; held: by the operator, for 72 hours at most; appealed: to be decided a second time',
  }),
  wallet: EvmAddress,
  grounds: Type.String(),
  evidence: Type.Array(Type.String({ description: 'a hash, or a URL that the service does not vouch for' })),
  filedAt: Time,
  replyUntil: Time,
  reply: OrNull(Type.Object({ text: Type.String(), wallet: EvmAddress, repliedAt: Time })),
  cause: Type.Union([Type.String(), Type.Null()], { description: 'why the operator held it, once' }),
  heldUntil: OrNull(Time),
  decision: OrNull(DecisionDocument),
  appealUntil: OrNull(Time),
  appeal: OrNull(Type.Object({ wallet: EvmAddress, grounds: OrNull(Type.String()), appealedAt: Time })),
  secondDecision: OrNull(DecisionDocument),
});
export type DisputeDocument = Static<typeof DisputeDocument>;

export function disputeDocument(dispute: Dispute, now: Date, baseUrl: string): DisputeDocument {
  const { reply, hold, decision, appeal, second } = dispute;
  const decided = (one: Decision | null): DisputeDocument['decision'] =>
    one && {
      decision: one.ruling,
      reason: one.reason,
      decidedAt: one.at.toISOString(),
      recordUrl: one.recordId === null ? null : `${baseUrl}/records/${one.recordId}`,
    };
  return {
    disputeId: dispute.disputeId,
    state: stateOf(dispute, now),
    wallet: dispute.wallet,
    grounds: dispute.grounds,
    evidence: [...dispute.evidence],
    filedAt: dispute.filedAt.toISOString(),
    replyUntil: dispute.replyUntil.toISOString(),
    reply: reply && { text: reply.text, wallet: reply.by, repliedAt: reply.at.toISOString() },
    cause: hold?.cause ?? null,
    heldUntil: hold?.until.toISOString() ?? null,
    decision: decided(decision),
    appealUntil: decision && appealUntil(decision).toISOString(),
    appeal: appeal && { wallet: appeal.wallet, grounds: appeal.grounds, appealedAt: appeal.at.toISOString() },
    secondDecision: decided(second),
  };
}
