import { type TSchema, Type } from 'typebox';
import { CATEGORIES } from '../categories.ts';
import type { DeterminationId } from '../determinations/panel/types.ts';
import { Mandate } from '../mandate/terms/schema.ts';

/**
 * The form of evidence as records keep it. A field that no rule knows is refused, because a misspelled one would be left
 * out of judgement.
 */
const closed = { additionalProperties: false } as const;
const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });
const Amount = Type.String({ pattern: '^[0-9]{1,78}$', description: 'a whole number of units, decimal' });
const Dollars = Type.String({ pattern: '^[0-9]{1,12}(?:\\.[0-9]{1,6})?$' });
const Time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T[0-9:.]{5,12}Z)?$', description: 'ISO 8601' });
const orNull = (form: TSchema) => Type.Union([form, Type.Null()]);
const may = (form: TSchema) => Type.Optional(form);
const Any = Type.Unknown();

const List = Type.Object(
  {
    ...{ name: Text, asOf: Time, rows: Count, undated: may(Type.Literal(true)), minimum: may(Count) },
    ...{ synthetic: may(Type.Literal(true)), root: may(Type.String({ pattern: '^[0-9a-f]{64}$' })) },
  },
  closed,
);
const Leaf = Type.Object({ key: Text, index: Count, path: Type.Array(Text) }, closed);
const registerParts = {
  ...{ register: Text, maxAgeDays: Type.Number({ minimum: 0 }), lists: Type.Array(List) },
  hits: Type.Array(Type.Object({ key: Text, list: Text, whose: may(Text), since: may(Time) }, closed)),
};
const Register = Type.Object(
  {
    ...registerParts,
    lookedUp: Type.Array(Text),
    proofs: may(
      Type.Array(Type.Object({ list: Text, key: Text, before: orNull(Leaf), after: orNull(Leaf) }, closed)),
    ),
    retracted: may(Type.Array(Type.Object({ key: Text, list: Text, listed: Time, until: Time }, closed))),
  },
  closed,
);

const Stopped = Type.Array(Type.Object({ dealId: Text, at: Time, reason: Text }, closed));
const Figure = Type.Number({ minimum: 0 });
const Behaviour = Type.Object(
  {
    ...{ chain: Text, source: Text, complete: Type.Boolean(), sent: Count, received: Count },
    ...{ uniqueTo: Count, uniqueFrom: Count, gapSent: Figure, gapReceived: Figure },
    ...{ minSent: Figure, avgSent: Figure, maxSent: Figure },
    ...{ minReceived: Figure, avgReceived: Figure, maxReceived: Figure },
  },
  closed,
);
const Signed = Type.String({ pattern: '^-?[0-9]{1,78}$' });
const Flow = Type.Object(
  {
    ...{ of: Text, way: Type.Enum(['in', 'out']), usd: Amount, native: Amount, others: Count },
    parties: Type.Array(
      Type.Object({ address: Text, usd: Amount, native: Amount, transfers: Count, last: Time }, closed),
    ),
  },
  closed,
);
const First = Type.Object({ address: Text, tx: Text, block: Text }, closed);
const TransferHistory = Type.Object(
  {
    ...{ chain: Text, source: Text, fromBlock: orNull(Amount), toBlock: orNull(Amount) },
    ...{ cutOff: orNull(Text), fault: orNull(Text), hops: Count, flows: Type.Array(Flow) },
    ...{ first: orNull(First), nativeDust: Amount, behaviour: may(Behaviour) },
    nets: orNull(Type.Array(Type.Object({ token: Text, net: Signed }, closed))),
    poisoned: Type.Array(Type.Object({ of: Text, addresses: Type.Array(Text) }, closed)),
  },
  closed,
);
const Transfers = Type.Object(
  {
    histories: Type.Array(TransferHistory),
    listed: Type.Array(Type.Object({ key: Text, list: Text, since: may(Time) }, closed)),
    labels: Type.Array(Type.Object({ key: Text, label: Text }, closed)),
  },
  closed,
);
const WalletCommon = Type.Object(
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
      Type.Object({ days: Count, addresses: Type.Array(Text), others: may(Type.Boolean()) }, closed),
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
    contracts: may(Type.Array(Text)),
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
const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
const Code = Type.Object(
  {
    ...{ size: Count, hash: orNull(Text), head: Type.String({ pattern: '^0x[0-9a-fA-F]*$' }) },
    ...{ implementation: orNull(Address), beacon: may(orNull(Address)), admin: may(orNull(Address)) },
    constants: may(Type.Array(Address)),
  },
  closed,
);
const TailTransfer = Type.Object(
  { from: Text, to: Text, token: Text, amount: Amount, usd: Amount, block: Amount },
  closed,
);
const Tail = Type.Object(
  {
    ...{ fromBlock: Amount, toBlock: Amount, transfers: Type.Array(TailTransfer) },
    balances: Type.Array(Type.Object({ token: Text, held: Amount }, closed)),
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
const Grants = Type.Object({ fromBlock: Amount, more: Type.Boolean(), live: Type.Array(Grant) }, closed);
const WalletFacts = Type.Object(
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
                { owners: Type.Array(Text), unknown: orNull(Text), edges: may(Type.Array(Edge)) },
                closed,
              ),
            ),
          ),
          tail: may(orNull(Tail)),
          grants: may(orNull(Grants)),
          fault: orNull(Text),
        },
        closed,
      ),
    ),
    solana: may(Any),
  },
  closed,
);

const Claim = Type.Object(
  {
    ...{ id: Text, kind: Type.Enum(['listing', 'pledge']), listingRef: Text, holder: Text },
    ...{ lender: orNull(Text), since: Time, sameKey: Type.Boolean(), until: may(orNull(Time)) },
  },
  closed,
);
const PledgeCommon = Type.Object(
  {
    ...{ assetKey: Text, listingRef: orNull(Text), handle: orNull(Text), claims: Type.Array(Claim) },
    ...{ chain: may(Text), liens: may(Type.Literal(2)) },
  },
  closed,
);
const Held = Type.Object({ contract: Type.Boolean(), holder: orNull(Address) }, closed);
const PledgeFacts = Type.Object(
  { lot: may(orNull(Text)), token: may(orNull(Held)), fault: may(orNull(Text)) },
  closed,
);

const Attributes = Type.Record(Text, Type.Union([Text, Type.Number(), Type.Boolean(), Type.Null()]));
export const Comparable = Type.Object(
  {
    ...{ id: Text, source: Text, soldAt: Time, priceUsd: Dollars },
    similarity: Type.Enum(['same-asset', 'same-kind', 'same-category']),
    dropped: orNull(Type.Enum(['flagged', 'repeat', 'party'])),
    attributes: may(Attributes),
  },
  closed,
);
const PriceCommon = Type.Object(
  {
    ...{ priceUsd: Dollars, category: Type.Enum([...CATEGORIES]), subject: may(orNull(Text)) },
    ...{ pricing: may(Type.Literal(2)), attributes: may(Attributes) },
    ...{ comparables: may(Type.Array(Comparable)), leftOut: may(Count), lists: may(Type.Array(List)) },
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
const ProvenanceCommon = Type.Object(
  {
    ...{ assetKey: Text, lot: may(Text), lots: may(Type.Array(Text)), stolen: Register },
    ...{ serialRules: may(Type.Literal(2)), vague: may(Type.Array(Text)) },
    ...{ recalled: may(Register), lookups: may(Type.Array(Lookup)) },
    ...{ sanctions: may(Register), knownScam: may(Register), chain: may(Text) },
  },
  closed,
);
const ProvenanceFacts = Type.Object(
  { lot: may(orNull(Text)), custody: may(orNull(Type.Array(Type.Object({})))), fault: may(orNull(Text)) },
  closed,
);

const Verdict = Type.Enum(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']);
const MandateCommon = Type.Object(
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
    verdicts: Type.Record(Text, Verdict),
    names: Type.Record(Text, Text),
  },
  closed,
);
const Remaining = Type.Object(
  { day: Amount, week: Amount, month: Amount, total: Amount, spendable: Amount },
  closed,
);
const MandateFacts = Type.Object(
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
const History = Type.Object(
  {
    ...{ days: Type.Number(), lots: Type.Array(BidLot), lotsOf: Type.Record(Text, Count), market: Count },
    complete: Type.Boolean(),
  },
  closed,
);
const Book = Type.Object(
  {
    ...{ listingRef: Text, sellerListed: Type.Boolean(), history: History },
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
const Trade = Type.Object({ dealId: Text, lot: Text, seller: Text, buyer: Text }, closed);
const DealHistory = Type.Object(
  {
    ...{ days: Type.Number(), lot: Text, seller: Text, buyer: Text, trades: Type.Array(Trade) },
    deals: Type.Object({ seller: Count, buyer: Count }, closed),
    ...{ sellerSideBids: Count, complete: Type.Boolean() },
  },
  closed,
);
const ShillLot = Type.Object(
  { scope: Type.Literal('lot'), lotRef: Text, seller: Text, book: may(orNull(Book)) },
  closed,
);
const ShillDeal = Type.Object(
  {
    ...{ scope: Type.Literal('deal'), dealId: Text, chain: Text },
    ...{ parties: Type.Array(Party, { minItems: 2, maxItems: 2 }), history: may(DealHistory) },
  },
  closed,
);
const Funding = Type.Object(
  {
    blocks: Count,
    returned: Type.Array(Type.Object({ tx: Text, amount: Amount }, closed)),
    sharedFunders: Type.Array(Type.Object({ funder: Text, others: Count }, closed)),
  },
  closed,
);
const Owners = Type.Object({ handle: Text, owners: orNull(Type.Array(Text)), fault: orNull(Text) }, closed);
const ShillFacts = Type.Object(
  {
    ...{ owners: Type.Array(Owners), sharedKey: orNull(Type.Boolean()) },
    ...{ funding: may(orNull(Funding)), fault: orNull(Text) },
  },
  closed,
);

/** The form of what seats share, and of what each of them read, by determination and scope. */
export function evidenceForms(
  id: DeterminationId,
  common: Readonly<Record<string, unknown>>,
): { readonly common: TSchema; readonly facts: TSchema } {
  switch (id) {
    case 'wallet':
      return { common: WalletCommon, facts: WalletFacts };
    case 'double-pledge':
      return { common: PledgeCommon, facts: PledgeFacts };
    case 'price-intelligence':
      return { common: PriceCommon, facts: Type.Object({}, closed) };
    case 'provenance':
      return { common: ProvenanceCommon, facts: ProvenanceFacts };
    case 'mandate-compliance':
      return { common: MandateCommon, facts: MandateFacts };
    case 'shill-collusion':
      return common.scope === 'deal'
        ? { common: ShillDeal, facts: ShillFacts }
        : { common: ShillLot, facts: Type.Object({}, closed) };
  }
}
