import { Type } from 'typebox';
import { takeCardEvent } from '../../runtime/checkout/take-card-event.ts';
import type { Services } from '../../runtime/services.ts';
import type { App } from '../http/app.ts';
import { problems } from '../schemas.ts';

/** `POST /webhooks/card`: answers as soon as the event and its effect are committed in one transaction. */
export function webhookRoutes(app: App, services: Services): void {
  app.post(
    '/webhooks/card',
    {
      config: { rateLimit: false, idempotency: false, admission: false },
      schema: {
        operationId: 'card-webhook',
        summary: "The card processor's signed events",
        tags: ['payments'],
        body: Type.Object({}, { additionalProperties: true }),
        response: {
          200: Type.Object({ received: Type.Literal(true) }),
          ...problems('webhook-signature-invalid'),
        },
      },
    },
    async (request) => {
      const header = request.headers['stripe-signature'];
      await takeCardEvent(services, request.rawBody, Array.isArray(header) ? header[0] : header);
      return { received: true as const };
    },
  );
}
