import Stripe from 'stripe';
import { AppError } from '../../agents/errors.ts';
import { CENT, type Micro } from '../../agents/money.ts';
import { type CardReversal, findReversals, idOf, readReversal } from './card-reversals.ts';
import { refundCharge } from './refund-charge.ts';

/** What the service needs of a card processor with the Stripe API. */
export interface CardGateway {
  /**
   * Opens a hosted payment page for one checkout. Repeated calls for the same checkout and terms return the same
   * session.
   * @throws AppError unavailable when the processor cannot be reached or refuses
   */
  createCheckoutSession(order: CardOrder): Promise<CardSession>;
  /**
   * Refunds everything that was paid for a checkout. Repeated calls refund only once.
   * @throws AppError unavailable when the processor cannot be reached or has a fault of its own, RefundRefused, InDispute
   */
  refund(payment: { checkoutId: string; paymentIntent: string }): Promise<void>;
  /**
   * What the processor says of a payment page now; null where it has no such page.
   * @throws AppError unavailable when the processor cannot be reached or refuses
   */
  findPayment(sessionId: string): Promise<FoundPayment | null>;
  /**
   * Where the processor sends events, as far as it is switched on; null where this key may not ask, or the processor knows
   * no such question.
   * @throws AppError unavailable when the processor cannot be reached or refuses the key
   */
  findEndpoints(): Promise<readonly CardEndpoint[] | null>;
  /** Calls `verifyWebhook` with the gateway's own secrets. */
  verifyWebhook(rawBody: Uint8Array, header: string | undefined, now: Date): CardEvent;
}

/** What the service acts on; of other events it only notes that they came. */
export const CARD_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;

export interface CardEndpoint {
  readonly url: string;
  /** Types, or `*` for all. */
  readonly events: readonly string[];
}

export interface CardOrder {
  readonly checkoutId: string;
  /** Whole cents. */
  readonly amountMicro: Micro;
  readonly productName: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly expiresAt: Date;
}

export interface CardSession {
  readonly sessionId: string;
  readonly url: string;
}

/** What was paid on a payment page. */
export interface CardPayment {
  /** Null for an event that is not about a checkout session; then the other fields are null or empty, too. */
  readonly sessionId: string | null;
  /** The checkout that the session was opened for. */
  readonly checkoutId: string | null;
  readonly amountMicro: Micro | null;
  /** ISO 4217, in lower case. */
  readonly currency: string | null;
  readonly paymentStatus: string | null;
  readonly paymentIntent: string | null;
}

/** What the processor says of a payment page when it is asked. */
export interface FoundPayment extends CardPayment {
  /** Its refunds and disputes. */
  readonly reversals: readonly CardReversal[];
}

export interface CardEvent extends CardPayment {
  readonly eventId: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** What became of money that was paid earlier, if the event is about that. */
  readonly reversal: CardReversal | null;
}

const TOLERANCE_SECONDS = 300;

/**
 * Converts to cents, the unit of the card processor.
 * @throws RangeError for a fraction of a cent, which no card can pay
 */
export function toCents(amount: Micro): number {
  if (amount < 0n || amount % CENT !== 0n)
    throw new RangeError(`${amount} micro-dollars are not whole cents`);
  return Number(amount / CENT);
}

export function createCardGateway(config: {
  readonly secretKey: string;
  /** One secret, or two while a secret is being rotated. */
  readonly webhookSecrets: readonly string[];
  /** Null for Stripe itself. */
  readonly apiBase: string | null;
  readonly clock: () => Date;
}): CardGateway {
  const stripe = new Stripe(config.secretKey, {
    ...connection(config.apiBase),
    telemetry: false,
    maxNetworkRetries: 2,
    timeout: 10_000,
  });
  return {
    async createCheckoutSession(order) {
      try {
        const session = await stripe.checkout.sessions.create(sessionParams(order, config.clock()), {
          idempotencyKey: `checkout-${order.checkoutId}`,
        });
        if (!session.url) throw new AppError('unavailable', 'The card processor opened no payment page.');
        return { sessionId: session.id, url: session.url };
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error;
        throw new AppError('unavailable', 'The card processor did not open a payment page.', {
          cause: error,
        });
      }
    },
    async refund({ checkoutId, paymentIntent }) {
      await refundCharge(stripe, { checkoutId, paymentIntent, now: config.clock() });
    },
    async findPayment(sessionId) {
      try {
        const payment = readSession(await stripe.checkout.sessions.retrieve(sessionId));
        const { paymentIntent } = payment;
        const reversals = paymentIntent === null ? [] : await findReversals(stripe, paymentIntent);
        return { ...payment, reversals };
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error;
        if (error.statusCode === 404) return null;
        throw new AppError('unavailable', 'The card processor did not say what was paid.', { cause: error });
      }
    },
    async findEndpoints() {
      try {
        const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
        return data
          .filter(({ status }) => status === 'enabled')
          .map(({ url, enabled_events: events }) => ({ url, events }));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error;
        if (error.statusCode === 403 || error.statusCode === 404) return null;
        throw new AppError('unavailable', `The card processor did not answer: ${error.message}`, {
          cause: error,
        });
      }
    },
    verifyWebhook: (rawBody, header, now) => verifyWebhook(rawBody, header, config.webhookSecrets, now),
  };
}

function connection(apiBase: string | null): { host?: string; port?: number; protocol?: 'http' | 'https' } {
  if (apiBase === null) return {};
  const url = new URL(apiBase);
  const protocol = url.protocol === 'http:' ? 'http' : 'https';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (protocol === 'http' ? 80 : 443)),
    protocol,
  };
}

function sessionParams(order: CardOrder, now: Date): Stripe.Checkout.SessionCreateParams {
  const seconds = Math.floor((order.expiresAt.getTime() - now.getTime()) / 1000);
  return {
    mode: 'payment',
    // Whatever else an account offers may pay days later, when the page has long expired.
    allowed_payment_method_types: ['card'],
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: toCents(order.amountMicro),
          product_data: { name: order.productName },
        },
      },
    ],
    client_reference_id: order.checkoutId,
    metadata: { checkout_id: order.checkoutId },
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
    // The processor accepts an expiry of 30 minutes to 24 hours by its own clock. Outside of that its default applies.
    ...(seconds > 1_830 && seconds < 86_400
      ? { expires_at: Math.floor(order.expiresAt.getTime() / 1000) }
      : {}),
  };
}

/**
 * Reads a webhook after checking its signature: made with any of `secrets` over the raw bytes, and stamped within 300
 * seconds of `now`, earlier or later. (The library itself only refuses stamps that are too old.)
 * @throws AppError webhook-signature-invalid
 */
export function verifyWebhook(
  rawBody: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
  now: Date,
): CardEvent {
  if (header === undefined) throw invalid('There is no stripe-signature header.');
  const stamps = header.split(',').filter((part) => part.trim().startsWith('t='));
  const stamp = Number(stamps[0]?.trim().slice(2));
  if (stamps.length !== 1 || !Number.isSafeInteger(stamp))
    throw invalid('The signature carries no timestamp.');
  if (Math.abs(Math.floor(now.getTime() / 1000) - stamp) > TOLERANCE_SECONDS) {
    throw invalid('The timestamp is more than 300 seconds away from now.');
  }
  for (const secret of secrets) {
    let event: Stripe.Event;
    try {
      event = Stripe.webhooks.constructEvent(
        rawBody,
        header,
        secret,
        TOLERANCE_SECONDS,
        undefined,
        now.getTime(),
      );
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      throw invalid('The body is not an event.', error);
    }
    return readEvent(event);
  }
  throw invalid('No current secret made this signature.');
}

function invalid(detail: string, cause?: unknown): AppError {
  return new AppError('webhook-signature-invalid', detail, { cause });
}

const NOTHING = {
  sessionId: null,
  checkoutId: null,
  amountMicro: null,
  currency: null,
  paymentStatus: null,
  paymentIntent: null,
  metadata: {},
  reversal: null,
} as const;

function readEvent(event: Stripe.Event): CardEvent {
  if (typeof event?.id !== 'string' || typeof event.type !== 'string')
    throw invalid('The body is not an event.');
  const known = { eventId: event.id, type: event.type, ...NOTHING };
  const reversal = readReversal(event);
  if (reversal) return { ...known, reversal };
  const object = event.data?.object as Partial<Stripe.Checkout.Session> | undefined;
  if (object?.object !== 'checkout.session' || typeof object.id !== 'string') return known;
  return { ...known, ...readSession(object as SessionRead), metadata: object.metadata ?? {} };
}

type SessionRead = Pick<Stripe.Checkout.Session, 'id'> & Partial<Stripe.Checkout.Session>;

function readSession(session: SessionRead): CardPayment {
  return {
    sessionId: session.id,
    checkoutId: session.metadata?.checkout_id ?? null,
    amountMicro: Number.isSafeInteger(session.amount_total)
      ? BigInt(session.amount_total as number) * CENT
      : null,
    currency: session.currency ?? null,
    paymentStatus: session.payment_status ?? null,
    paymentIntent: idOf(session.payment_intent),
  };
}
