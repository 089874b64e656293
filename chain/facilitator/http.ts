import { HTTPFacilitatorClient } from '@x402/core/server';
import {
  type Network,
  type PaymentPayload,
  type PaymentRequirements,
  SettleError,
  type SettleResponse,
  type SupportedResponse,
} from '@x402/core/types';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Posted, postJson } from '../rpc/post.ts';
import { type Facilitator, FacilitatorDown } from './facilitator.ts';

interface HttpFacilitatorOptions {
  readonly url: string;
  /** CAIP-2 chains that it is assumed to settle on while it cannot be asked. */
  readonly networks: readonly string[];
  /** Milliseconds for one request; 20,000 when left out, which is less than a handler may take. */
  readonly timeoutMs?: number;
}

/** How long the start waits for the list of supported networks. */
const SUPPORTED_MS = 3_000;

const words = () => Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Verified = Type.Object({ isValid: Type.Boolean(), invalidReason: words(), payer: words() });
const Settled = Type.Object({
  success: Type.Boolean(),
  transaction: Type.String(),
  network: Type.String(),
  errorReason: words(),
  errorMessage: words(),
  payer: words(),
  amount: words(),
});
const verified = Compile(Verified);
const settled = Compile(Settled);
const isVerified = (value: unknown): value is Static<typeof Verified> => verified.Check(value);
const isSettled = (value: unknown): value is Static<typeof Settled> => settled.Check(value);

/**
 * A remote facilitator. When it is down at the start, the start goes on: `networks` stands in for what it supports, and
 * payments fail with FacilitatorDown until it is back.
 *
 * `verify` and `settle` use keep-alive connections instead of the SDK's client, whose `fetch` costs each payment a
 * millisecond. They accept the same answers.
 */
export function httpFacilitator(options: HttpFacilitatorOptions): Facilitator {
  const { timeoutMs = 20_000 } = options;
  const quick = new HTTPFacilitatorClient({ url: options.url, timeoutMs: SUPPORTED_MS });
  const at = (path: string): URL => new URL(`${options.url.replace(/(?<!\/)\/+$/, '')}/${path}`);
  const urls = { verify: at('verify'), settle: at('settle') };
  const assumed: SupportedResponse = {
    kinds: options.networks.map((network) => ({
      x402Version: 2,
      scheme: 'exact',
      network: network as Network,
    })),
    extensions: [],
    signers: {},
  };
  const ask = (
    act: 'verify' | 'settle',
    paymentPayload: PaymentPayload,
    paymentRequirements: PaymentRequirements,
  ): Promise<Posted> => {
    const { x402Version } = paymentPayload;
    return postJson(urls[act], JSON.stringify({ x402Version, paymentPayload, paymentRequirements }), {
      timeoutMs,
    });
  };
  return {
    async verify(payload, requirements) {
      let posted: Posted;
      try {
        posted = await ask('verify', payload, requirements);
      } catch (cause) {
        throw new FacilitatorDown('the facilitator does not answer', { cause });
      }
      const { status } = posted;
      const answer = answerOf(posted, isVerified);
      if (answer === null || status >= 500)
        throw new FacilitatorDown(`the facilitator answers HTTP ${status} without an answer to the payment`);
      // A refusal may come as an HTTP error with an answer in its body.
      return { ...said(answer), isValid: answer.isValid && isOk(status) };
    },
    async settle(payload, requirements) {
      const posted = await ask('settle', payload, requirements);
      const answer = answerOf(posted, isSettled);
      if (answer === null) throw new Error(`the facilitator answers HTTP ${posted.status} to a settlement`);
      const receipt = said(answer) as SettleResponse;
      if (!isOk(posted.status)) throw new SettleError(posted.status, receipt);
      return receipt;
    },
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

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** @returns null when the text is not an answer of this form */
function answerOf<Form>({ text }: Posted, isForm: (value: unknown) => value is Form): Form | null {
  try {
    const answer: unknown = JSON.parse(text);
    return isForm(answer) ? answer : null;
  } catch {
    return null;
  }
}

type Said<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Drops members that are `null`, which some facilitators write for an absent member. */
function said<T extends object>(answer: T): Said<T> {
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null)) as Said<T>;
}
