import { canonicalJson, jsonOf } from '../../agents/canonical.ts';
import { tellingBreaks } from './body.ts';
import type { Challenge } from './challenge.ts';

/** A request, as far as it says what is bought. */
export interface Visit {
  readonly method: string;
  /** Where the program asked. */
  readonly asked: URL;
  /** Who answered: another than `asked` after a redirect. */
  readonly answered: URL;
}

/** What was seen of the request that brought a challenge. */
export interface Sighting extends Visit {
  /** The challenge that stands in the body, where it is another than the header's. */
  readonly bodyDiffers: boolean;
  /** A payment could not follow to who answered: the platform hides where redirects lead. */
  readonly isHidden: boolean;
  /** The payment that its request was sent with since; null for none yet. */
  readonly paidBy: string | null;
  /** When a payment that was sent for the same was last answered by nothing of worth; null for never. */
  readonly unservedAt: number | null;
  readonly at: number;
}

interface Seen extends Omit<Sighting, 'unservedAt' | 'paidBy'> {
  paidBy: string | null;
}

/** Remembers which answers brought which challenges, and what became of payments. */
export interface Watch {
  /** Whether any client is watched: then a challenge that no answer brought was made up on the way. */
  readonly active: () => boolean;
  see(header: string, body: unknown, visit: Visit & Partial<Pick<Sighting, 'isHidden' | 'paidBy'>>): void;
  /** Notes whether a payment that was sent brought what it was for. The same one may be sent until it does. */
  paidFor(visit: Visit, payment: string, isServed: boolean): void;
  /**
   * Every recent answer with exactly this challenge: requests at the same time may bring the same one. Those whose payment
   * was sent are of another purchase, where there are others.
   */
  sightingsOf(challenge: Challenge): readonly Sighting[];
  /** What was seen of a refused challenge counts until it is seen anew: who asks elsewhere then is judged by that alone. */
  refused(challenge: Challenge): void;
  /** Lets go of payments that brought nothing at a URL, and of what was seen there once it is asked again. */
  forget(isOfUrl: (place: string) => boolean): void;
  wrapFetch(inner: typeof fetch): typeof fetch;
  activate(): void;
}

/** By what a purchase is remembered: method and URL, asked and answered, since who is asked may lead elsewhere each time. */
export const placesOf = ({ method, asked, answered }: Visit): readonly string[] =>
  [...new Set([asked.href, answered.href])].map((href) => `${method} ${href}`);

/** The same without queries. */
export const pathsOf = ({ method, asked, answered }: Visit): readonly string[] => [
  ...new Set([asked, answered].map(({ origin, pathname }) => `${method} ${origin}${pathname}`)),
];

const KEPT_MS = 120_000;
const PAYMENT_HEADERS = ['payment-signature', 'x-payment'];

/** @returns the payment that goes with these headers, as it is sent; null for none */
export function paymentIn(headers: Iterable<readonly [string, unknown]>): string | null {
  const found = [...headers].find(([name]) => PAYMENT_HEADERS.includes(name.toLowerCase()));
  return found === undefined ? null : String(found[1]);
}

/** What a page asks for is of the page's own site where it names none. A fragment is sent to nobody. */
export function askedAt(text: string): URL {
  const url = new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href);
  url.hash = '';
  return url;
}

export function watching(now: () => number): Watch {
  const seen = new Map<string, Seen[]>();
  /** Whose sightings the next one replaces. */
  const outdated = new Set<string>();
  // By what was asked for: who is paid and asks again may word the challenge anew each time.
  const unserved = new Map<string, { readonly payment: string; readonly at: number }>();
  let active = false;
  const forgetOld = (): void => {
    for (const [key, sightings] of seen) {
      const recent = sightings.filter(({ at }) => now() - at < KEPT_MS);
      if (recent.length > 0) seen.set(key, recent);
      else for (const kept of [seen, outdated]) kept.delete(key);
    }
    for (const [place, { at }] of unserved) if (now() - at >= KEPT_MS) unserved.delete(place);
  };

  /** The oldest that fits: one payment is of one request, however often it is sent. */
  const markPaid = ({ method, asked }: Visit, payment: string): void => {
    const all = [...seen.values()].flat();
    if (all.some(({ paidBy }) => paidBy === payment)) return;
    const paid = all.find((s) => s.paidBy === null && s.method === method && s.asked.href === asked.href);
    if (paid !== undefined) paid.paidBy = payment;
  };

  const watch: Watch = {
    active: () => active,
    activate() {
      active = true;
    },
    see(header, body, { isHidden = false, paidBy = null, ...visit }) {
      forgetOld();
      const told = decoded(header);
      if (told === null) return;
      const key = canonicalJson(told);
      const whole = { ...visit, isHidden, paidBy, at: now(), bodyDiffers: differs(told, body) };
      seen.set(key, [...(outdated.delete(key) ? [] : (seen.get(key) ?? [])), whole]);
    },
    paidFor(visit, payment, isServed) {
      forgetOld();
      markPaid(visit, payment);
      for (const place of placesOf(visit)) {
        if (!isServed) unserved.set(place, { payment, at: now() });
        else if (unserved.get(place)?.payment === payment) unserved.delete(place);
      }
    },
    sightingsOf(challenge) {
      forgetOld();
      const all = seen.get(canonicalJson(challenge)) ?? [];
      const open = all.filter(({ paidBy }) => paidBy === null);
      return (open.length === 0 ? all : open).map((sighting) => {
        const times = placesOf(sighting).flatMap((place) => unserved.get(place)?.at ?? []);
        return { ...sighting, unservedAt: times.length === 0 ? null : Math.max(...times) };
      });
    },
    refused(challenge) {
      const key = canonicalJson(challenge);
      if (seen.has(key)) outdated.add(key);
    },
    forget(isOfUrl) {
      for (const [key, sightings] of seen)
        if (sightings.some((sighting) => placesOf(sighting).some(isOfUrl))) outdated.add(key);
      const paid = [...unserved].filter(([place]) => isOfUrl(place)).map(([, { payment }]) => payment);
      for (const [place, { payment }] of unserved) if (paid.includes(payment)) unserved.delete(place);
    },
    wrapFetch(inner) {
      active = true;
      return async (input, init) => {
        const request = new Request(input, init);
        const payment = paymentIn(request.headers.entries());
        const asked = askedAt(request.url);
        const { method } = request;
        let response: Response;
        try {
          response = await (payment === null ? inner(request) : askWithPayment(inner, request));
        } catch (error) {
          // The payment may have been taken before the connection broke.
          if (payment !== null) watch.paidFor({ method, asked, answered: asked }, payment, false);
          throw error;
        }
        const visit = { method, asked, answered: urlOr(response.url, asked) };
        const isServed = response.status < 400;
        if (payment !== null) watch.paidFor(visit, payment, isServed);
        const header = response.headers.get('payment-required');
        if (response.status === 402 && header !== null) {
          const isHidden = response.redirected && hidesRedirects();
          watch.see(header, jsonOf(await response.clone().text()), { ...visit, isHidden, paidBy: payment });
        }
        if (payment === null || !isServed) return response;
        return tellingBreaks(response, () => watch.paidFor(visit, payment, false));
      };
    },
  };
  return watch;
}

const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** A payment goes to the host that it was judged for, and to nobody whom that host names. */
async function askWithPayment(inner: typeof fetch, request: Request): Promise<Response> {
  const asked = new URL(request.url);
  let next = new Request(request, { redirect: 'manual' });
  for (let i = 0; i <= MOST_REDIRECTS; i++) {
    const spare = next.clone();
    const response = await inner(next);
    const { status, headers } = response;
    if (response.type !== 'opaqueredirect' && !REDIRECTS.includes(status)) return response;
    const location = headers.get('location');
    const to = location === null ? null : new URL(location, next.url);
    if (to === null || !isSameHost(asked, to)) break;
    next = redirected(to, status, spare);
  }
  throw new TypeError(`${asked} sends a payment elsewhere: not followed`);
}

/** The same host and port, and no less encrypted. */
export function isSameHost(asked: URL, to: URL): boolean {
  return asked.host === to.host && (asked.protocol !== 'https:' || to.protocol === 'https:');
}

/** As the platform would ask: what was written is not written again where only the result lies. */
function redirected(to: URL, status: number, request: Request): Request {
  const { method, redirect, signal, credentials } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead || status > 303 || (status < 303 && method !== 'POST')) return new Request(to, request);
  const headers = new Headers(request.headers);
  for (const name of [...headers.keys()]) if (name.startsWith('content-')) headers.delete(name);
  return new Request(to, { headers, redirect, signal, credentials });
}

/** Browsers, their workers and extensions show nothing of a redirect that they do not follow by themselves. */
function hidesRedirects(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis;
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
