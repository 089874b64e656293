import { Type } from 'typebox';
import { CATEGORIES } from '../../categories.ts';
import { Count, closed, Dollars, List, may, orNull, Register, Text, Time } from './parts.ts';

/** Evidence about goods: pledges, prices and where they come from. */
const Claim = Type.Object(
  {
    ...{ id: Text, kind: Type.Enum(['listing', 'pledge']), listingRef: Text, holder: Text },
    ...{ lender: orNull(Text), since: Time, sameKey: Type.Boolean() },
  },
  closed,
);
export const PledgeCommon = Type.Object(
  {
    ...{ assetKey: Text, listingRef: orNull(Text), handle: orNull(Text), claims: Type.Array(Claim) },
    chain: may(Text),
  },
  closed,
);
export const PledgeFacts = Type.Object({ lot: may(orNull(Text)), fault: may(orNull(Text)) }, closed);

const Comparable = Type.Object(
  {
    ...{ id: Text, source: Text, soldAt: Time, priceUsd: Dollars },
    similarity: Type.Enum(['same-asset', 'same-kind', 'same-category']),
    dropped: orNull(Type.Enum(['flagged', 'repeat', 'party'])),
  },
  closed,
);
export const PriceCommon = Type.Object(
  {
    ...{ priceUsd: Dollars, category: Type.Enum([...CATEGORIES]), subject: may(orNull(Text)) },
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
export const ProvenanceCommon = Type.Object(
  {
    ...{ assetKey: Text, lot: may(Text), lots: may(Type.Array(Text)), stolen: Register },
    ...{ recalled: may(Register), lookups: may(Type.Array(Lookup)) },
    ...{ sanctions: may(Register), knownScam: may(Register), chain: may(Text) },
  },
  closed,
);
export const ProvenanceFacts = Type.Object(
  { lot: may(orNull(Text)), custody: may(orNull(Type.Array(Type.Object({})))), fault: may(orNull(Text)) },
  closed,
);
