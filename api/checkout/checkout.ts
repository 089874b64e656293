import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { Mandate } from '../../agents/mandate/terms/schema.ts';
import { toUsd } from '../../agents/money.ts';
import { withSuggestion } from '../../runtime/agent/suggest-mandate.ts';
import {
  bookHeldCheckout,
  type HeldCheckout,
  holdForPayment,
  letHoldGo,
  requireFreeHandle,
} from '../../runtime/checkout/buy-with-usdc.ts';
import {
  type CheckoutRequest,
  openCheckout,
  readAgentOrder,
  requireWallet,
} from '../../runtime/checkout/open-checkout.ts';
import { countsFrom } from '../../runtime/checkout/read-back-at.ts';
import type { Services } from '../../runtime/services.ts';
import { readBack, readBackFields } from '../agent/read-back.ts';
import type { App, Reply, Request } from '../http/app.ts';
import { askerOf } from '../http/asker.ts';
import { challengedBeside, Depth, EvmAddress, Handle, problems, TierName, Time, Usd } from '../schemas.ts';
import { declareExtensions } from '../x402/extensions.ts';
import type { PaymentGate } from '../x402/gate.ts';
import { namedRequest } from '../x402/payload.ts';
import { failureFields, failureOf, replyCheckoutPage, requireCheckout } from './checkout-state.ts';

const CheckoutStatus = Type.Enum(['awaiting-payment', 'paid', 'minting', 'minted', 'failed', 'expired']);

/** The only chain on which an agent may be paid for in USDC. */
const USDC_CHAIN = 84532;

const Checkout = Type.Object(
  {
    owner: EvmAddress,
    handle: Type.String({ maxLength: 64 }),
    mandate: Type.String({
      minLength: 1,
      maxLength: 4000,
      // The grammar asks a question of its own about characters that it cannot read.
      'x-any-character': true,
    }),
    tier: TierName,
    depth: Type.Optional(Depth),
    pay: Type.Optional(
      Type.Enum(['card', 'usdc'], {
        description: '`card` when left out; `usdc`: by x402 on eip155:84532, answered 402 first',
      }),
    ),
    readAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'what the mandate counts from now counts from then, within the last hour; now when left out',
      }),
    ),
  },
  { additionalProperties: false },
);

const Opened = Type.Object({
  checkoutId: Type.String(),
  status: Type.Enum(['awaiting-payment', 'paid']),
  amountUsd: Usd,
  checkoutUrl: Type.Optional(Type.String()),
  mandate: Mandate,
  ...readBackFields,
  expiresAt: Time,
});

/** `POST /agent/checkout`, which needs no signature because the payment is the act, and the checkout's state. */
export function checkoutRoutes(app: App, services: Services, gate: PaymentGate): void {
  const extensions = declareExtensions({
    method: 'POST',
    baseUrl: services.config.baseUrl,
    signIn: [],
    discovery: {
      input: {
        owner: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
        handle: 'harbour-desk',
        mandate: 'Buy digital products, max 50 USDC per deal, for 30 days.',
        tier: 'AGENT',
        pay: 'usdc',
      },
      required: ['pay'],
      output: {
        checkoutId: 'co_5b1c',
        status: 'paid',
        amountUsd: 5,
        mandate: {
          side: 'buy',
          currency: 'USDC',
          cap_per_deal: '50',
          categories_allow: ['digital-products'],
          expires_at: '2026-12-22T00:00:00Z',
        },
        expiresAt: '2026-11-22T13:00:00.000Z',
      },
    },
    inputSchema: Checkout,
    outputSchema: Opened,
  });
  app.post(
    '/agent/checkout',
    {
      schema: {
        operationId: 'agent-checkout',
        summary: 'Build an agent from a mandate in plain language and open its card payment',
        tags: ['agents'],
        body: Checkout,
        response: {
          201: Opened,
          ...problems('bad-request', 'conflict', 'mandate-refused', 'too-hard', 'gas-budget'),
          402: challengedBeside({ mandate: Mandate, ...readBackFields }),
        },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, request.body.owner);
      if (request.body.pay === 'usdc')
        return await withSuggestion(services, request.body.mandate, asker, () =>
          payWithUsdc(request as Request, reply as Reply, request.body),
        );
      const opened = await withSuggestion(services, request.body.mandate, asker, () =>
        openCheckout(
          services,
          request.body,
          request.lastCall,
          countsFrom(request.body.readAt, services.now()),
        ),
      );
      return reply.code(201).send({
        checkoutId: opened.checkoutId,
        status: 'awaiting-payment' as const,
        amountUsd: toUsd(opened.amount),
        checkoutUrl: opened.checkoutUrl,
        mandate: opened.mandate,
        ...(await readBack(services.db, opened.mandate, request.body.owner)),
        expiresAt: opened.expiresAt.toISOString(),
      });
    },
  );

  async function payWithUsdc(request: Request, reply: Reply, asked: CheckoutRequest): Promise<Reply> {
    // Everything that is wrong with the request is reported before anybody signs a payment.
    const isNew = request.headers['payment-signature'] === undefined;
    const at = countsFrom(asked.readAt, services.now(), isNew ? undefined : Number.POSITIVE_INFINITY);
    const order = readAgentOrder(services, asked, at);
    await requireWallet(services, order.owner);
    if (isNew) await requireFreeHandle(services, order, namedRequest(request));
    const description = `Agent assembly, ${asked.tier} "${order.handle}"`;
    const offer = { description, price: order.amount, chainIds: [USDC_CHAIN], extensions };
    let held: string | null = null;
    const hold = async (paymentId: string) => {
      held = paymentId;
      const opened = await holdForPayment(services, asked, paymentId, request.lastCall);
      return paidFor(opened, await readBack(services.db, opened.mandate, asked.owner));
    };
    let booked: string | null = null;
    const charge = gate.charge(request, reply, offer, hold, {
      status: 201,
      onPaid: async (trx, { body }) => {
        const { checkoutId } = JSON.parse(body) as { checkoutId: string };
        await bookHeldCheckout(services, trx, checkoutId);
        booked = checkoutId;
      },
      onFailed: async (trx) => {
        if (held !== null) await letHoldGo(trx, held, services.now());
      },
    });
    const answered = await charge.catch(async (error) => {
      throw await withReading(error, order.mandate, asked.owner);
    });
    if (booked !== null) {
      services.crash('after-payment-before-mint');
      services.notifier.actor(`checkout:${booked}`);
    }
    return answered;
  }

  /** Whoever is asked to pay is told how the mandate is read. The challenge's header has no room for it. */
  async function withReading(error: unknown, mandate: Mandate, owner: string): Promise<unknown> {
    if (!(error instanceof AppError) || error.status !== 402) return error;
    const { code, message, errors, extra } = error;
    return new AppError(code, message, {
      errors,
      extra: { ...extra, mandate, ...(await readBack(services.db, mandate, owner)) },
    });
  }

  app.get(
    '/agent/checkout/:checkoutId',
    {
      schema: {
        operationId: 'agent-checkout-state',
        summary: 'How far a checkout has come',
        tags: ['agents'],
        params: Type.Object({ checkoutId: Type.String({ maxLength: 64 }) }),
        response: {
          200: Type.Object({
            status: CheckoutStatus,
            agent: Type.Optional(Handle),
            agentUrl: Type.Optional(Type.String()),
            ...failureFields,
          }),
          ...problems('bad-request', 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const checkout = await requireCheckout(services, 'agent', request.params.checkoutId);
      const page = await replyCheckoutPage(request as Request, reply as Reply, services, checkout);
      if (page !== null) return page;
      if (checkout.status !== 'minted' || checkout.handle === null)
        return { status: checkout.status, ...(await failureOf(services, checkout)) };
      return {
        status: checkout.status,
        agent: checkout.handle,
        agentUrl: `${services.config.baseUrl}/agent/${checkout.handle}`,
      };
    },
  );
}

/** The answer about a paid checkout; it is sent only after the money has moved. */
function paidFor(
  { checkoutId, amount, mandate, expiresAt }: HeldCheckout,
  said: Awaited<ReturnType<typeof readBack>>,
) {
  return {
    checkoutId,
    status: 'paid' as const,
    amountUsd: toUsd(amount),
    mandate,
    ...said,
    expiresAt: expiresAt.toISOString(),
  };
}
