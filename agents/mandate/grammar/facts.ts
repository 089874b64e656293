import type { Category } from '../../categories.ts';
import type { Choosable, OnInconclusive } from '../../deal/effect.ts';
import type { Micro } from '../../money.ts';
import type { Refusal } from '../terms/schema.ts';
import type { Atom } from './atom.ts';
import type { Span } from './one-question.ts';

export type Scope = 'deal' | 'day' | 'week' | 'month' | 'total';

/** Stands for a category where goods are named that are narrower than one. Such goods are always asked about. */
export const UNLISTED = 'unlisted';

export interface Amount {
  readonly micro: Micro;
  /** USDC, USD, another currency, or '' when none is written. */
  readonly currency: string;
  readonly text: string;
  readonly at: Span;
}

/** What one rule read from the text. `resolve` combines the facts and finds what they leave open. */
export type Fact =
  | {
      readonly fact: 'side';
      readonly side: 'buy' | 'sell' | 'both';
      readonly spends: boolean;
      readonly bare: boolean;
      readonly goods: readonly Category[] | null;
      /** By what nouns the clause names its goods; left out where it does not. */
      readonly nouns?: readonly string[];
    }
  | {
      readonly fact: 'cap';
      readonly scope: Scope | null;
      readonly amount: Amount;
      /** The categories and chains that the cap is said to apply to. */
      readonly goods: readonly Category[] | null;
      readonly chains: readonly string[] | null;
      /** True when the words make it a limit, false for an amount that only follows a verb. */
      readonly limited: boolean;
      /** True for what one thing costs, "300 USDC each", and not what one deal may be worth. */
      readonly apiece: boolean;
    }
  | {
      readonly fact: 'count';
      readonly scope: 'day' | 'total';
      readonly count: number;
      /** The number, where no noun says what it counts: below the price of a deal it cannot be money. */
      readonly bare?: Amount;
    }
  | { readonly fact: 'min'; readonly amount: Amount; readonly sells: boolean }
  | { readonly fact: 'percent'; readonly of: 'market' | 'face'; readonly percent: Micro }
  | { readonly fact: 'approval'; readonly amount: Amount }
  | {
      readonly fact: 'goods';
      readonly deny: boolean;
      readonly list: readonly Category[];
      readonly side: 'buy' | 'sell' | 'both' | null;
      readonly only: boolean;
    }
  | {
      readonly fact: 'chains';
      readonly deny: boolean;
      readonly list: readonly string[];
      readonly only: boolean;
    }
  | {
      readonly fact: 'parties';
      readonly deny: boolean;
      readonly list: readonly string[];
      readonly only: boolean;
    }
  | { readonly fact: 'clean'; readonly names: readonly string[] }
  | { readonly fact: 'unjudged'; readonly names: readonly Choosable[]; readonly choice: OnInconclusive }
  | {
      readonly fact: 'anything';
      /** "On any other chain", "elsewhere": said of places, and of goods otherwise. */
      readonly elsewhere: boolean;
    }
  /** "Nothing else": what is allowed is all. */
  | { readonly fact: 'no-more-goods' }
  /** "Other chains: no": of the chains, what is allowed is all. */
  | { readonly fact: 'no-more-places' }
  | { readonly fact: 'never-side'; readonly side: 'buy' | 'sell' | 'both' }
  | { readonly fact: 'currency'; readonly currency: string }
  | { readonly fact: 'starts'; readonly ms: number }
  | { readonly fact: 'ends'; readonly ms: number; readonly text: string }
  | { readonly fact: 'lasts'; readonly count: number; readonly unit: string; readonly text: string }
  | { readonly fact: 'uncapped'; readonly scope: Scope | null }
  | {
      readonly fact: 'ask';
      readonly reason: Refusal;
      readonly question: string;
      /** Where in the text the subject of the question is. */
      readonly about?: Span | null;
      /** True when the question asks what something means, false when it asks which of several readings is right. */
      readonly vague?: boolean;
      readonly worded?: boolean;
    }
  /** A clause that speaks only of buying or only of selling. It fits only a mandate of that side. */
  | {
      readonly fact: 'about';
      readonly side: 'buy' | 'sell';
      readonly words: string;
      /** True for a cap on what is bought, or a lowest price of what is sold, and nothing else. */
      readonly limit: boolean;
    }
  /** A limit that is said to apply to some goods. */
  | { readonly fact: 'holds-for'; readonly goods: readonly Category[]; readonly words: string }
  /** "A boat": one of them, where the text says that there is to be one. */
  | { readonly fact: 'one'; readonly words: string }
  | { readonly fact: 'nothing' };

export function amountOf(atom: Atom): Amount {
  return {
    micro: atom.micro ?? 0n,
    currency: atom.kind === 'MONEY' ? atom.value : '',
    text: atom.text,
    at: { start: atom.start, end: atom.end },
  };
}

/** Notes a question for the owner. */
export type Ask = (reason: Refusal, question: string, about?: Span | null, vague?: boolean) => void;
export type Side = 'buy' | 'sell' | 'both';
type Kind<K extends Fact['fact']> = Extract<Fact, { fact: K }>;

export function factsOf<K extends Fact['fact']>(facts: readonly Fact[], kind: K): Kind<K>[] {
  return facts.filter((fact): fact is Kind<K> => fact.fact === kind);
}

/** True where a list is allowed, of one kind or of any. */
export function wants(facts: readonly Fact[], kind?: Fact['fact']): boolean {
  return facts.some((fact) => 'deny' in fact && !fact.deny && (kind === undefined || kind === fact.fact));
}

/** The side that a VERB atom means. */
export function sideOf(value: string): Side {
  return value === 'spend' ? 'buy' : (value as Side);
}

/** All entries of several lists, without duplicates, sorted. */
export function union(facts: readonly { readonly list: readonly string[] }[]): string[] {
  return [...new Set(facts.flatMap((fact) => fact.list))].sort();
}
