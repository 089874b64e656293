import type { Source } from '../panel/types.ts';
import type { PriceCommon } from './price-evidence.ts';

/** The name of this platform's own sales as a source. */
export const OWN_SALES = "this platform's settled deals";

/** What a price is judged by: sales here and in lists, and what only the asker tells of the thing. */
export function priceSources(
  { comparables = [], lists = [], leftOut = 0, askersWord = [] }: PriceCommon,
  at: string,
): Source[] {
  const own = comparables.filter((c) => c.source === OWN_SALES).length;
  const more = leftOut > 0 ? `; ${leftOut} further sales were not read` : '';
  const here: Source = {
    name: OWN_SALES,
    asOf: at,
    limit: `${own} sales; asks and bids do not count; nothing sold elsewhere${more}`,
  };
  const imported = lists
    .filter((l) => l.rows > 0)
    .map((l) => ({
      name: l.name,
      asOf: l.asOf,
      limit: `${l.rows} sales as the list states them, not verified here`,
    }));
  const told =
    askersWord.length === 0
      ? []
      : [
          {
            name: "the asker's word",
            asOf: at,
            limit: `${askersWord.join(', ')}; not of a listing, nor proved`,
          },
        ];
  return [here, ...imported, ...told];
}
