import { type Static, Type } from 'typebox';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);

/** What is said of the origin of a request: the answer of `GET /origin`, and a part of that of `POST /determination`. */
export const OriginResult = Type.Object(
  {
    host: Type.String({ description: 'lower case, punycode' }),
    verdict: Type.Enum(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']),
    reasons: Type.Array(Type.String(), { description: 'a sentence for each check that did not pass' }),
    checks: Type.Array(
      Type.Object({
        id: Type.String(),
        outcome: Type.Enum(['PASS', 'FLAG', 'INCONCLUSIVE']),
        detail: Type.String(),
      }),
    ),
    lists: Type.Array(
      Type.Object({
        name: Type.String(),
        asOf: Nullable(Type.String({ description: 'ISO 8601; null: nobody says' })),
        size: Type.Integer({ description: 'names' }),
        root: Nullable(Type.String({ description: 'of the Merkle tree of its sorted names, hex' })),
        synthetic: Type.Boolean({ description: 'made up, for demonstration or tests' }),
      }),
    ),
  },
  { additionalProperties: false },
);
export type OriginResult = Static<typeof OriginResult>;
