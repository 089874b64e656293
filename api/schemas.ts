import { type TSchema, Type } from 'typebox';
import { CATEGORIES } from '../agents/categories.ts';
import { ERRORS, type ErrorCode } from '../agents/errors.ts';

/** Schemas that many routes share. A schema of a single route stands beside that route. */

/** A dollar amount in a request: a JSON number or a decimal string. Read it with `parseUsd`. */
export const UsdIn = Type.Union(
  [Type.Number({ minimum: 0 }), Type.String({ pattern: '^(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$', maxLength: 32 })],
  { description: 'US dollars, zero or more, at most six decimals', examples: [12.5, '12.50'] },
);

/** As {@link UsdIn}, of what is asked or bid for a thing: it has whole cents. */
export const PriceIn = Type.Union(
  [
    Type.Number({ exclusiveMinimum: 0 }),
    Type.String({ pattern: '^(?:0|[1-9][0-9]*)(?:\\.[0-9]{1,2})?$', maxLength: 32 }),
  ],
  { description: 'US dollars, more than nothing, at most two decimals', examples: [12.5, '12.50'] },
);

/** A dollar amount in an answer. */
export const Usd = Type.Number({ description: 'US dollars, at most six decimals' });

export const Handle = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{1,30}[a-z0-9])$',
  description: 'an agent handle: 3 to 32 of a-z, 0-9 and hyphen',
  examples: ['harbour-desk'],
});

export const EvmAddress = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: '0x and 40 hex digits',
});

/** The contract derives the id from the payment: 53 bits, up to sixteen digits. */
export const AgentTokenId = Type.String({
  pattern: '^[0-9]{1,16}$',
  description: "the agent's token id, decimal",
});

export const Hash = Type.String({ pattern: '^0x[0-9a-f]{64}$', description: '32 bytes, hex' });

export const AssetKey = Type.String({
  maxLength: 200,
  description: 'CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}`',
});

/** The reference of a listing, in a path. */
export const ListingRef = Type.String({ minLength: 1, maxLength: 64 });

/** The id of a record, in a path. */
export const RecordId = Type.String({ maxLength: 64, description: 'such as rec_…' });

/** A chain id by CAIP-2. */
export const ChainName = Type.String({
  pattern: '^[a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,32}$',
  description: 'a chain by CAIP-2, such as eip155:1002',
  examples: ['eip155:1002'],
});

export const CategoryName = Type.Enum([...CATEGORIES], { description: 'a goods category' });

export const Time = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-09-06T12:00:00.000Z'] });

export const TierName = Type.Enum(['AGENT', 'EXECUTOR']);
export const Depth = Type.Enum(['1-of-1', '2-of-2', 'superconsensus']);
export const Verdict = Type.Enum(['CLEAN', 'FLAGGED']);

/** The two paging parameters of every list. Spread them into a querystring object. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'rows to answer' }),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0, description: 'rows to pass over' }),
} as const;

/** The schema of a list of `item`. */
export function ListOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    limit: Type.Integer(),
    offset: Type.Integer(),
    hasMore: Type.Boolean(),
  });
}

export interface List<T> {
  readonly items: T[];
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
}

/** The envelope of every list. Ask the store for `limit + 1` rows: the extra row tells that there are more. */
export function listEnvelope<T>(rows: readonly T[], limit: number, offset: number): List<T> {
  return { items: rows.slice(0, limit), limit, offset, hasMore: rows.length > limit };
}

const FieldErrorSchema = Type.Object({ path: Type.String(), message: Type.String() });

/** A problem body (RFC 9457). Extension members (`sign`, `questions`, `accepts` …) are added beside these. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'the page that documents this code' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'names this one occurrence; carries the request id' }),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[]),
    requestId: Type.String(),
    errors: Type.Optional(Type.Array(FieldErrorSchema)),
  },
  { $id: 'Problem', additionalProperties: true },
);

/** What a 401 asks the wallet to sign. */
export const SignRequest = Type.Object(
  {
    message: Type.String({ description: 'EIP-4361 text: sign exactly this with EIP-191 personal_sign' }),
    nonce: Type.String(),
    expiresAt: Time,
    wallet: EvmAddress,
    chainId: Type.Integer(),
    says: Type.String({
      description:
        'what is signed, in a sentence or two for people: the statement of the text, or, where that is the line which a contract checks, what its resources repeat as `urn:words:`',
    }),
    salt: Type.Optional(
      Type.String({
        description:
          'where the text goes on chain and the body holds what must not: `urn:sha256:` names the hash of this salt, ' +
          'as the text it is, with the raw body after it, and only whoever has the salt can try a body against it',
      }),
    ),
  },
  { $id: 'SignRequest' },
);

/** The `security` of a route that requires an owner's signature. */
export const ownerSigned: Record<string, string[]>[] = [{ ownerSignature: [] }];

/** The `security` of a route that requires an owner's signature, or an operator's key in its place. */
export const ownerOrOperator: Record<string, string[]>[] = [{ ownerSignature: [] }, { operatorKey: [] }];

/** The error codes that every route with an owner's signature can answer. */
export const OWNER_PROBLEMS = [
  'bad-request',
  'not-found',
  'signature-required',
  'signature-invalid',
  'signature-used',
  'signature-expired',
  'not-owner',
] as const;

const ProblemRef = { $ref: 'Problem#' };

/**
 * Makes the error half of a route's `response`: one entry a status, which names the codes that come with it.
 * @example response: { 200: Thing, ...problems('bad-request', 'not-found') }
 */
export function problems(...codes: readonly ErrorCode[]): Record<number, object> {
  const all: readonly ErrorCode[] = [...codes, 'rate-limited', 'internal', 'timeout', 'unavailable'];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(all)) {
    const status = ERRORS[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      problem(
        named.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('; '),
        status === 401
          ? { allOf: [ProblemRef, { type: 'object', properties: { sign: { $ref: 'SignRequest#' } } }] }
          : ProblemRef,
      ),
    ]),
  );
}

/** The 401 of a route that says more than the message before anything is signed. */
export function signedAfter(says: Readonly<Record<string, TSchema>>): ProblemEntry {
  const codes = (
    ['signature-required', 'signature-invalid', 'signature-used', 'signature-expired'] as const
  ).map((code) => `\`${code}\`: ${ERRORS[code].title}`);
  return problem(codes.join('; '), {
    allOf: [ProblemRef, { type: 'object', properties: { sign: { $ref: 'SignRequest#' }, ...says } }],
  });
}

/** The 402 of a route that says more than the challenge before anything is paid. */
export function challengedBeside(says: Readonly<Record<string, TSchema>>): ProblemEntry {
  const codes = (['payment-required', 'payment-invalid', 'settlement-failed'] as const).map(
    (code) => `\`${code}\`: ${ERRORS[code].title}`,
  );
  return problem(codes.join('; '), { allOf: [ProblemRef, { type: 'object', properties: says }] });
}

/** One entry of a route's `response` whose body is a problem body. */
export function problem(description: string, schema: object = ProblemRef): ProblemEntry {
  return { description, content: { 'application/problem+json': { schema } } };
}

export interface ProblemEntry {
  readonly description: string;
  readonly content: object;
}
