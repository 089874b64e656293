import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { Type } from 'typebox';
import { AppError, badField } from '../../agents/errors.ts';
import { type Facilitator, FacilitatorDown, settlementOutcome } from '../../chain/facilitator/facilitator.ts';
import { signedTransferOf } from '../../chain/facilitator/transfer-data.ts';
import { type GasGuard, sentBy } from '../../runtime/payments/gas-guard.ts';
import type { App } from '../http/app.ts';
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

/** Limits for a facilitator that anybody may call. */
export interface FacilitatorLimits {
  /** True for what this service asks of a payer: its payee, its token, and at least its lowest price. */
  isOurs(requirements: PaymentRequirements): boolean;
  readonly gas: GasGuard;
  readonly now: () => Date;
}

/**
 * The service's own facilitator over HTTP, on local chains only. It pays the gas of everything it settles. With limits
 * it therefore takes only payments to this service, sends none that would fail, and settles one payment of a payer at a
 * time.
 */
export function facilitatorRoutes(app: App, facilitator: Facilitator, limits?: FacilitatorLimits): void {
  const settle = limits ? limitedSettle(facilitator, limits) : facilitator.settle.bind(facilitator);
  const acts = { verify: facilitator.verify.bind(facilitator), settle } as const;
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
          description: "Takes this service's own payments: its payee, token and prices.",
          tags: ['facilitator'],
          body: Body,
          response: { 200: Anything, ...problems('bad-request', 'gas-budget') },
        },
      },
      async (request) => {
        const payload = request.body.paymentPayload as PaymentPayload;
        const requirements = request.body.paymentRequirements as PaymentRequirements;
        if (limits && !limits.isOurs(requirements)) {
          throw badField('paymentRequirements', 'they are not what this service asks of a payer');
        }
        try {
          return await acts[act](payload, requirements);
        } catch (cause) {
          if (cause instanceof AppError) throw cause;
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

function limitedSettle(facilitator: Facilitator, { gas, now }: FacilitatorLimits): Facilitator['settle'] {
  const busy = new Set<string>();
  return async (payload, requirements) => {
    const { network } = requirements;
    const { authorization } = signedTransferOf(payload);
    const payer = authorization.from.toLowerCase();
    const payment = {
      paymentId: `facilitator:${network}:${payer}:${authorization.nonce}`.toLowerCase(),
      ...{ network, payer },
      validBefore: new Date(Math.min(Number(authorization.validBefore) * 1000, now().getTime() + DAY_MS)),
    };
    const key = `${network}:${payer}`;
    if (busy.has(key)) throw new AppError('unavailable', 'Another payment of this payer is being settled.');
    busy.add(key);
    try {
      await gas.requireUnblockedPayer(payment, now());
      // The SDK's settlement does not check that the payer holds the money.
      const verified = await facilitator.verify(payload, requirements);
      if (!verified.isValid) {
        const errorReason = verified.invalidReason ?? 'invalid_payment';
        return { success: false, errorReason, transaction: '', network, payer: authorization.from };
      }
      const payerClass = await facilitator.classify?.(payload, requirements);
      if (!payerClass) throw new AppError('unavailable', 'The payer cannot be looked at.');
      await gas.reserve(payment, payerClass);
      const outcome = await settlementOutcome(() => facilitator.settle(payload, requirements));
      if (outcome.kind === 'unknown') {
        const { cause } = outcome;
        // The reserved gas stays reserved, because nobody knows what the transaction cost.
        throw cause instanceof Error ? cause : new FacilitatorDown('the settlement is open', { cause });
      }
      if (outcome.kind === 'settled') await gas.release(payment.paymentId);
      else await gas.fail(null, payment, { payer: payerClass, sent: sentBy(outcome.receipt) });
      return outcome.receipt;
    } finally {
      busy.delete(key);
    }
  };
}

const DAY_MS = 86_400_000;
