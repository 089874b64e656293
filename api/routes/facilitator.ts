import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { type Facilitator, FacilitatorDown } from '../../chain/facilitator/facilitator.ts';
import type { App } from '../app.ts';
import { problems } from '../schemas.ts';

const Anything = Type.Object({}, { additionalProperties: true });
const Requirements = Type.Object(
  {
    scheme: Type.String({ maxLength: 32 }),
    network: Type.String({ maxLength: 64 }),
    asset: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    amount: Type.String({ pattern: '^(?:0|[1-9][0-9]{0,77})$' }),
    payTo: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    maxTimeoutSeconds: Type.Number({ exclusiveMinimum: 0 }),
    extra: Type.Optional(Anything),
  },
  { additionalProperties: true },
);
const Body = Type.Object(
  {
    x402Version: Type.Literal(2),
    paymentPayload: Type.Object(
      { x402Version: Type.Literal(2), accepted: Requirements, payload: Anything },
      { additionalProperties: true },
    ),
    paymentRequirements: Requirements,
  },
  { additionalProperties: true },
);

/**
 * The service's own facilitator on the wire of x402, for other services on the same local chains. Only there: it pays
 * the gas of whatever it settles.
 */
export function facilitatorRoutes(app: App, facilitator: Facilitator): void {
  app.get(
    '/facilitator/supported',
    {
      schema: {
        operationId: 'facilitatorSupported',
        summary: 'What the local facilitator settles',
        tags: ['facilitator'],
        response: { 200: Anything, ...problems() },
      },
    },
    () => facilitator.getSupported(),
  );
  for (const act of ['verify', 'settle'] as const) {
    app.post(
      `/facilitator/${act}`,
      {
        schema: {
          operationId: `facilitator-${act}`,
          summary: act === 'verify' ? 'Verify a payment' : 'Settle a payment',
          tags: ['facilitator'],
          body: Body,
          response: { 200: Anything, ...problems('bad-request') },
        },
      },
      async (request) => {
        const payload = request.body.paymentPayload as unknown as PaymentPayload;
        const requirements = request.body.paymentRequirements as unknown as PaymentRequirements;
        try {
          return await facilitator[act](payload, requirements);
        } catch (cause) {
          if (cause instanceof FacilitatorDown) {
            throw new AppError('unavailable', 'The chain under the facilitator does not answer.', { cause });
          }
          // The SDK throws on a payment that it cannot read.
          throw new AppError('bad-request', 'paymentPayload: it cannot be read as a payment.', { cause });
        }
      },
    );
  }
}
