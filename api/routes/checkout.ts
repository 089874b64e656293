import { Type } from 'typebox';
import { Mandate } from '../../agents/mandate/schema.ts';
import { toUsd } from '../../agents/money.ts';
import {
  bookHeldCheckout,
  type HeldCheckout,
  holdForPayment,
  requireFreeHandle,
} from '../../runtime/acts/buy-with-usdc.ts';
import { type CheckoutRequest, openCheckout, readAgentOrder } from '../../runtime/acts/open-checkout.ts';
import { withSuggestion } from '../../runtime/acts/suggest-mandate.ts';
import type { Services } from '../../runtime/services.ts';
import type { App, Reply, Request } from '../app.ts';
import { declareExtensions } from '../payment/extensions.ts';
import type { PaymentGate } from '../payment/gate.ts';
import { Depth, EvmAddress, Handle, problems, TierName, Time, Usd } from '../schemas.ts';
import { replyCheckoutPage, requireCheckout } from './checkout-state.ts';

const CheckoutStatus = Type.Enum(['awaiting-payment', 'paid', 'minting', 'minted', 'failed', 'expired']);

/** The chain on which an agent may be paid for in USDC. */
const USDC_CHAIN = 84532;

/** `POST /agent/checkout` (the payment is the act: no signature) and its state. */
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
      inputSchema: {
        properties: {
          owner: { type: 'string', description: 'the wallet that will own the agent' },
          handle: { type: 'string' },
          mandate: { type: 'string', description: 'in plain words' },
          tier: { type: 'string', enum: ['AGENT', 'EXECUTOR'] },
          depth: { type: 'string', enum: ['1-of-1', '2-of-2', 'superconsensus'] },
          pay: { type: 'string', enum: ['card', 'usdc'] },
        },
        required: ['owner', 'handle', 'mandate', 'tier', 'pay'],
      },
      output: { checkoutId: 'co_', status: 'paid', amountUsd: 5 },
    },
  });
  app.post(
    '/agent/checkout',
    {
      schema: {
        operationId: 'agent-checkout',
        summary: 'Build an agent from a mandate in plain language and open its card payment',
        tags: ['agents'],
        body: Type.Object(
          {
            owner: EvmAddress,
            handle: Type.String({ maxLength: 64 }),
            mandate: Type.String({
              minLength: 1,
              maxLength: 4000,
              // The grammar refuses what it cannot read with a question of its own.
              'x-any-character': true,
            }),
            tier: TierName,
            depth: Type.Optional(Depth),
            pay: Type.Optional(
              Type.Enum(['card', 'usdc'], {
                description: '`card` when left out; `usdc`: by x402 on eip155:84532, answered 402 first',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            checkoutId: Type.String(),
            status: Type.Enum(['awaiting-payment', 'paid']),
            amountUsd: Usd,
            checkoutUrl: Type.Optional(Type.String()),
            mandate: Mandate,
            expiresAt: Time,
          }),
          ...problems(
            'bad-request',
            'conflict',
            'mandate-refused',
            'payment-required',
            'payment-invalid',
            'settlement-failed',
          ),
        },
      },
    },
    async (request, reply) => {
      if (request.body.pay === 'usdc')
        return await withSuggestion(services, request.body.mandate, () =>
          payWithUsdc(request as Request, reply as Reply, request.body),
        );
      const opened = await withSuggestion(services, request.body.mandate, () =>
        openCheckout(services, request.body, request.lastCall),
      );
      return reply.code(201).send({
        checkoutId: opened.checkoutId,
        status: 'awaiting-payment' as const,
        amountUsd: toUsd(opened.amount),
        checkoutUrl: opened.checkoutUrl,
        mandate: opened.mandate,
        expiresAt: opened.expiresAt.toISOString(),
      });
    },
  );

  async function payWithUsdc(request: Request, reply: Reply, asked: CheckoutRequest): Promise<Reply> {
    // All that is wrong with the request is said before anybody signs a payment.
    const order = readAgentOrder(services, asked);
    if (request.headers['payment-signature'] === undefined) await requireFreeHandle(services, order);
    const description = `Agent assembly, ${asked.tier} "${order.handle}"`;
    const offer = { description, price: order.amount, chainIds: [USDC_CHAIN], extensions };
    const hold = async (paymentId: string) =>
      paidFor(await holdForPayment(services, asked, paymentId, request.lastCall));
    let booked: string | null = null;
    const answered = await gate.charge(request, reply, offer, hold, {
      status: 201,
      onPaid: async (trx, { body }) => {
        const { checkoutId } = JSON.parse(body) as { checkoutId: string };
        await bookHeldCheckout(services, trx, checkoutId);
        booked = checkoutId;
      },
    });
    if (booked !== null) {
      services.crash('after-payment-before-mint');
      services.bell.actor(`checkout:${booked}`);
    }
    return answered;
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
          }),
          ...problems('bad-request', 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const checkout = await requireCheckout(services, 'agent', request.params.checkoutId);
      const page = await replyCheckoutPage(request as Request, reply as Reply, services, checkout);
      if (page !== null) return page;
      if (checkout.status !== 'minted' || checkout.handle === null) return { status: checkout.status };
      return {
        status: checkout.status,
        agent: checkout.handle,
        agentUrl: `${services.config.baseUrl}/agent/${checkout.handle}`,
      };
    },
  );
}

/** Goes out only once the money has moved. */
function paidFor({ checkoutId, amount, mandate, expiresAt }: HeldCheckout) {
  return {
    checkoutId,
    status: 'paid' as const,
    amountUsd: toUsd(amount),
    mandate,
    expiresAt: expiresAt.toISOString(),
  };
}
