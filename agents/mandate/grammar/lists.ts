/** What a list may contain. */
export type ListKind = 'goods' | 'chains' | 'parties';

/** An item of a list, with the rest of the list. */
export interface Item {
  readonly value: string;
  /** The place after the last item of the list. */
  readonly end: number;
  readonly rest: Item | null;
  /** For goods and chains: all values from here on, without duplicates, sorted. There are few of them. */
  readonly values: readonly string[] | null;
}

/** All values of a list, without duplicates, sorted. Takes one step for each item when they are not stored. */
export function valuesOf(list: Item): readonly string[] {
  if (list.values !== null) return list.values;
  const found = new Set<string>();
  for (let item: Item | null = list; item !== null; item = item.rest) found.add(item.value);
  return [...found].sort();
}

/** Puts an item before a list. */
export function itemBefore(value: string, end: number, rest: Item | null, kind: ListKind): Item {
  const known = rest?.values ?? [];
  const values = known.includes(value) ? known : [...known, value].sort();
  return { value, end: rest?.end ?? end, rest, values: kind === 'parties' ? null : values };
}
