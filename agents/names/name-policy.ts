import { INCREMENT_BASIS_POINTS, MOST_PASSED_OVER } from '../market/auction.ts';
import { nameMoney } from '../market/pricing/fees.ts';
import { chargeFor, type PriceSetting, type SetPriceId } from '../market/pricing/prices.ts';
import { MICRO_PER_USD, toUsd } from '../money.ts';
import { PROVIDER_A_ROWS } from './name-price.ts';

/** The chain holds a listing to it, whatever is bid. */
export const RESERVE_RULE = 'at least half of the ask at which the name is listed';

/** The rules of the name market as data. Prices and the fee come from the one price table. */
export function namePolicy(
  setting: PriceSetting,
  rules: {
    readonly reserved: readonly string[];
    readonly extensionSeconds: number;
    readonly leastSeconds: number;
    readonly mostSeconds: number;
  },
) {
  const usd = (id: SetPriceId): number => toUsd(chargeFor(setting, id));
  const example = nameMoney(300n * MICRO_PER_USD);
  return {
    normalisation: 'ENSIP-15',
    providers: {
      'provider-a': {
        names: 'label.tld',
        tlds: Object.entries(PROVIDER_A_ROWS).map(([tld, id]) => ({ tld, priceUsd: usd(id), rule: id })),
        otherTldsUsd: usd('name-a-other'),
      },
      'provider-b': {
        names: 'label.tld at the second level; a bare tld is a top-level name',
        secondLevelUsd: usd('name-b-second-level'),
        topLevelUsd: usd('name-b-top-level'),
        reservedUsd: usd('name-b-reserved'),
        reservedTlds: [...rules.reserved],
      },
    },
    fees: {
      id: 'name-fee',
      basisPointsEachSide: Number((10_000n * chargeFor(setting, 'name-fee', MICRO_PER_USD)) / MICRO_PER_USD),
      rounding: 'down to the micro-dollar',
      example: {
        askUsd: 300,
        sellerNetsUsd: toUsd(example.sellerNets),
        buyerPaysUsd: toUsd(example.buyerPays),
      },
    },
    buyNow: 'at the ask, while no auction of the name is under way',
    auctions: {
      opening:
        'a name has no opening bid until its seller starts an auction and picks format, reserve and duration',
      reserve: RESERVE_RULE,
      leastDurationSeconds: rules.leastSeconds,
      mostDurationSeconds: rules.mostSeconds,
      tickUsd: 0.01,
      dutch: {
        price:
          'the straight line from startUsd (the ask, when left out) to reserveUsd over the duration, rounded up to the tick',
        winner: 'the first who covers the price, at that price',
      },
      ascending: {
        incrementBasisPoints: Number(INCREMENT_BASIS_POINTS),
        price:
          'proxy bidding: an increment over the best bid of another owner, at least the reserve and at most the own bid',
        windowSeconds: rules.extensionSeconds,
        extensionSeconds: rules.extensionSeconds,
        extension: 'a bid in the last stretch of anybody but who leads moves the end',
        winner: 'the highest bid that may buy at the end; of two alike, the earlier',
        goesOn: `where bids that may not buy at the end had made the price to beat, nobody wins yet: they are out, the price to beat is what the others make, and the auction goes on for the extension; their agents and owners bid in it no more. Once the bids of ${MOST_PASSED_OVER} agents were passed over so, such an end sells nothing, and the name is at its ask`,
        unsettled:
          'the other bids stand until the winner has settled, and may be taken back meanwhile. Where its deal does not settle, its bid is out as one that may not buy: where it had made the price to beat, or one that was taken back had, the auction goes on as said in goesOn; else the best of the others has the name at that price, or nobody',
      },
      binding:
        'while an auction runs no bid is taken back, and no name leaves it by its seller: no pause, no stop, no other mandate and no sale of an agent does that',
      atTheEnd:
        'who is stopped then, has another owner, or whose mandate, caps or account do not allow it any more buys nothing and makes no price, as if that bid had never been made; a seller of whom that is true sells nothing, and the name leaves the market. What moves a name away from its seller on chain, or decides a dispute of its certificate, ends its auction without a sale',
      money: 'a bid and a purchase need the limit and the fee in the account, less what is promised already',
      limits: 'a bid is a limit and is never shown; priceToBeatUsd is the one figure that is',
    },
    control:
      'by the listing that its owner signed, which the policy on chain checks, and what stands for the name on chain: the token of its provider where there is one, else its certificate',
  };
}
