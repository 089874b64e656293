import { Type } from 'typebox';
import { Address, Amount, Count, closed, may, orNull, Register, registerParts, Text, Time } from './parts.ts';
import { Origin, simulationForm, TransactionAsked } from './transaction-forms.ts';
import { Tail, Transfers } from './transfer-forms.ts';

/** Evidence about a wallet. */
const CodeLookUp = Type.Object(
  {
    before: Type.Array(
      Type.Object({ ...{ chain: Text, address: Address, hash: Text }, from: Amount, to: Amount }, closed),
    ),
    alike: Type.Array(
      Type.Object(
        {
          ...{ skeleton: Text, others: Count },
          listed: Type.Array(Type.Object({ chain: Text, key: Text, list: Text }, closed)),
        },
        closed,
      ),
    ),
    entries: Type.Array(Type.Object({ key: Text, list: Text, name: Text, source: Text }, closed)),
  },
  closed,
);
const Stopped = Type.Array(Type.Object({ dealId: Text, at: Time, reason: Text }, closed));
export const WalletCommon = Type.Object(
  {
    address: Text,
    addressType: Type.Enum(['evm', 'solana']),
    chainId: orNull(Type.Integer({ minimum: 1 })),
    chains: Type.Array(Text, { minItems: 1 }),
    sanctions: Register,
    knownScam: Register,
    history: Type.Object(
      {
        days: Count,
        hardFlags: Type.Array(Type.Object({ recordId: Text, at: Time, check: Text }, closed)),
        stoppedDeals: Stopped,
        told: may(Type.Object({ stoppedDeals: Stopped }, closed)),
      },
      closed,
    ),
    contacts: may(
      Type.Object(
        {
          days: Count,
          addresses: Type.Array(Text),
          others: may(Type.Boolean()),
          ...{ onChain: may(Type.Literal(true)), known: may(Type.Literal(true)) },
        },
        closed,
      ),
    ),
    exposure: may(
      Type.Object(
        {
          ...{ days: Count, most: Count, counterparties: Count, dealings: Count },
          parties: Type.Array(
            Type.Object({ account: Text, owner: Text, dealings: Count, last: Time }, closed),
          ),
          registers: Type.Array(Type.Object(registerParts, closed)),
        },
        closed,
      ),
    ),
    platform: Type.Array(Type.Object({ chain: Text, implementation: Text, agentNft: Text }, closed)),
    tokens: may(Type.Array(Type.Object({ chain: Text, token: Text, name: Text }, closed))),
    sessionKeys: may(Type.Array(Text)),
    policy: may(
      Type.Array(
        Type.Object({ chain: Text, required: Type.Array(Text), notConfigured: Type.Array(Text) }, closed),
      ),
    ),
    transfers: may(Transfers),
    twins: may(
      Type.Array(
        Type.Object(
          {
            ...{ chain: Text, hash: Text, others: Count },
            listed: Type.Array(Type.Object({ key: Text, list: Text }, closed)),
          },
          closed,
        ),
      ),
    ),
    codes: may(CodeLookUp),
    contracts: may(Type.Array(Text)),
    ...{ transaction: may(TransactionAsked), origin: may(Origin), effects: may(Type.Literal(2)) },
    solana: may(Type.Object({ mints: Type.Array(Type.Object({ mint: Text, name: Text }, closed)) }, closed)),
  },
  closed,
);
const Edge = Type.Object(
  {
    ...{ of: Text, who: Text, role: Text, source: Text },
    ...{ distance: Type.Integer({ minimum: 1 }), alone: Type.Boolean() },
  },
  closed,
);
const Run = Type.Object(
  {
    ...{ of: Address, to: Address, by: Text, hash: may(orNull(Text)), skeleton: may(Text) },
    destroysItself: may(Type.Literal(true)),
  },
  closed,
);
const Code = Type.Object(
  {
    ...{ size: Count, hash: orNull(Text), head: Type.String({ pattern: '^0x[0-9a-fA-F]*$' }) },
    ...{ implementation: orNull(Address), beacon: may(orNull(Address)), admin: may(orNull(Address)) },
    constants: may(Type.Array(Address)),
    ...{ shapes: may(Type.Array(Text)), runs: may(Type.Array(Run)), skeleton: may(Text) },
    ...{ destroysItself: may(Type.Literal(true)), unresolved: may(Type.Literal(true)) },
  },
  closed,
);
const Grant = Type.Object(
  {
    ...{ token: Text, spender: Text, amount: Amount },
    via: Type.Enum(['allowance', 'permit2', 'operator']),
  },
  closed,
);
const Grants = Type.Object(
  { fromBlock: Amount, more: Type.Boolean(), own: may(Type.Literal(true)), live: Type.Array(Grant) },
  closed,
);
export const WalletFacts = Type.Object(
  {
    chains: Type.Array(
      Type.Object(
        {
          ...{ chain: Text, nonce: orNull(Count), balance: orNull(Amount), code: orNull(Code) },
          freeze: may(
            orNull(Type.Object({ token: Text, state: Type.Enum(['frozen', 'clear', 'no-list']) }, closed)),
          ),
          principals: may(
            orNull(
              Type.Object(
                {
                  owners: Type.Array(Text),
                  unknown: orNull(Text),
                  edges: may(Type.Array(Edge)),
                  unread: may(Type.Array(Text)),
                },
                closed,
              ),
            ),
          ),
          tail: may(orNull(Tail)),
          grants: may(orNull(Grants)),
          simulation: may(orNull(simulationForm(Code))),
          fault: orNull(Text),
        },
        closed,
      ),
    ),
    solana: may(Type.Unknown()),
  },
  closed,
);
