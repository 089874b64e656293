import type { Hex } from '../../canonical.ts';
import { CATEGORIES, categoryBit } from '../../categories.ts';
import { AppError } from '../../errors.ts';
import { type Address, isEvmAddress, lowerAddress } from '../../ids.ts';
import { type Micro, minMicro, parseUsd, toUsd } from '../../money.ts';
import { mandateHash } from './hash.ts';
import type { Mandate } from './schema.ts';

/** The largest cap that the policy keeps (80 bits): the per-deal field of a mandate that only sells and names none. */
export const NO_CAP_PER_DEAL = (1n << 80n) - 1n;

/** Caps of one token in micro-dollars; 0 means there is no such cap, and in `minPrice` no floor. */
export interface MandateCaps {
  readonly perDeal: Micro;
  readonly dayCap: Micro;
  readonly weekCap: Micro;
  readonly monthCap: Micro;
  readonly totalCap: Micro;
  readonly minPrice: Micro;
}

/** What the spend policy of the chain enforces. Times are unix seconds, 0 for "at once". */
export interface MandateTerms {
  readonly mandateHash: Hex;
  readonly validAfter: number;
  readonly expiry: number;
  /** Bit 0 buy, bit 1 sell. */
  readonly sides: number;
  readonly allowlistOnly: boolean;
  /** Bitmap of `categoryBit`; 0 means any category. */
  readonly categories: bigint;
  readonly caps: MandateCaps;
  readonly allow: readonly Address[];
  readonly deny: readonly Address[];
  /** Clauses the chain cannot see: mandate compliance holds the agent to them before it signs. */
  readonly offChain: readonly (keyof Mandate)[];
}

const OFF_CHAIN = [
  'max_deals_total',
  'max_deals_per_day',
  'max_pct_of_market',
  'max_pct_of_face',
  'require_clean',
  'chains_allow',
  'chains_deny',
  'approval_above',
  'on_inconclusive',
] as const satisfies readonly (keyof Mandate)[];

/**
 * Turns a structured mandate into the terms of the chain's policy, as plain data.
 *
 * Without a cap per deal the smallest other cap stands in for it, since no single deal may exceed that one. A
 * mandate that only sells and names no cap gets `NO_CAP_PER_DEAL`: its sides keep it from spending at all.
 * Names (ENS) and Solana addresses cannot be matched by the policy: such a clause is listed in `offChain`, and
 * when an allow list holds no EVM address the chain is given no allow list rather than an empty one.
 * @throws AppError mandate-refused when no category is left
 */
export function mandateTerms(mandate: Mandate): MandateTerms {
  const allow = addresses(mandate.counterparties_allow);
  const deny = addresses(mandate.counterparties_deny);
  const named = (['counterparties_allow', 'counterparties_deny'] as const).filter((field) =>
    mandate[field]?.some((party) => !isEvmAddress(party)),
  );
  // A list that is only half addresses must not become the chain's allow list: it would lock the named ones out.
  const allowlistOnly = allow.length > 0 && allow.length === mandate.counterparties_allow?.length;
  return {
    mandateHash: mandateHash(mandate),
    validAfter: mandate.not_before === undefined ? 0 : seconds(mandate.not_before),
    expiry: seconds(mandate.expires_at),
    sides: { buy: 1, sell: 2, both: 3 }[mandate.side],
    allowlistOnly,
    categories: categoryBitmap(mandate),
    caps: mandateCaps(mandate),
    allow: allowlistOnly ? allow : [],
    deny,
    offChain: [...OFF_CHAIN.filter((field) => mandate[field] !== undefined), ...named],
  };
}

/** A limit in dollars as people are shown it: null for the two words that mean "no limit", which are no money. */
export function limitUsd(limit: Micro): number | null {
  return limit >= NO_CAP_PER_DEAL ? null : toUsd(limit);
}

/** The caps of a mandate in micro-dollars, 0 where it has none. @throws AppError bad-request for an amount out of range */
export function mandateCaps(mandate: Mandate): MandateCaps {
  const day = amount(mandate, 'cap_per_day');
  const week = amount(mandate, 'cap_per_week');
  const month = amount(mandate, 'cap_per_month');
  const total = amount(mandate, 'cap_total');
  const wider = [day, week, month, total].filter((cap) => cap > 0n);
  const perDeal =
    amount(mandate, 'cap_per_deal') || (wider.length > 0 ? wider.reduce(minMicro) : NO_CAP_PER_DEAL);
  return {
    perDeal,
    dayCap: day,
    weekCap: week,
    monthCap: month,
    totalCap: total,
    minPrice: amount(mandate, 'min_price'),
  };
}

function amount(mandate: Mandate, field: (`cap_${string}` & keyof Mandate) | 'min_price'): Micro {
  const text = mandate[field];
  return text === undefined ? 0n : parseUsd(text as string, field);
}

function categoryBitmap(mandate: Mandate): bigint {
  const denied = new Set(mandate.categories_deny ?? []);
  if (mandate.categories_allow === undefined && denied.size === 0) return 0n;
  const left = (mandate.categories_allow ?? CATEGORIES).filter((category) => !denied.has(category));
  // An empty bitmap means "any" to the policy: a mandate that forbids everything must never become one.
  if (left.length === 0)
    throw new AppError('mandate-refused', 'The mandate denies every category that it allows.');
  return left.reduce((bits, category) => bits | categoryBit(category), 0n);
}

function addresses(parties: readonly string[] = []): Address[] {
  return parties.filter(isEvmAddress).map(lowerAddress);
}

function seconds(instant: string): number {
  return Date.parse(instant) / 1000;
}
