import { type Static, Type } from 'typebox';
import { EvmAddress, Handle, UsdIn } from '../schemas.ts';

/** What a wallet does about an agent's account by a transaction of its own, and what the description says of it. */
export const MONEY_ACTS = {
  fund: "The transaction that moves dollars from the sender to an agent's account",
  withdraw: "The transaction that moves dollars from an agent's account to its owner",
} as const;
export const TOKEN_ACTS = {
  deposit: "The transaction that moves a token from the owner to an agent's account",
  approve: 'The transaction by which the owner lets the settlement contract deliver a token once it is sold',
} as const;
export type AccountAct = keyof typeof MONEY_ACTS | keyof typeof TOKEN_ACTS;

/** Named as where the service tells another transaction to be sent by oneself (`relay-budget`). */
export const AccountTransaction = Type.Object({
  handle: Handle,
  chainId: Type.Integer({ description: 'where it is sent' }),
  from: Type.Union([EvmAddress, Type.Null()], {
    description: 'who must send it: the owner, read from the chain now; null: any wallet that has the money',
  }),
  to: EvmAddress,
  value: Type.String({ description: 'wei, decimal' }),
  data: Type.String({ description: 'hex' }),
  says: Type.String({ description: 'what it does, in a sentence for people' }),
});
export type AccountTransaction = Static<typeof AccountTransaction>;

/** What is asked of an act about money. */
export const Amount = Type.Object({ amountUsd: UsdIn });

/** What is asked of an act about a token. */
export const Token = Type.Object({
  contract: { ...EvmAddress, description: 'the token contract: 0x and 40 hex digits' },
  tokenId: Type.String({ pattern: '^[0-9]{1,78}$', description: 'the number of the token: digits alone' }),
});
