import { type TSchema, Type } from 'typebox';
import { CONDITIONS } from '../../determinations/transaction/transaction-evidence.ts';
import { Address, Amount, closed, List, may, orNull, Register, Text } from './parts.ts';

/** Evidence about a transaction that somebody is to send, and about the site that asks for it. */
const Bytes = Type.String({ pattern: '^0x(?:[0-9a-f]{2})*$' });
const Signed = Type.String({ pattern: '^-?[0-9]{1,78}$' });

export const TransactionAsked = Type.Object(
  {
    ...{ chain: Text, from: Address, assumedSender: may(Type.Union([Type.Literal(true), Type.Literal(2)])) },
    ...{ to: Address, data: Bytes, value: Amount },
  },
  closed,
);

export const Origin = Type.Object(
  {
    ...{ given: Text, phishing: Register },
    known: Type.Object(
      {
        ...{ maxAgeDays: may(Type.Number()), lists: Type.Array(List), missing: may(Type.Array(Text)) },
        ...{ match: orNull(Text), near: Type.Array(Text) },
      },
      closed,
    ),
  },
  closed,
);

const Asset = Type.Object(
  {
    ...{ kind: Type.Enum(['native', 'erc20', 'erc721', 'erc1155']), token: orNull(Address) },
    ...{ tokenId: orNull(Amount), symbol: orNull(Text) },
    decimals: orNull(Type.Integer({ minimum: 0, maximum: 255 })),
  },
  closed,
);
const Change = Type.Object({ party: Address, asset: Asset, delta: Signed, before: orNull(Amount) }, closed);
const Approval = Type.Object(
  {
    ...{ owner: Address, spender: Address, token: Address, tokenId: orNull(Amount), amount: Amount },
    ...{ via: Type.Enum(['allowance', 'permit2', 'token', 'operator']), held: may(Amount) },
  },
  closed,
);
const OwnerChange = Type.Object(
  { contract: Address, event: Text, from: orNull(Address), to: orNull(Address) },
  closed,
);
const Condition = Type.Object(
  {
    condition: Type.Enum([...CONDITIONS]),
    outcome: Type.Enum(['same', 'differs', 'reverted', 'not-simulated']),
    worse: Type.Array(Text),
  },
  closed,
);

/** @param code the form of a contract's code */
export function simulationForm(code: TSchema): TSchema {
  return Type.Object(
    {
      ...{ outcome: Type.Enum(['success', 'reverted', 'not-simulated']), reason: orNull(Text) },
      fork: may(Type.Literal(true)),
      ...{ changes: Type.Array(Change), approvals: Type.Array(Approval), owners: Type.Array(OwnerChange) },
      conditions: Type.Array(Condition),
      accounts: may(Type.Array(Type.Object({ address: Address, owners: Type.Array(Address) }, closed))),
      parties: Type.Array(Type.Object({ address: Address, code }, closed)),
    },
    closed,
  );
}
