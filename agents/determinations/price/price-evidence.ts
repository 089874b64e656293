import type { Comparable } from '../../market/pricing/comparables.ts';
import type { Attributes } from '../../market/pricing/model/attributes.ts';
import type { ListSource } from '../panel/lists.ts';

/** What a price is judged by, as the record keeps it. */
export interface PriceCommon {
  /** Dollars, decimal string. */
  readonly priceUsd: string;
  readonly category: string;
  /** The asset's key; null: only the category is known. */
  readonly subject?: string | null;
  /**
   * The version of the rules; absent is 1, which knew no attributes and judged by the category's sales alone, too.
   */
  readonly pricing?: 2;
  /** What is told of the thing; absent where nothing is. */
  readonly attributes?: Attributes;
  /** The names of those that the asker tells and no listing does; absent where there are none, and in evidence of before. */
  readonly askersWord?: readonly string[];
  /** Absent in evidence from before sales were weighed. */
  readonly comparables?: readonly Comparable[];
  /** How many sales were found but are not among them. */
  readonly leftOut?: number;
  /**
   * Over how many transfers the money of both sides was followed, and of how many sales; absent where no transfers are
   * followed, and in evidence of before. With the blocks from which on transfers are kept, where there are older ones.
   */
  readonly ties?: {
    readonly hops: number;
    readonly sales: number;
    readonly fault: string | null;
    readonly from?: string;
  };
  /** The imported lists of comparable sales, as they were then. */
  readonly lists?: readonly ListSource[];
}
