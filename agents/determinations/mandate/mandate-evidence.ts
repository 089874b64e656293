import type { Category } from '../../categories.ts';
import type { Mandate } from '../../mandate/terms/schema.ts';
import type { Verdict } from '../panel/types.ts';

/** Amounts are micro-dollars as decimal strings throughout, so that evidence is JSON. */
export interface MandateCommon {
  readonly handle: string;
  /** CAIP-2: the chain of the agent. */
  readonly chain: string;
  /** Null when there is no such agent, or none of its mandates is active. */
  readonly agent: { readonly status: string; readonly mandate: Mandate; readonly mandateHash: string } | null;
  readonly proposal: {
    readonly side: 'buy' | 'sell';
    readonly category: Category;
    readonly price: string;
    readonly chainId: number;
    /** The name that the request used. */
    readonly counterparty: string | null;
    /** Every name and address known here for the same party, lower case. */
    readonly aliases: readonly string[];
  };
  /** The sum of the clearing prices of the agent's other open deals on this side; these figures are already public. */
  readonly reserved: string;
  readonly sold: Readonly<Record<'day' | 'week' | 'month' | 'total', string>>;
  readonly deals: { readonly day: number; readonly total: number };
  /** The median of comparable sales, when the mandate limits prices to a share of it and there are enough sales. */
  readonly marketMedian?: string | null;
  /**
   * The face value that the listing states and where it says that it stands, when the mandate limits prices to a share of
   * it; null where the listing states none. Absent in evidence from before listings told it.
   */
  readonly faceValue?: { readonly amount: string; readonly source: string } | null;
  readonly verdicts: Readonly<Partial<Record<string, Verdict>>>;
  readonly names: Readonly<Partial<Record<string, string>>>;
}

/** One reader's answer at the pinned block; null where it could not read. */
export interface MandateChainFacts {
  readonly owner: string | null;
  readonly keyLive: boolean | null;
  readonly mandateHash: string | null;
  readonly remaining: Readonly<Record<'day' | 'week' | 'month' | 'total' | 'spendable', string>> | null;
  /** The agent account's balance of the settlement token. */
  readonly funds: string | null;
  readonly fault: string | null;
}
