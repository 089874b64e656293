import { type Static, Type } from 'typebox';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);
const closed = { additionalProperties: false } as const;
const Address = Type.String({ description: 'lower case' });

const AssetShape = Type.Object(
  {
    kind: Type.Enum(['native', 'erc20', 'erc721', 'erc1155']),
    token: Nullable(Address),
    tokenId: Nullable(Type.String({ description: 'decimal' })),
    symbol: Nullable(Type.String({ description: 'as the token calls itself, which proves nothing' })),
    decimals: Nullable(Type.Integer()),
  },
  closed,
);

export const AssetChangeShape = Type.Object(
  {
    party: Address,
    role: Type.Enum(['sender', 'counterparty', 'target', 'other'], {
      description: '`counterparty`: the address that is determined on; `target`: what the transaction calls',
    }),
    asset: AssetShape,
    delta: Type.String({ description: 'decimal, with its sign, in the smallest unit' }),
    before: Nullable(Type.String({ description: 'what it held before; null: not read' })),
  },
  closed,
);

/** How a transaction was simulated, and what it does besides moving assets. */
export const SimulationShape = Type.Object(
  {
    chainId: Type.Integer(),
    block: Nullable(Type.String({ description: 'the pinned block, decimal; null: none could be pinned' })),
    blockHash: Nullable(Type.String()),
    node: Type.String({ description: 'who simulated it: the clients, and the hosts they asked' }),
    from: Address,
    assumedSender: Type.Boolean({ description: 'no sender was named: an address that nobody has' }),
    outcome: Type.Enum(['success', 'reverted', 'not-simulated']),
    reason: Nullable(Type.String({ description: 'why it failed, or was not simulated' })),
    call: Type.Object(
      {
        selector: Nullable(Type.String()),
        name: Nullable(Type.String({ description: 'of a function that everybody knows' })),
        args: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closed)),
      },
      closed,
    ),
    approvals: Type.Array(
      Type.Object(
        {
          owner: Address,
          spender: Address,
          via: Type.Enum(['allowance', 'permit2', 'token', 'operator']),
          token: Address,
          tokenId: Nullable(Type.String()),
          amount: Type.String({ description: 'decimal; 0: taken back' }),
          unlimited: Type.Boolean(),
        },
        closed,
      ),
    ),
    ownerChanges: Type.Array(
      Type.Object(
        { contract: Address, event: Type.String(), from: Nullable(Address), to: Nullable(Address) },
        closed,
      ),
    ),
    conditions: Type.Array(
      Type.Object(
        {
          condition: Type.Enum(['execution', 'later', 'much-later', 'richer', 'other-origin']),
          outcome: Type.Enum(['same', 'differs', 'reverted', 'not-simulated']),
          worse: Type.Array(Type.String()),
        },
        closed,
      ),
      { description: 'the same transaction under changed conditions' },
    ),
  },
  closed,
);

/** What `POST /determination` answers about the transaction. */
export interface TransactionResult {
  readonly simulation: Static<typeof SimulationShape>;
  readonly assetChanges: Static<typeof AssetChangeShape>[];
}
