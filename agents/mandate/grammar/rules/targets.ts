import type { Category } from '../../../categories.ts';
import type { Cursor } from '../cursor.ts';
import type { Fact, Side } from '../facts.ts';
import { type Item, valuesOf } from '../lists.ts';
import { categoryList, chainList, partyList } from './list-phrases.ts';

/** A list of names of one kind, which a clause allows or denies. */
export type Target =
  | { readonly kind: 'goods'; readonly list: readonly Category[] }
  | { readonly kind: 'chains'; readonly list: readonly string[] }
  | { readonly kind: 'parties'; readonly list: Item };

/** The kind of the atoms that name each. */
export const NAME_KINDS: Readonly<Record<Target['kind'], string>> = {
  goods: 'CATEGORY',
  chains: 'CHAIN',
  parties: 'PARTY',
};

export function target(c: Cursor): Target | null {
  const goods = categoryList(c);
  if (goods !== null) return { kind: 'goods', list: goods };
  const chains = chainList(c);
  if (chains !== null) return { kind: 'chains', list: chains };
  const parties = partyList(c);
  return parties === null ? null : { kind: 'parties', list: parties };
}

export function sizeOf(found: Target): number {
  return found.kind === 'parties' ? valuesOf(found.list).length : found.list.length;
}

export function factOf(found: Target, deny: boolean, only: boolean, side: Side | null): Fact {
  if (found.kind === 'goods') return { fact: 'goods', deny, list: found.list, side, only };
  if (found.kind === 'chains') return { fact: 'chains', deny, list: found.list, only };
  return { fact: 'parties', deny, list: valuesOf(found.list), only };
}
