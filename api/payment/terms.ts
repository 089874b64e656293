import { x402ResourceServer } from '@x402/core/server';
import type { Network, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import type { Address } from '../../agents/ids.ts';
import type { Micro } from '../../agents/money.ts';
import type { ReadAuthorization } from '../../chain/facilitator/authorization.ts';
import {
  type Facilitator,
  type SettlementOutcome,
  settlementOutcome,
} from '../../chain/facilitator/facilitator.ts';
import { SIGN_IN, signInChallenge } from './extensions.ts';
import { jsonWith, type KeptJson, keep } from './kept-json.ts';
import type { SentPayment } from './payload.ts';
import type { SignInNonces } from './sign-in.ts';

/** A chain on which payment is taken, and its token. */
export interface PaymentNetwork {
  readonly chainId: number;
  readonly asset: Address;
  /** The token's EIP-712 domain: a payment is signed over it. */
  readonly name: string;
  readonly version: string;
  /** Says after the fact whether a payment happened. */
  readonly readAuthorization: ReadAuthorization;
}

/** What one call costs and how it may be paid. */
export interface Offer {
  readonly description: string;
  readonly price: Micro;
  /** The chains it may be paid on; all when left out. */
  readonly chainIds?: readonly number[];
  readonly extensions: Record<string, unknown>;
}

interface TermsDeps {
  readonly baseUrl: string;
  readonly payTo: Address;
  /** In the order in which they are offered. */
  readonly networks: readonly PaymentNetwork[];
  /** The first that supports a network settles it. */
  readonly facilitators: readonly Facilitator[];
  readonly now: () => Date;
  readonly signIn: Pick<SignInNonces, 'make'>;
}

/** Seconds a client signs for: longer than the longest work and a restart in the middle of it. */
const TIMEOUT_SECONDS = 300;
const PRICES_KEPT = 500;

/** The x402 terms of the service: what is asked, whether a payment meets it, and its settlement. */
export interface PaymentTerms {
  accepts(offer: Offer): Promise<PaymentRequirements[]>;
  /** @param path with query string @param error why this challenge is given */
  challenge(offer: Offer, path: string, error: string): Promise<PaymentRequired>;
  /** The JSON of a challenge that was made here. */
  written(challenge: PaymentRequired): string;
  /** The requirement that a payment meets, or what is wrong with it. */
  match(challenge: PaymentRequired, payment: SentPayment): PaymentRequirements | string;
  /** Null when the payment is good now, else what is wrong. @throws when nobody can say */
  verify(payment: SentPayment, requirements: PaymentRequirements): Promise<string | null>;
  settle(payment: SentPayment, requirements: PaymentRequirements): Promise<SettlementOutcome>;
  network(caip2: string): PaymentNetwork | undefined;
}

/** @throws Error when no facilitator settles one of the networks */
export async function paymentTerms(deps: TermsDeps): Promise<PaymentTerms> {
  const server = new x402ResourceServer([...deps.facilitators]);
  for (const { chainId } of deps.networks) server.register(caip2(chainId), new ExactEvmScheme());
  server.registerExtension({ key: SIGN_IN, dynamicInfoFields: ['nonce', 'issuedAt', 'expirationTime'] });
  await server.initialize();
  for (const { chainId } of deps.networks) {
    if (!server.getSupportedKind(2, caip2(chainId), 'exact')) {
      throw new Error(`no facilitator settles payments on ${caip2(chainId)}`);
    }
  }

  const kept: KeptJson = new WeakMap();
  const known = new Map<string, PaymentRequirements[]>();
  const accepts = async (offer: Offer): Promise<PaymentRequirements[]> => {
    const key = `${offer.price} ${offer.chainIds ?? ''}`;
    const before = known.get(key);
    if (before) return before;
    const made = await server.buildPaymentRequirementsFromOptions(
      deps.networks
        .filter(({ chainId }) => offer.chainIds?.includes(chainId) ?? true)
        .map(({ chainId, asset, name, version }) => ({
          scheme: 'exact',
          network: caip2(chainId),
          payTo: deps.payTo,
          price: { asset, amount: String(offer.price), extra: { name, version } },
          maxTimeoutSeconds: TIMEOUT_SECONDS,
        })),
      undefined,
    );
    // Whoever asks chooses the prices of a wallet determination.
    if (known.size >= PRICES_KEPT) known.clear();
    known.set(key, keep(kept, made));
    return made;
  };
  const challengeSignIn = signInChallenge(deps);

  return {
    accepts,
    async challenge(offer, path, error) {
      const resource = {
        url: `${deps.baseUrl}${path}`,
        description: offer.description,
        mimeType: 'application/json',
        serviceName: 'Safe Handshake',
      };
      // Beside what changes with each challenge stands the route's own, which is written down once.
      const extensions: Record<string, unknown> = {};
      for (const [name, declared] of Object.entries(offer.extensions)) {
        const own = declared as { readonly info: Readonly<Record<string, unknown>> };
        if (name === SIGN_IN) {
          const { info, ...rest } = own;
          for (const part of Object.values<object>(rest)) if (!kept.has(part)) keep(kept, part);
          extensions[name] = { info: challengeSignIn(info, resource.url), ...rest };
        } else extensions[name] = kept.has(own) ? own : keep(kept, own);
      }
      return { x402Version: 2, error, resource, accepts: await accepts(offer), extensions };
    },
    written: (challenge) => jsonWith(kept, challenge),
    match(challenge, { payload }) {
      const found = server.findMatchingRequirements(challenge.accepts, payload as MatchedPayload);
      if (!found) return 'it does not meet one of the `accepts`, field by field';
      const extensions = server.validateExtensions(challenge, payload as MatchedPayload);
      return extensions.valid ? found : `it changes the extension "${extensions.extensionKey}"`;
    },
    async verify({ payload }, requirements) {
      const answer = await server.verifyPayment(payload as MatchedPayload, requirements);
      return answer.isValid ? null : (WHY[answer.invalidReason ?? ''] ?? 'the facilitator does not take it');
    },
    settle: ({ payload }, requirements) =>
      settlementOutcome(() => server.settlePayment(payload as MatchedPayload, requirements)),
    network: (name) => deps.networks.find(({ chainId }) => caip2(chainId) === name),
  };
}

type MatchedPayload = Parameters<x402ResourceServer['verifyPayment']>[0];

function caip2(chainId: number): Network {
  return `eip155:${chainId}`;
}

/** The facilitator's reasons in words; the rest is nobody's business but the log's. */
const WHY: Readonly<Record<string, string>> = {
  invalid_exact_evm_signature: "the signature is not the payer's",
  invalid_exact_evm_recipient_mismatch: 'it does not pay `payTo`',
  invalid_exact_evm_payload_authorization_value_mismatch: 'it is not for the amount asked',
  invalid_exact_evm_payload_authorization_valid_before: 'it has expired, or is about to',
  invalid_exact_evm_payload_authorization_valid_after: 'it is not valid yet',
  invalid_exact_evm_nonce_already_used: 'its nonce was used before',
  invalid_exact_evm_insufficient_balance: 'the payer does not hold the amount',
  invalid_exact_evm_transaction_simulation_failed: 'the token would not carry it out',
  eip6492_factory_not_allowed: "the payer's wallet is not deployed, and its factory is not one we call",
};
