import { Type } from 'typebox';
import { CATEGORIES } from '../../categories.ts';
import { DISPUTE_STATES } from '../../certificates/dispute.ts';
import { CONTRACT_ROLES } from '../../determinations/lineage/token-contract.ts';
import { Address, Count, closed, Dollars, List, may, orNull, Register, Text, Time } from './parts.ts';

/** Evidence about goods: pledges, prices and where they come from. */
const Contracts = Type.Array(Type.Object({ name: Text, asOf: Time, rows: Count }, closed));
const Loan = Type.Object(
  {
    ...{ contract: Address, list: Text, open: orNull(Type.Boolean()), loan: orNull(Text) },
    ...{ borrower: orNull(Address), fault: orNull(Text) },
  },
  closed,
);
const LineageToken = Type.Object(
  {
    ...{ key: Text, relation: Type.Enum(['asked', 'original', 'twin', 'former-twin']) },
    from: orNull(
      Type.Object({ key: Text, via: Address, role: Type.Enum([...CONTRACT_ROLES]), list: Text }, closed),
    ),
    ...{ holder: orNull(Address), loan: orNull(Loan) },
    approved: may(Type.Object({ token: orNull(Address), lenders: Type.Array(Address) }, closed)),
    fault: orNull(Text),
  },
  closed,
);
const Claim = Type.Object(
  {
    ...{ id: Text, kind: Type.Enum(['listing', 'pledge']), listingRef: Text, holder: Text },
    ...{ lender: orNull(Text), since: Time, sameKey: Type.Boolean(), until: may(orNull(Time)) },
    ...{ otherMaker: may(Type.Boolean()), on: may(Text) },
  },
  closed,
);
const Some = Type.Object({ count: Count, some: Type.Array(Text) }, closed);
const Contents = Type.Object(
  {
    ...{ held: Type.Array(Text), fault: orNull(Text), judged: may(Type.Boolean()) },
    ...{ notLookedAt: may(Some), cameSince: may(Some) },
  },
  closed,
);
export const PledgeCommon = Type.Object(
  {
    contents: may(Contents),
    ...{ assetKey: Text, listingRef: orNull(Text), handle: orNull(Text), claims: Type.Array(Claim) },
    ...{ chain: may(Text), liens: may(Type.Union([Type.Literal(2), Type.Literal(3)])) },
    contracts: may(Contracts),
    lenders: may(Type.Array(Type.Object({ address: Address, source: Text }, closed))),
  },
  closed,
);
const Held = Type.Object({ contract: Type.Boolean(), holder: orNull(Address) }, closed);
export const PledgeFacts = Type.Object(
  {
    ...{ lot: may(orNull(Text)), token: may(orNull(Held)), lineage: may(Type.Array(LineageToken)) },
    fault: may(orNull(Text)),
  },
  closed,
);

const Attributes = Type.Record(Text, Type.Union([Text, Type.Number(), Type.Boolean(), Type.Null()]));
const Comparable = Type.Object(
  {
    ...{ id: Text, source: Text, soldAt: Time, priceUsd: Dollars },
    similarity: Type.Enum(['same-asset', 'same-kind', 'same-category']),
    dropped: orNull(Type.Enum(['flagged', 'repeat', 'party', 'related'])),
    weight: may(Type.Number({ minimum: 0, maximum: 1 })),
    attributes: may(Attributes),
  },
  closed,
);
export const PriceCommon = Type.Object(
  {
    ...{ priceUsd: Dollars, category: Type.Enum([...CATEGORIES]), subject: may(orNull(Text)) },
    ...{ pricing: may(Type.Literal(2)), attributes: may(Attributes), askersWord: may(Type.Array(Text)) },
    ...{ comparables: may(Type.Array(Comparable)), leftOut: may(Count), lists: may(Type.Array(List)) },
    ties: may(Type.Object({ hops: Count, sales: Count, fault: orNull(Text), from: may(Text) }, closed)),
  },
  closed,
);

const Lookup = Type.Object(
  {
    ...{ register: Type.Enum(['stolen', 'recalled']), name: Text, key: Text, asOf: Time },
    answer: orNull(Type.Enum(['listed', 'not-listed'])),
    ...{ reference: orNull(Text), fault: orNull(Text) },
  },
  closed,
);
const Dispute = Type.Object(
  {
    ...{ disputeId: Text, tokenId: Text, by: Text, state: Type.Enum([...DISPUTE_STATES]) },
    ...{ ruling: orNull(Type.Enum(['upheld', 'rejected'])), filedAt: Time, closed: Type.Boolean() },
  },
  closed,
);
const Earlier = Type.Object({ tokenId: Text, on: Text, holder: Text, block: Text }, closed);
export const ProvenanceCommon = Type.Object(
  {
    ...{ assetKey: Text, lot: may(Text), lots: may(Type.Array(Text)), stolen: Register },
    ...{
      serialRules: may(Type.Literal(2)),
      editionRules: may(Type.Union([Type.Literal(2), Type.Literal(3)])),
      vague: may(Type.Array(Text)),
    },
    ...{ recalled: may(Register), lookups: may(Type.Array(Lookup)) },
    ...{ sanctions: may(Register), knownScam: may(Register), chain: may(Text) },
    ...{ moreDisputes: may(Type.Integer({ minimum: 1 })), disputeRules: may(Type.Literal(2)) },
    ...{ disputes: may(Type.Array(Dispute)), scope: may(Type.Literal('deal')), contracts: may(Contracts) },
  },
  closed,
);
export const ProvenanceFacts = Type.Object(
  {
    ...{ lot: may(orNull(Text)), custody: may(orNull(Type.Array(Type.Object({})))) },
    alike: may(Type.Array(Type.Object({}))),
    ...{ earlier: may(Type.Array(Earlier)), earlierUnread: may(Type.Integer({ minimum: 1 })) },
    ...{ lineage: may(Type.Array(LineageToken)), fault: may(orNull(Text)) },
  },
  closed,
);
