import Stripe from 'stripe';
import { AppError } from '../agents/errors.ts';
import { CENT, type Micro } from '../agents/money.ts';

/** What the service asks of a card processor that speaks the Stripe API. */
export interface CardGateway {
  /**
   * Opens a hosted payment page for one checkout. Asked again for the same checkout with the same terms, it answers
   * the same session.
   * @throws AppError unavailable when the processor cannot be reached or refuses
   */
  createCheckoutSession(order: CardOrder): Promise<CardSession>;
  /** @see verifyWebhook with the gateway's own secrets */
  verifyWebhook(rawBody: Uint8Array, header: string | undefined, now: Date): CardEvent;
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

export interface CardEvent {
  readonly eventId: string;
  readonly type: string;
  /** Null for an event that is not about a checkout session; then the rest is null or empty too. */
  readonly sessionId: string | null;
  /** The checkout that the session was opened for. */
  readonly checkoutId: string | null;
  readonly amountMicro: Micro | null;
  /** Lower-case ISO 4217. */
  readonly currency: string | null;
  readonly paymentStatus: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

const TOLERANCE_SECONDS = 300;

/** Cents, the unit of the card wire. @throws RangeError for a fraction of a cent, which no card can pay */
export function toCents(amount: Micro): number {
  if (amount < 0n || amount % CENT !== 0n)
    throw new RangeError(`${amount} micro-dollars are not whole cents`);
  return Number(amount / CENT);
}

export function createCardGateway(config: {
  readonly secretKey: string;
  /** One, or two while a secret is being rotated. */
  readonly webhookSecrets: readonly string[];
  /** Null: Stripe itself. */
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
    // The processor takes 30 minutes to 24 hours, by its own clock; otherwise its default stands.
    ...(seconds > 1_830 && seconds < 86_400
      ? { expires_at: Math.floor(order.expiresAt.getTime() / 1000) }
      : {}),
  };
}

/**
 * Reads a webhook once its signature holds: by any of `secrets`, over the raw bytes, stamped within 300 seconds of
 * `now` on either side. (The library itself refuses only stamps that are too old.)
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

function readEvent(event: Stripe.Event): CardEvent {
  if (typeof event?.id !== 'string' || typeof event.type !== 'string')
    throw invalid('The body is not an event.');
  const none = {
    sessionId: null,
    checkoutId: null,
    amountMicro: null,
    currency: null,
    paymentStatus: null,
    metadata: {},
  };
  const object = event.data?.object as Partial<Stripe.Checkout.Session> | undefined;
  if (object?.object !== 'checkout.session' || typeof object.id !== 'string') {
    return { eventId: event.id, type: event.type, ...none };
  }
  return {
    eventId: event.id,
    type: event.type,
    sessionId: object.id,
    checkoutId: object.metadata?.checkout_id ?? null,
    amountMicro: Number.isSafeInteger(object.amount_total)
      ? BigInt(object.amount_total as number) * CENT
      : null,
    currency: object.currency ?? null,
    paymentStatus: object.payment_status ?? null,
    metadata: object.metadata ?? {},
  };
}
