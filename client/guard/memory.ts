import { sameAddress } from '../../agents/ids.ts';
import { dropOldest, setNewest } from './newest.ts';

/** A payment that was let through. */
export interface Paid {
  readonly at: number;
  readonly host: string;
  readonly hostname: string;
  /** Method and URL, of where was asked and of who answered. */
  readonly places: readonly string[];
  /** The same without queries. */
  readonly paths: readonly string[];
  readonly payTo: string;
  /** Micro-dollars. */
  readonly price: bigint;
}

/** What was paid, and whom: all of the last day, and the newest of before. It is all that a guard knows of the past. */
export interface Memory {
  since(ms: number): readonly Paid[];
  /** Everybody who was ever paid here. */
  payees(): readonly string[];
  /** The names of everybody who was ever paid here. */
  hostnames(): readonly string[];
  /** Whom this path was last paid to; null before the first time. */
  payeeOf(path: string): string | null;
  /** What this URL last cost. */
  priceOf(place: string): bigint | null;
  /** Counts a payment, before it is signed. */
  book(paid: Paid): void;
  /** Takes back what was booked and will not be signed. */
  release(paid: Paid): void;
  /** Remembers whom a payment that is signed pays, and what it costs. */
  keep(paid: Paid): void;
  /** Forgets what a URL cost and whom it paid, so that it may cost more and pay another. */
  forget(isOfUrl: (place: string) => boolean): void;
}

const DAY_MS = 86_400_000;

export function memory(now: () => number): Memory {
  /** `told` is without its places once they are forgotten; who booked it knows it by `paid`. */
  let recent: { readonly paid: Paid; readonly told: Paid }[] = [];
  const payees = new Set<string>();
  const hostnames = new Set<string>();
  // Apart: a URL without a query reads like the path of all its queries, which cost what they like.
  const byPath = new Map<string, Paid>();
  const byPlace = new Map<string, Paid>();
  return {
    since: (ms) => recent.map(({ told }) => told).filter(({ at }) => now() - at < ms),
    payees: () => [...payees],
    hostnames: () => [...hostnames],
    payeeOf: (path) => byPath.get(path)?.payTo ?? null,
    priceOf: (place) => byPlace.get(place)?.price ?? null,
    book(paid) {
      recent = [...recent.filter(({ told }) => now() - told.at < DAY_MS), { paid, told: paid }];
    },
    release(paid) {
      recent = recent.filter((booked) => booked.paid !== paid);
    },
    keep(paid) {
      if (![...payees].some((p) => sameAddress(p, paid.payTo))) payees.add(paid.payTo);
      hostnames.add(paid.hostname);
      for (const path of paid.paths) setNewest(byPath, path, paid);
      for (const place of paid.places) setNewest(byPlace, place, paid);
      // Of the last day nothing goes: a seller with many URLs could have one forgotten, to ask more there.
      for (const terms of [byPath, byPlace]) dropOldest(terms, ({ at }) => now() - at >= DAY_MS);
    },
    forget(isOfUrl) {
      const isOf = ({ places }: Paid): boolean => places.some(isOfUrl);
      for (const terms of [byPath, byPlace])
        for (const [key, paid] of terms) if (isOfUrl(key) || isOf(paid)) terms.delete(key);
      recent = recent.map(({ paid, told }) => ({ paid, told: isOf(told) ? { ...told, places: [] } : told }));
    },
  };
}

/** Whether a place, with or without its query, is of a URL, whatever the method. */
export function ofUrl(url: string): (place: string) => boolean {
  const { origin, pathname, search } = new URL(url);
  const path = `${origin}${pathname}`;
  return (place) => place.endsWith(` ${path}${search}`) || place.endsWith(` ${path}`);
}
