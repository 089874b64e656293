import { Type } from 'typebox';
import { CATEGORIES } from '../../categories.ts';
import { Mandate } from '../../mandate/terms/schema.ts';
import { Amount, Count, closed, may, orNull, Text } from './parts.ts';

/** Evidence about a deal: the mandate that it must keep to, and who stands on its two sides. */
const Verdict = Type.Enum(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']);
export const MandateCommon = Type.Object(
  {
    ...{ handle: Text, chain: Text },
    agent: orNull(Type.Object({ status: Text, mandate: Mandate, mandateHash: Text }, closed)),
    proposal: Type.Object(
      {
        ...{ side: Type.Enum(['buy', 'sell']), category: Type.Enum([...CATEGORIES]), price: Amount },
        ...{ chainId: Type.Integer(), counterparty: orNull(Text), aliases: Type.Array(Text) },
      },
      closed,
    ),
    reserved: Amount,
    sold: Type.Object({ day: Amount, week: Amount, month: Amount, total: Amount }, closed),
    deals: Type.Object({ day: Count, total: Count }, closed),
    marketMedian: may(orNull(Amount)),
    faceValue: may(orNull(Type.Object({ amount: Amount, source: Text }, closed))),
    verdicts: Type.Record(Text, Verdict),
    names: Type.Record(Text, Text),
  },
  closed,
);
const Remaining = Type.Object(
  { day: Amount, week: Amount, month: Amount, total: Amount, spendable: Amount },
  closed,
);
export const MandateFacts = Type.Object(
  {
    ...{ owner: orNull(Text), keyLive: orNull(Type.Boolean()), mandateHash: orNull(Text) },
    ...{ remaining: orNull(Remaining), funds: orNull(Amount), fault: orNull(Text) },
  },
  closed,
);

const Bid = Type.Object({ bidder: Text, minute: Type.Number(), amount: orNull(Amount) }, closed);
const BidLot = Type.Object(
  {
    ...{ lot: Text, minutes: Type.Number({ minimum: 0 }), bids: Type.Array(Bid), winner: orNull(Text) },
    priceToAsk: orNull(Type.Number()),
  },
  closed,
);
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Rates = Type.Array(Type.Number({ exclusiveMinimum: 0 }), { minItems: 2, maxItems: 2 });
const Habits = Type.Object(
  {
    ...{ bidders: Count, once: Count, returning: Count, attached: Count, losing: Count },
    ...{ weights: may(Type.Array(Type.Number({ minimum: 0 }))), pairs: may(Count), loyal: may(Share) },
    ...{ occasional: may(Share), vain: may(Share), rates: may(Rates) },
  },
  closed,
);
const JoinedLot = Type.Object(
  { bidders: Type.Array(Text), crowd: Count, winner: orNull(Type.String()) },
  closed,
);
const Joined = Type.Object(
  { sellers: Count, among: Count, lots: Type.Array(JoinedLot), habits: Habits },
  closed,
);
const History = Type.Object(
  {
    ...{ days: Type.Number(), lots: Type.Array(BidLot), lotsOf: Type.Record(Text, Count), market: Count },
    ...{ bidding: may(Type.Enum([2, 3, 4, 5])), habits: may(Habits), joined: may(orNull(Joined)) },
    complete: Type.Boolean(),
  },
  closed,
);
const MoneyTrails = Type.Object(
  {
    ...{ hops: Count, fault: orNull(Text), from: may(Text) },
    bidders: Type.Array(
      Type.Object(
        {
          ...{ bidder: Text, fromSeller: Share, shared: Share, toSeller: Share, group: orNull(Text) },
          ...{ lots: may(Count), unseen: may(Type.Literal(true)) },
        },
        closed,
      ),
    ),
  },
  closed,
);
const Book = Type.Object(
  {
    ...{ listingRef: Text, sellerListed: Type.Boolean(), history: History, money: may(orNull(MoneyTrails)) },
    sellerSide: Type.Array(
      Type.Object({ bidder: Text, by: Type.Enum(['owner', 'account', 'session key']) }, closed),
    ),
  },
  closed,
);
const Party = Type.Object(
  { role: Type.Enum(['buyer', 'seller']), handle: Text, account: Text, sessionKey: Text },
  closed,
);
const Trade = Type.Object(
  { dealId: Text, lot: Text, seller: Text, buyer: Text, place: may(Type.Number()) },
  closed,
);
const DealHistory = Type.Object(
  {
    ...{ days: Type.Number(), lot: Text, seller: Text, buyer: Text, trades: Type.Array(Trade) },
    deals: Type.Object({ seller: Count, buyer: Count }, closed),
    ...{ sellerSideBids: Count, complete: Type.Boolean() },
  },
  closed,
);
export const ShillLot = Type.Object(
  { scope: Type.Literal('lot'), lotRef: Text, seller: Text, book: may(orNull(Book)) },
  closed,
);
export const ShillDeal = Type.Object(
  {
    ...{ scope: Type.Literal('deal'), dealId: Text, chain: Text },
    ...{ parties: Type.Array(Party, { minItems: 2, maxItems: 2 }), history: may(DealHistory) },
    price: may(Amount),
    ...{ money: may(MoneyTrails), bids: may(orNull(History)) },
  },
  closed,
);
const Funding = Type.Object(
  {
    blocks: Count,
    least: may(Count),
    returned: Type.Array(Type.Object({ tx: Text, amount: Amount }, closed)),
    ...{ sent: may(Amount), setOff: may(Amount) },
    sharedFunders: Type.Array(
      Type.Object(
        {
          ...{ funder: Text, others: Count, customers: may(Type.Enum(['few', 'open', 'many'])) },
          share: may(Count),
          label: may(Type.Object({ label: Type.Enum(['exchange', 'bridge']), list: Text }, closed)),
        },
        closed,
      ),
    ),
  },
  closed,
);
const Owners = Type.Object({ handle: Text, owners: orNull(Type.Array(Text)), fault: orNull(Text) }, closed);
export const ShillFacts = Type.Object(
  {
    ...{ owners: Type.Array(Owners), sharedKey: orNull(Type.Boolean()) },
    ...{ funding: may(orNull(Funding)), fault: orNull(Text) },
  },
  closed,
);
