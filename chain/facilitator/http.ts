import { HTTPFacilitatorClient } from '@x402/core/server';
import { type Network, type SupportedResponse, VerifyError } from '@x402/core/types';
import { type Facilitator, FacilitatorDown } from './facilitator.ts';

interface HttpFacilitatorOptions {
  readonly url: string;
  /** CAIP-2: what it is taken to settle while it cannot be asked. */
  readonly networks: readonly string[];
  /** Milliseconds for one request; 20,000 when left out, below the time a handler has. */
  readonly timeoutMs?: number;
}

/** How long the start waits to be told what is supported. */
const SUPPORTED_MS = 3_000;

/**
 * A facilitator behind a URL. One that is down at start does not fail the start: what it supports is then taken from
 * `networks`, and every payment is answered by FacilitatorDown until it is back.
 */
export function httpFacilitator(options: HttpFacilitatorOptions): Facilitator {
  const client = new HTTPFacilitatorClient({ url: options.url, timeoutMs: options.timeoutMs ?? 20_000 });
  const quick = new HTTPFacilitatorClient({ url: options.url, timeoutMs: SUPPORTED_MS });
  const assumed: SupportedResponse = {
    kinds: options.networks.map((network) => ({
      x402Version: 2,
      scheme: 'exact',
      network: network as Network,
    })),
    extensions: [],
    signers: {},
  };
  return {
    async verify(payload, requirements) {
      try {
        return await client.verify(payload, requirements);
      } catch (cause) {
        // A refusal may come as an HTTP error that carries it.
        if (cause instanceof VerifyError && cause.statusCode < 500) {
          return { isValid: false, invalidReason: cause.invalidReason, payer: cause.payer };
        }
        throw new FacilitatorDown('the facilitator does not answer', { cause });
      }
    },
    settle: (payload, requirements) => client.settle(payload, requirements),
    async getSupported() {
      try {
        return await quick.getSupported();
      } catch {
        return assumed;
      }
    },
    async check() {
      const { kinds } = await quick.getSupported();
      return { kind: 'http', networks: [...new Set(kinds.map((kind) => kind.network))] };
    },
  };
}
