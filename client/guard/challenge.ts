/** What a payment would be signed for, in x402 version 2. */
export interface Requirement {
  readonly scheme: string;
  readonly network: string;
  /** Atomic units, decimal. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra?: Readonly<Record<string, unknown>> | null;
}

/** The challenge of a 402, as stock clients hand it to their hooks. */
export interface Challenge {
  readonly x402Version: number;
  readonly resource?: { readonly url?: string };
  readonly accepts: readonly Requirement[];
}

/** The part of the stock `x402Client` that a guard needs. */
export interface HookedClient {
  onBeforePaymentCreation(
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's own context, of whichever release is installed
    hook: (context: any) => Promise<undefined | { abort: true; reason: string }>,
  ): unknown;
}
