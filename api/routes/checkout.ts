import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { Mandate } from '../../agents/mandate/schema.ts';
import { toUsd } from '../../agents/money.ts';
import { openCheckout } from '../../runtime/acts/open-checkout.ts';
import type { Services } from '../../runtime/services.ts';
import { findCheckout } from '../../store/checkouts.ts';
import type { App } from '../app.ts';
import { Depth, EvmAddress, Handle, problems, TierName, Time, Usd } from '../schemas.ts';

const CheckoutStatus = Type.Enum(['awaiting-payment', 'paid', 'minting', 'minted', 'failed', 'expired']);

/** `POST /agent/checkout` (the payment is the act: no signature) and its state. */
export function checkoutRoutes(app: App, services: Services): void {
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
            pay: Type.Optional(Type.Enum(['card'])),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            checkoutId: Type.String(),
            status: Type.Literal('awaiting-payment'),
            amountUsd: Usd,
            checkoutUrl: Type.String(),
            mandate: Mandate,
            expiresAt: Time,
          }),
          ...problems('bad-request', 'conflict', 'mandate-refused'),
        },
      },
    },
    async (request, reply) => {
      const opened = await openCheckout(services, request.body, request.lastCall);
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
          ...problems('not-found'),
        },
      },
    },
    async (request) => {
      const checkout = await findCheckout(services.db, request.params.checkoutId);
      if (checkout?.kind !== 'agent') {
        throw new AppError('not-found', `There is no checkout "${request.params.checkoutId}".`);
      }
      if (checkout.status !== 'minted' || checkout.handle === null) return { status: checkout.status };
      return {
        status: checkout.status,
        agent: checkout.handle,
        agentUrl: `${services.config.baseUrl}/agent/${checkout.handle}`,
      };
    },
  );
}
