import { type Static, Type } from 'typebox';
import type { TypedDocument } from '../../chain/tx/typed-signature.ts';
import type { OwnerActRow } from '../../store/agent/owner-acts.ts';
import { Hash, Time } from '../schemas.ts';

/** An EIP-712 document, in the form that `eth_signTypedData_v4` takes. */
export const TypedData = Type.Object(
  {
    domain: Type.Object({}, { additionalProperties: true }),
    types: Type.Record(Type.String(), Type.Array(Type.Object({ name: Type.String(), type: Type.String() }))),
    primaryType: Type.String(),
    message: Type.Object({}, { additionalProperties: true }),
  },
  { description: 'EIP-712: what the contract checks' },
);

export function typedData(document: TypedDocument): Static<typeof TypedData> {
  const { domain, primaryType, message } = document;
  const types = Object.entries(document.types).map(([name, members]) => [name, [...members]]);
  return { domain, types: Object.fromEntries(types), primaryType, message };
}

export const Signature = Type.String({
  pattern: '^0x(?:[0-9a-fA-F]{2}){1,4096}$',
  description: 'over the typed data (EIP-712); of a contract wallet as ERC-1271 takes it',
});

/** A mandate or a session act that an owner was given to sign for the policy on chain, and what became of it. */
export const OwnerAct = Type.Object({
  actId: Type.String(),
  kind: Type.Enum(['mandate', 'pause', 'resume', 'rotate', 'retire']),
  version: Type.Union([Type.Integer(), Type.Null()], { description: 'of the mandate it proposes' }),
  status: Type.Enum(['proposed', 'signed', 'done', 'failed', 'replaced'], {
    description: 'signed: on its way to the chain; done: the chain has it',
  }),
  reason: Type.Union([Type.String(), Type.Null()]),
  tx: Type.Union([Hash, Type.Null()], {
    description: 'null too where the chain held to it already',
  }),
  signBy: Time,
  updatedAt: Time,
});

export function ownerAct(act: OwnerActRow): Static<typeof OwnerAct> {
  return {
    actId: act.id,
    kind: act.kind,
    version: act.version,
    status: act.status,
    reason: act.reason,
    tx: act.tx,
    signBy: act.deadline.toISOString(),
    updatedAt: act.updated_at.toISOString(),
  };
}
