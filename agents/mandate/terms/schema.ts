import { type Static, Type } from 'typebox';
import { CATEGORIES, type Category } from '../../categories.ts';
import { type Choosable, ON_INCONCLUSIVE, type OnInconclusive } from '../../deal/effect.ts';

const Amount = Type.String({
  pattern: '^(?:0|[1-9][0-9]*)(?:\\.[0-9]{1,6})?$',
  description: 'decimal dollars, at most six decimals',
});
const CategoryName = Type.Unsafe<Category>(Type.Union(CATEGORIES.map((c) => Type.Literal(c))));
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
  uniqueItems: true,
  minItems: 1,
  maxItems: 64,
});
const Instant = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$' });

const Choice = Type.Optional(
  Type.Unsafe<OnInconclusive>(Type.Union(ON_INCONCLUSIVE.map((choice) => Type.Literal(choice)))),
);
const Unjudged = Type.Object(
  { 'shill-collusion': Choice, provenance: Choice, 'price-intelligence': Choice } satisfies Record<
    Choosable,
    typeof Choice
  >,
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'what it causes that one could not be judged',
  },
);

/** The structured mandate: what the owner signs, whose hash goes on chain and whose caps become the policy. */
export const Mandate = Type.Object(
  {
    side: Type.Union([Type.Literal('buy'), Type.Literal('sell'), Type.Literal('both')]),
    currency: Type.Union([Type.Literal('USDC'), Type.Literal('USD')]),
    cap_per_deal: Type.Optional(Amount),
    cap_per_day: Type.Optional(Amount),
    cap_per_week: Type.Optional(Amount),
    cap_per_month: Type.Optional(Amount),
    cap_total: Type.Optional(Amount),
    max_deals_total: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    max_deals_per_day: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    min_price: Type.Optional(Amount),
    max_pct_of_market: Type.Optional(Type.String({ pattern: '^[0-9]+(?:\\.[0-9]+)?$' })),
    max_pct_of_face: Type.Optional(Type.String({ pattern: '^[0-9]+(?:\\.[0-9]+)?$' })),
    require_clean: Type.Optional(Names),
    categories_allow: Type.Optional(Type.Array(CategoryName, { uniqueItems: true, minItems: 1 })),
    categories_deny: Type.Optional(Type.Array(CategoryName, { uniqueItems: true, minItems: 1 })),
    chains_allow: Type.Optional(Names),
    chains_deny: Type.Optional(Names),
    counterparties_allow: Type.Optional(Names),
    counterparties_deny: Type.Optional(Names),
    approval_above: Type.Optional(Amount),
    on_inconclusive: Type.Optional(Unjudged),
    not_before: Type.Optional(Instant),
    expires_at: Instant,
  },
  { additionalProperties: false, $id: 'Mandate' },
);

export type Mandate = Static<typeof Mandate>;

/** Why a mandate text was refused. Every refusal comes with one question for the owner. */
export const REFUSALS = [
  'NO_EXPIRY',
  'EXPIRY_IN_PAST',
  'AMBIGUOUS_DATE',
  'NO_CURRENCY',
  'NO_NUMERIC_CAP',
  'AMBIGUOUS_CAP',
  'CAP_CONTRADICTION',
  'UNREADABLE_AMOUNT',
  'CHAIN_CONTRADICTION',
  'CATEGORY_CONTRADICTION',
  'INJECTION_SUSPECTED',
  'NEVER_WAIVED',
  'NOT_UNDERSTOOD',
  'TOO_HARD',
] as const;

export type Refusal = (typeof REFUSALS)[number];

export interface Question {
  readonly reason: Refusal;
  readonly question: string;
}

/** Why a mandate that can be read is not taken: what one of its clauses rests on is not there. */
export type Unenforceable = 'NO_FACE_VALUE' | 'NO_LISTINGS_ON_CHAIN' | 'UNKNOWN_NAME';

/** A question about a clause that nothing can hold an agent to, with the words of the text that say it. */
export interface ClauseQuestion {
  readonly reason: Unenforceable;
  readonly question: string;
  readonly words: readonly string[];
}

export type MandateReading =
  | { readonly decision: 'ACCEPT'; readonly mandate: Mandate }
  /** What else is open is asked once this is answered. */
  | { readonly decision: 'REFUSE'; readonly questions: readonly [Question] };
