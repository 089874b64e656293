/** Signed payments whose outcome their payer does not know. */
export interface HeldPayments<Payment> {
  /** @param now milliseconds; @returns the payment that a repeated call is sent with; null where a new one may be signed */
  of(call: string, now: number): Payment | null;
  /** @param until milliseconds: when the payment can be taken no more, and what it bought is no longer new */
  hold(call: string, payment: Payment, until: number): void;
  /**
   * Lets the payment go, unless the status leaves open whether it was taken. One that is held in its place since stays: calls
   * of the same at the same time are told one after the other that the first was refused.
   */
  answered(call: string, payment: Payment, status: number): void;
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
  return {
    of(call, now) {
      for (const [key, { until }] of held) if (until <= now) held.delete(key);
      return held.get(call)?.payment ?? null;
    },
    hold: (call, payment, until) => void held.set(call, { payment, until }),
    answered(call, payment, status) {
      if (status < 500 && status !== 429 && held.get(call)?.payment === payment) held.delete(call);
    },
  };
}

/** For how many seconds after it was signed a payment (x402) can be taken, at most. */
export function payableSeconds(payment: object): number {
  const { accepted } = payment as { readonly accepted?: { readonly maxTimeoutSeconds?: number } };
  return accepted?.maxTimeoutSeconds ?? 0;
}
