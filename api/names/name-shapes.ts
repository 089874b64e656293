import { type Static, Type } from 'typebox';
import { NAME_SOURCES } from '../../agents/names/name-price.ts';
import { EvmAddress, Time, Usd } from '../schemas.ts';
import { ControlWord } from '../shapes.ts';

/** The rows and documents of the name market. */

export const NameIn = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'a name, in any spelling that ENSIP-15 reads',
  examples: ['alice.x'],
});

export const SourceName = Type.Enum([...NAME_SOURCES], { description: 'whose price' });
export const AuctionFormat = Type.Enum(['dutch', 'ascending']);

/** `openingBidUsd`, `priceToBeatUsd` and the times are present only while an auction runs. */
export const NameListingRow = Type.Object({
  name: Type.String(),
  askUsd: Usd,
  format: Type.Enum(['buy-now', 'dutch', 'ascending']),
  openingBidUsd: Type.Optional(Usd),
  priceToBeatUsd: Type.Optional(Usd),
  reserveUsd: Type.Optional(Usd),
  startsAt: Type.Optional(Time),
  endsAt: Type.Optional(Time),
  listingRef: Type.String(),
  seller: EvmAddress,
  control: ControlWord,
  listedAt: Time,
});
export type NameListingRow = Static<typeof NameListingRow>;

export const NamePriceDocument = Type.Object({
  name: Type.String(),
  tld: Type.String(),
  source: SourceName,
  priceUsd: Usd,
  rule: Type.String({ description: 'the row of /pricing that it was read from' }),
});

export const NamePolicyDocument = Type.Object({
  normalisation: Type.String(),
  providers: Type.Object({
    'provider-a': Type.Object({
      names: Type.String(),
      tlds: Type.Array(Type.Object({ tld: Type.String(), priceUsd: Usd, rule: Type.String() })),
      otherTldsUsd: Usd,
    }),
    'provider-b': Type.Object({
      names: Type.String(),
      secondLevelUsd: Usd,
      topLevelUsd: Usd,
      reservedUsd: Usd,
      reservedTlds: Type.Array(Type.String()),
    }),
  }),
  fees: Type.Object({
    id: Type.String(),
    basisPointsEachSide: Type.Integer(),
    rounding: Type.String(),
    example: Type.Object({ askUsd: Usd, sellerNetsUsd: Usd, buyerPaysUsd: Usd }),
  }),
  buyNow: Type.String(),
  auctions: Type.Object({
    opening: Type.String(),
    reserve: Type.String(),
    leastDurationSeconds: Type.Integer(),
    mostDurationSeconds: Type.Integer(),
    tickUsd: Usd,
    dutch: Type.Object({ price: Type.String(), winner: Type.String() }),
    ascending: Type.Object({
      incrementBasisPoints: Type.Integer(),
      price: Type.String(),
      windowSeconds: Type.Integer(),
      extensionSeconds: Type.Integer(),
      extension: Type.String(),
      winner: Type.String(),
      goesOn: Type.String(),
      unsettled: Type.String(),
    }),
    binding: Type.String(),
    atTheEnd: Type.String(),
    money: Type.String(),
    limits: Type.String(),
  }),
  control: Type.String(),
});
