import { isServiceCode } from './errors.ts';

/** An answer to a payment, as far as it says who gave it. */
export interface PaymentAnswer {
  readonly status: number;
  /** The JSON of the body; null where it has none. */
  readonly body: unknown;
  /** The header `payment-required`. */
  readonly challenge?: string | null | undefined;
}

/** Signed payments whose outcome their payer does not know. */
export interface HeldPayments<Payment> {
  /** @param now milliseconds; @returns the payment that a repeated call is sent with; null where a new one may be signed */
  of(call: string, now: number): Payment | null;
  /** @param until milliseconds: when the payment can be taken no more, and what it bought is no longer new */
  hold(call: string, payment: Payment, until: number): void;
  /**
   * Lets the payment go, unless the answer leaves open whether it was taken. One that is held in its place since stays: calls
   * of the same at the same time are told one after the other that the first was refused.
   */
  answered(call: string, payment: Payment, answer: PaymentAnswer): void;
  /** Lets a payment go that was not sent. */
  letGo(call: string, payment: Payment): void;
}

export interface Held<Payment> {
  readonly payment: Payment;
  readonly until: number;
}

/**
 * Keeps a payment until an answer tells what became of it. An answer can be lost after the payment was taken: whoever makes
 * the same call again with a new payment pays twice, and with the same one gets the answer that was paid for.
 * @param held by call; for who keeps them longer than a process lives
 */
export function heldPayments<Payment>(held = new Map<string, Held<Payment>>()): HeldPayments<Payment> {
  const letGo = (call: string, payment: Payment): void => {
    if (held.get(call)?.payment === payment) held.delete(call);
  };
  return {
    of(call, now) {
      for (const [key, { until }] of held) if (until <= now) held.delete(key);
      return held.get(call)?.payment ?? null;
    },
    hold: (call, payment, until) => void held.set(call, { payment, until }),
    answered(call, payment, answer) {
      if (endsPayment(answer)) letGo(call, payment);
    },
    letGo,
  };
}

/**
 * Whether an answer tells what became of a payment. What stands between a payer and the service may answer for it, such as
 * a proxy, an edge or the portal of a hotel, and does not know that.
 */
function endsPayment({ status, body, challenge }: PaymentAnswer): boolean {
  if (status === 402 && typeof challenge === 'string') return true;
  if (status >= 500 || status === 429 || typeof body !== 'object' || body === null) return false;
  if (status >= 200 && status < 300) return true;
  const { accepts, code } = body as { readonly accepts?: unknown; readonly code?: unknown };
  return isServiceCode(code) || (status === 402 && Array.isArray(accepts));
}

/** For how many seconds after it was signed a payment (x402) can be taken, at most. */
export function payableSeconds(payment: object): number {
  const { accepted } = payment as { readonly accepted?: { readonly maxTimeoutSeconds?: number } };
  return accepted?.maxTimeoutSeconds ?? 0;
}

/** The same before it is signed, whichever of these is accepted; zero where none says it. */
export function offeredSeconds({ accepts }: { readonly accepts: readonly unknown[] }): number {
  const seconds = accepts.map(
    (offer) => (offer as { maxTimeoutSeconds?: unknown } | null)?.maxTimeoutSeconds,
  );
  return Math.max(0, ...seconds.filter((s) => typeof s === 'number' && Number.isFinite(s)).map(Number));
}
