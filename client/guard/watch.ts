import { canonicalJson } from '../../agents/canonical.ts';
import type { Challenge } from './challenge.ts';

/** What was seen of the request that brought a challenge. */
export interface Sighting {
  readonly method: string;
  /** Where the program asked. */
  readonly asked: URL;
  /** Who answered: another than `asked` after a redirect. */
  readonly answered: URL;
  /** The challenge that stands in the body, where it is another than the header's. */
  readonly bodyDiffers: boolean;
  /** When a payment that was sent for the same was last answered by a challenge, as this may be one; null for never. */
  readonly unservedAt: number | null;
  readonly at: number;
}

/** An answer that asks for a payment. */
export interface Asking extends Pick<Sighting, 'method' | 'asked' | 'answered'> {
  /** A payment had been sent with the request. */
  readonly paid: boolean;
}

/** Remembers which answers brought which challenges. */
export interface Watch {
  /** Whether any client is watched: then a challenge that no answer brought was made up on the way. */
  readonly active: () => boolean;
  see(header: string, body: unknown, asking: Asking): void;
  /** Every recent answer with exactly this challenge: requests at the same time may bring the same one. */
  sightingsOf(challenge: Challenge): readonly Sighting[];
  wrapFetch(inner: typeof fetch): typeof fetch;
  activate(): void;
}

/** By what a purchase is remembered: method and URL. */
export const purchaseKey = (method: string, { href }: URL): string => `${method} ${href}`;

const KEPT_MS = 120_000;
const PAYMENT_HEADERS = ['payment-signature', 'x-payment'];

export function hasPayment(names: Iterable<string>): boolean {
  return [...names].some((name) => PAYMENT_HEADERS.includes(name.toLowerCase()));
}

export function watching(now: () => number): Watch {
  const seen = new Map<string, Sighting[]>();
  // By what was asked for: who is paid and asks again may word the challenge anew each time.
  const unserved = new Map<string, number>();
  let active = false;
  const forgetOld = (): void => {
    for (const [key, sightings] of seen) {
      const recent = sightings.filter(({ at }) => now() - at < KEPT_MS);
      if (recent.length === 0) seen.delete(key);
      else seen.set(key, recent);
    }
    for (const [place, at] of unserved) if (now() - at >= KEPT_MS) unserved.delete(place);
  };

  const watch: Watch = {
    active: () => active,
    activate() {
      active = true;
    },
    see(header, body, { method, asked, answered, paid }) {
      forgetOld();
      const place = purchaseKey(method, answered);
      if (paid) unserved.set(place, now());
      const told = decoded(header);
      if (told === null) return;
      const key = canonicalJson(told);
      const of = { method, asked, answered, unservedAt: unserved.get(place) ?? null };
      const whole: Sighting = { ...of, at: now(), bodyDiffers: differs(told, body) };
      seen.set(key, [...(seen.get(key) ?? []), whole]);
    },
    sightingsOf(challenge) {
      forgetOld();
      return seen.get(canonicalJson(challenge)) ?? [];
    },
    wrapFetch(inner) {
      active = true;
      return async (input, init) => {
        const request = new Request(input, init);
        const paid = hasPayment(request.headers.keys());
        const asked = new URL(request.url);
        const { method } = request;
        const response = paid ? await askWithPayment(inner, request) : await inner(request);
        const header = response.headers.get('payment-required');
        if (response.status === 402 && header !== null) {
          const body = jsonOf(await response.clone().text());
          watch.see(header, body, { method, asked, answered: urlOr(response.url, asked), paid });
        }
        return response;
      };
    },
  };
  return watch;
}

const MOST_REDIRECTS = 5;

/** A payment goes to the host that it was judged for, and to nobody whom that host names. */
async function askWithPayment(inner: typeof fetch, request: Request): Promise<Response> {
  const asked = new URL(request.url);
  let next = new Request(request, { redirect: 'manual' });
  for (let i = 0; i <= MOST_REDIRECTS; i++) {
    const spare = next.clone();
    const response = await inner(next);
    if (!isRedirect(response)) return response;
    const location = response.headers.get('location');
    const to = location === null ? null : new URL(location, next.url);
    if (to === null || !isSameHost(asked, to)) break;
    next = new Request(to, spare);
  }
  throw new TypeError(`${asked} sends a payment elsewhere: not followed`);
}

/** The same host and port, and no less encrypted. */
export function isSameHost(asked: URL, to: URL): boolean {
  return asked.host === to.host && (asked.protocol !== 'https:' || to.protocol === 'https:');
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function urlOr(text: string, other: URL): URL {
  return text === '' ? other : new URL(text);
}

function decoded(header: string): Challenge | null {
  try {
    const bytes = Uint8Array.from(atob(header), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as Challenge;
  } catch {
    return null;
  }
}

/** Whether the body asks for another payment than the header: one program would read this, another that. */
function differs(challenge: Challenge, body: unknown): boolean {
  const other = (typeof body === 'string' ? jsonOf(body) : body) as Partial<Challenge> | null | undefined;
  if (typeof other !== 'object' || other === null || !Array.isArray(other.accepts)) return false;
  return canonicalJson(other.accepts) !== canonicalJson(challenge.accepts);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
