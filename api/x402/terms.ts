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
import type { PayerClass } from '../../chain/facilitator/payer-class.ts';
import type { GlanceAtPayer } from '../../chain/facilitator/payer-glance.ts';
import type { Receipt } from '../../store/payments/payments.ts';
import { inHeader, SIGN_IN, signInChallenge } from './extensions.ts';
import { jsonWith, type KeptJson, keep } from './kept-json.ts';
import { OFFER_RECEIPT, type OfferSigner } from './offer-receipt.ts';
import type { SentPayment } from './payload.ts';
import type { SignInNonces } from './sign-in.ts';

/** A chain on which payment is taken, and its token. */
export interface PaymentNetwork {
  readonly chainId: number;
  readonly asset: Address;
  /** The token's EIP-712 domain, over which payments are signed. */
  readonly name: string;
  readonly version: string;
  /** Reads whether a payment happened, after it was sent. */
  readonly readAuthorization: ReadAuthorization;
  /** Two cheap reads on a payer who has not paid here yet, before the payment is verified; skipped when left out. */
  readonly glance?: GlanceAtPayer;
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
  /** The challenge offers them in this order. */
  readonly networks: readonly PaymentNetwork[];
  /** The first one that supports a network settles its payments. */
  readonly facilitators: readonly Facilitator[];
  readonly now: () => Date;
  readonly signIn: Pick<SignInNonces, 'make'>;
  /** Signs offers and receipts; when left out, there are none. */
  readonly offerSigner?: OfferSigner;
}

/**
 * For how many seconds a client's signature is valid: longer than the longest work and a restart in the middle of it.
 */
const TIMEOUT_SECONDS = 300;
const PRICES_KEPT = 500;

/** The x402 terms of the service: makes challenges, checks payments against them, and settles. */
export interface PaymentTerms {
  accepts(offer: Offer): Promise<PaymentRequirements[]>;
  /** @param path with the query string @param error why this challenge is given */
  challenge(offer: Offer, path: string, error: string): Promise<PaymentRequired>;
  /** The JSON of a challenge that `challenge` made: the whole for the body, and what of it has room in a header. */
  written(challenge: PaymentRequired): { readonly body: string; readonly header: string };
  /** @returns the requirement that a payment meets, or a sentence that says what is wrong with it */
  match(challenge: PaymentRequired, payment: SentPayment): PaymentRequirements | string;
  /** @returns null when the payment is good now, otherwise what is wrong @throws when the facilitator cannot say */
  verify(payment: SentPayment, requirements: PaymentRequirements): Promise<string | null>;
  /**
   * @returns what kind of account pays; null where its chain cannot be read here
   * @throws when reading the chain fails
   */
  classify(payment: SentPayment, requirements: PaymentRequirements): Promise<PayerClass | null>;
  settle(payment: SentPayment, requirements: PaymentRequirements): Promise<SettlementOutcome>;
  network(caip2: string): PaymentNetwork | undefined;
  /** The receipt that the payer is given. @param path of what was paid for, with the query string */
  receipt(path: string, receipt: Receipt): Promise<Receipt>;
}

/** @throws Error when no facilitator settles one of the networks */
export async function paymentTerms(deps: TermsDeps): Promise<PaymentTerms> {
  const server = new x402ResourceServer([...deps.facilitators]);
  for (const { chainId } of deps.networks) server.register(caip2(chainId), new ExactEvmScheme());
  server.registerExtension({ key: SIGN_IN, dynamicInfoFields: ['nonce', 'issuedAt', 'expirationTime'] });
  // Each challenge is signed anew, so that clients need not send back the offers of this one.
  server.registerExtension({ key: OFFER_RECEIPT, dynamicInfoFields: ['offers'] });
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
    // Callers choose the price of a wallet determination, so without a bound they could fill this map.
    if (known.size >= PRICES_KEPT) known.clear();
    known.set(key, keep(kept, made));
    return made;
  };
  const challengeSignIn = signInChallenge(deps);
  const briefs = new WeakMap<object, object>();
  const briefOf = ([name, extension]: [string, unknown]): [string, object] => {
    const known = briefs.get(extension as object);
    if (known !== undefined) return [name, known];
    const made = inHeader(name, extension);
    if (name !== SIGN_IN) briefs.set(extension as object, keep(kept, made));
    return [name, made];
  };
  /** Without the signed offers, which are the longest, and which nobody needs to pay. */
  const brief = (challenge: PaymentRequired): PaymentRequired => {
    const { [OFFER_RECEIPT]: _, ...extensions } = challenge.extensions ?? {};
    return { ...challenge, extensions: Object.fromEntries(Object.entries(extensions).map(briefOf)) };
  };

  return {
    accepts,
    async challenge(offer, path, error) {
      const resource = {
        url: `${deps.baseUrl}${path}`,
        description: offer.description,
        mimeType: 'application/json',
        serviceName: 'Safe Handshake',
      };
      // The parts of an extension that never change have their JSON kept; only the rest is made for each challenge.
      const extensions: Record<string, unknown> = {};
      for (const [name, declared] of Object.entries(offer.extensions)) {
        const own = declared as { readonly info: Readonly<Record<string, unknown>> };
        if (name === SIGN_IN) {
          const { info, ...rest } = own;
          for (const part of Object.values<object>(rest)) if (!kept.has(part)) keep(kept, part);
          extensions[name] = { info: challengeSignIn(info, resource.url), ...rest };
        } else extensions[name] = kept.has(own) ? own : keep(kept, own);
      }
      const accepted = await accepts(offer);
      if (deps.offerSigner) extensions[OFFER_RECEIPT] = await deps.offerSigner.offers(resource.url, accepted);
      return { x402Version: 2, error, resource, accepts: accepted, extensions };
    },
    written: (challenge) => ({
      body: jsonWith(kept, challenge),
      header: jsonWith(kept, brief(challenge)),
    }),
    match(challenge, { payload }) {
      const found = server.findMatchingRequirements(challenge.accepts, payload as MatchedPayload);
      // Whoever read the body sends back more than the header had, which is right as well.
      const extensions = found && server.validateExtensions(brief(challenge), payload as MatchedPayload);
      if (found && extensions?.valid) return found;
      // What it was made for the payment alone tells, and never what is known of it here.
      const made = payload.resource?.url;
      if (made !== undefined && made !== challenge.resource.url) return ELSEWHERE;
      return extensions === undefined || extensions.valid
        ? 'it does not meet one of the `accepts`, field by field'
        : `it changes the extension "${extensions.extensionKey}"`;
    },
    async verify({ payload }, requirements) {
      const answer = await server.verifyPayment(payload as MatchedPayload, requirements);
      return answer.isValid ? null : (WHY[answer.invalidReason ?? ''] ?? 'the facilitator does not take it');
    },
    async classify({ payload }, requirements) {
      const reader = deps.facilitators.find((f) => f.classify !== undefined);
      return (await reader?.classify?.(payload as MatchedPayload, requirements)) ?? null;
    },
    settle: ({ payload }, requirements) =>
      settlementOutcome(() => server.settlePayment(payload as MatchedPayload, requirements)),
    receipt: async (path, receipt) =>
      (await deps.offerSigner?.receipt(`${deps.baseUrl}${path}`, receipt)) ?? receipt,
    network: (name) => deps.networks.find(({ chainId }) => caip2(chainId) === name),
  };
}

type MatchedPayload = Parameters<x402ResourceServer['verifyPayment']>[0];

function caip2(chainId: number): Network {
  return `eip155:${chainId}`;
}

const ELSEWHERE = 'it was made for another request, which its `resource` names, and pays for that one only';

/** The facilitator's reasons in words. Any other reason goes to the log only. */
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
