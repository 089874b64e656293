import type { Category } from '../../categories.ts';
import type { Mandate } from '../../mandate/terms/schema.ts';
import type { Verdict } from '../panel/types.ts';

/** Amounts are micro-dollars as decimal strings throughout, so that evidence is JSON. */
export interface MandateCommon {
  readonly handle: string;
  /** CAIP-2: the chain the agent lives on. */
  readonly chain: string;
  /** Null when there is no such agent, or none of its mandates is active. */
  readonly agent: { readonly status: string; readonly mandate: Mandate; readonly mandateHash: string } | null;
  readonly proposal: {
    readonly side: 'buy' | 'sell';
    readonly category: Category;
    readonly price: string;
    readonly chainId: number;
    /** As it was named. */
    readonly counterparty: string | null;
    /** Every name and address of the same party here, lower case. */
    readonly aliases: readonly string[];
  };
  /** Clearing prices of the agent's other deals on this side under way: figures that are public already. */
  readonly reserved: string;
  readonly sold: Readonly<Record<'day' | 'week' | 'month' | 'total', string>>;
  readonly deals: { readonly day: number; readonly total: number };
  /** The median of comparable sales, where the mandate asks for a share of it and enough sales say it. */
  readonly marketMedian?: string | null;
  readonly verdicts: Readonly<Partial<Record<string, Verdict>>>;
  readonly names: Readonly<Partial<Record<string, string>>>;
}

/** One reader's answer at the pinned block; null where unread. */
export interface MandateChainFacts {
  readonly owner: string | null;
  readonly keyLive: boolean | null;
  readonly mandateHash: string | null;
  readonly remaining: Readonly<Record<'day' | 'week' | 'month' | 'total' | 'spendable', string>> | null;
  /** The agent account's balance of the settlement token. */
  readonly funds: string | null;
  readonly fault: string | null;
}
