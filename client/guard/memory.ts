import { sameAddress } from '../../agents/ids.ts';

/** A payment that was let through. */
export interface Paid {
  readonly at: number;
  readonly host: string;
  readonly hostname: string;
  /** Method and URL without its query. */
  readonly path: string;
  /** Method and URL. */
  readonly place: string;
  readonly payTo: string;
  /** Micro-dollars. */
  readonly price: bigint;
}

/** What was paid in the last day, and whom. It is all that a guard knows of the past. */
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
  forget(url: string): void;
}

const DAY_MS = 86_400_000;

export function memory(now: () => number): Memory {
  let recent: Paid[] = [];
  const payees = new Set<string>();
  const hostnames = new Set<string>();
  const terms = new Map<string, { payTo: string; price: bigint }>();
  return {
    since: (ms) => recent.filter(({ at }) => now() - at < ms),
    payees: () => [...payees],
    hostnames: () => [...hostnames],
    payeeOf: (path) => terms.get(path)?.payTo ?? null,
    priceOf: (place) => terms.get(place)?.price ?? null,
    book(paid) {
      recent = [...recent.filter(({ at }) => now() - at < DAY_MS), paid];
    },
    release(paid) {
      recent = recent.filter((p) => p !== paid);
    },
    keep(paid) {
      if (![...payees].some((p) => sameAddress(p, paid.payTo))) payees.add(paid.payTo);
      hostnames.add(paid.hostname);
      for (const key of [paid.path, paid.place]) terms.set(key, { payTo: paid.payTo, price: paid.price });
    },
    forget(url) {
      const { href, origin, pathname } = new URL(url);
      const gone = [href, `${origin}${pathname}`];
      for (const key of terms.keys()) if (gone.some((g) => key.endsWith(` ${g}`))) terms.delete(key);
      recent = recent.map((p) => (gone.some((g) => p.place.endsWith(` ${g}`)) ? { ...p, place: '' } : p));
    },
  };
}
