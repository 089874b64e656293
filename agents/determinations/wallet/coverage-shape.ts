import { type Static, Type } from 'typebox';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);

/** How far a wallet determination looked: what CLEAN rests on, and what it says nothing about. */
export const Coverage = Type.Object(
  {
    lists: Type.Array(
      Type.Object({
        name: Type.String(),
        asOf: Nullable(
          Type.String({ description: 'the publisher’s date, or one vouched for; null: nobody says' }),
        ),
        ageDays: Nullable(Type.Integer()),
        rows: Type.Integer(),
        root: Nullable(
          Type.String({ description: 'of the Merkle tree of its sorted keys; null: none was made' }),
        ),
        synthetic: Type.Boolean(),
      }),
    ),
    chains: Type.Array(
      Type.Object({
        chain: Type.String({ description: 'CAIP-2, or `solana`' }),
        block: Nullable(Type.String()),
        read: Type.Boolean({ description: 'by every reader that was asked' }),
        code: Type.Enum(['none', 'resolved', 'unresolved', 'unread'], {
          description: '`resolved`: it is known which code runs, and who may change it where a slot says so',
        }),
        required: Type.Array(Type.String(), { description: 'checks that must run before it may be CLEAN' }),
      }),
    ),
    hops: Type.Integer({ description: 'how far those it dealt or traded transfers with were followed' }),
    principals: Type.Integer({ description: 'addresses behind it that were looked up, too' }),
    history: Type.Object({
      dealsDays: Type.Integer({ description: 'deals on this platform' }),
      transfers: Nullable(Type.String({ description: 'which transfers on chain; null: none' })),
    }),
    notLookedAt: Type.Array(Type.String()),
    asFarAs: Type.String({ description: 'the same in a sentence, to be read after “CLEAN, as far as:”' }),
  },
  { additionalProperties: false },
);
export type Coverage = Static<typeof Coverage>;
