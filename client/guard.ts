import { type AxiosLike, watchAxios } from './guard/axios.ts';
import type { Challenge, HookedClient, Requirement } from './guard/challenge.ts';
import { judgePayment } from './guard/judge.ts';
import { memory, ofUrl, type Paid } from './guard/memory.ts';
import { KEPT } from './guard/newest.ts';
import { opinions, type SignedVerdict } from './guard/opinion.ts';
import { type GuardPolicy, objection, type Reason, settled } from './guard/policy.ts';
import { watching } from './guard/watch.ts';

export type { Adviser, Opinion } from './guard/adviser.ts';
export { DOLLARS } from './guard/dollars.ts';
export type { SignedVerdict } from './guard/opinion.ts';
export type { GuardPolicy, Reason } from './guard/policy.ts';

/** A payment that was not signed. */
export interface Refusal {
  /** Stands in the error that the stock client throws. */
  readonly id: string;
  readonly reason: Reason;
  readonly says: string;
  readonly at: Date;
  readonly url: string | null;
  readonly requirement: Requirement;
  /** The signed verdict on the payee, with the document that proves it, where one decided. */
  readonly verdict: SignedVerdict | null;
}

/** Stands between a stock x402 client and its signature. */
export interface Guard {
  /** Hooks the client, of `@x402/fetch`, `@x402/axios` or `@x402/core`. @returns the same client */
  attach<C extends HookedClient>(client: C): C;
  /** The `fetch` to hand to `wrapFetchWithPayment`: the guard then knows who was asked and who answered. */
  fetch: typeof fetch;
  /** Watches an axios instance; call it before `wrapAxiosWithPayment`. @returns the same instance */
  axios<A extends AxiosLike>(instance: A): A;
  /** Every payment that was refused, the latest last; the last 1,000. */
  readonly refusals: readonly Refusal[];
  /** The refusal behind an error that a stock client threw. */
  refusalOf(error: unknown): Refusal | null;
  /** Lets a URL cost more and pay another than before, and has a payee judged anew there, after somebody has looked. */
  forget(url: string): void;
}

/**
 * Judges every payment that a stock client is about to sign, by a policy and, where `opinion` is given, by a paid
 * determination on the payee. What cannot be judged is not signed.
 * @example const guarded = guard({ maxUsd: 0.1 });
 *   const pay = wrapFetchWithPayment(guarded.fetch, guarded.attach(client));
 * @throws TypeError for a policy that would not hold what it says, such as a pin for what is no host
 */
export function guard(given: GuardPolicy = {}): Guard {
  const policy = settled(given);
  const now = policy.now ?? Date.now;
  const [paid, watch, about] = [memory(now), watching(now), opinions(policy, now)];
  const refusals: Refusal[] = [];

  function refuse(of: Omit<Refusal, 'id' | 'at'>): { abort: true; reason: string } {
    const refusal: Refusal = { ...of, id: crypto.randomUUID(), at: new Date(now()) };
    refusals.push(refusal);
    if (refusals.length > KEPT) refusals.shift();
    return { abort: true, reason: `${refusal.reason}: ${refusal.says} [${refusal.id}]` };
  }

  async function judge(challenge: Challenge, chosen: Requirement) {
    const sightings = watch.sightingsOf(challenge);
    const refused = { url: challenge.resource?.url ?? null, requirement: chosen, verdict: null };
    if (watch.active() && sightings.length === 0) {
      const says = 'no answer that was seen brought this challenge';
      return refuse({ ...refused, ...objection('challenge-unseen', says) });
    }
    // Requests at the same time may bring the same challenge. The payment must be right for each of them.
    const cases = sightings.length === 0 ? [null] : sightings;
    const judged = cases.map((sighting) =>
      judgePayment({ challenge, chosen, sighting, policy, memory: paid, at: now() }),
    );
    const wrong = judged.find((j) => 'reason' in j);
    if (wrong !== undefined && 'reason' in wrong) {
      watch.refused(challenge);
      return refuse({ ...refused, ...wrong });
    }
    const payments = judged.filter((j): j is Paid => !('reason' in j));
    const payment = payments.at(-1);
    if (payment === undefined) return undefined;
    // Booked before anybody is asked: payments at the same time must not share what is left. And for one request alone:
    // a dozen at the same time would each count as a dozen.
    paid.book(payment);
    const places = payments.flatMap((p) => p.places);
    const against = await about.on({ ...payment, places }, chosen.network);
    if (against !== null) {
      paid.release(payment);
      return refuse({ ...refused, ...against });
    }
    // It may be for any of them.
    for (const each of payments) paid.keep(each);
    return undefined;
  }

  return {
    refusals,
    attach(client) {
      client.onBeforePaymentCreation(({ paymentRequired, selectedRequirements }) =>
        judge(paymentRequired, selectedRequirements),
      );
      return client;
    },
    get fetch() {
      return watch.wrapFetch((input, init) => fetch(input, init));
    },
    axios: (instance) => watchAxios(instance, watch),
    refusalOf(error) {
      const text = textOf(error);
      return refusals.find(({ id }) => text.includes(id)) ?? null;
    },
    forget(url) {
      for (const past of [paid, watch, about]) past.forget(ofUrl(url));
    },
  };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${textOf(error.cause)}`;
}
