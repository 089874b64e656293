import { Type } from 'typebox';
import type { Address } from '../../agents/ids.ts';
import { toUsd } from '../../agents/money.ts';
import type { App } from '../http/app.ts';
import { problems, Usd } from '../schemas.ts';
import type { PaidRegistry, PaidResource } from '../x402/payment-plugin.ts';
import type { PaymentTerms } from '../x402/terms.ts';

interface ManifestDeps {
  readonly payTo: Address;
  readonly terms: PaymentTerms;
  readonly registry: PaidRegistry;
}

const Resource = Type.Object({
  method: Type.Enum(['GET', 'POST']),
  path: Type.String(),
  operationId: Type.String(),
  intent: Type.Literal('charge'),
  paymentMethod: Type.Literal('x402'),
  scheme: Type.Literal('exact'),
  unit: Type.Literal('call'),
  priceUsd: Usd,
  accepts: Type.Array(Type.Object({}, { additionalProperties: true })),
  extensions: Type.Object({}, { additionalProperties: true }),
});

const Manifest = Type.Object({
  x402Version: Type.Literal(2),
  version: Type.Literal('2026-09-03'),
  testnet: Type.Literal(true),
  live: Type.Literal(false),
  payTo: Type.String(),
  resources: Type.Array(Resource),
});

/** Serves the payment manifest. It is made from the registry of paid routes, so register it after them. */
export function manifestRoutes(app: App, deps: ManifestDeps): void {
  for (const [url, operationId] of [
    ['/.well-known/x402', 'paymentManifest'],
    ['/.well-known/x402.json', 'paymentManifestJson'],
  ] as const) {
    app.get(
      url,
      {
        schema: {
          operationId,
          summary:
            'Every resource that is paid per call, and how. An agent bought in USDC is none: POST /agent/checkout says its terms',
          tags: ['service'],
          response: { 200: Manifest, ...problems() },
        },
      },
      async () => ({
        x402Version: 2 as const,
        version: '2026-09-03' as const,
        testnet: true as const,
        live: false as const,
        payTo: deps.payTo,
        resources: await Promise.all(deps.registry.map((resource) => listed(resource, deps.terms))),
      }),
    );
  }
}

async function listed({ method, path, operationId, offer }: PaidResource, terms: PaymentTerms) {
  return {
    method,
    path,
    operationId,
    intent: 'charge' as const,
    paymentMethod: 'x402' as const,
    scheme: 'exact' as const,
    unit: 'call' as const,
    priceUsd: toUsd(offer.price),
    accepts: await terms.accepts(offer),
    extensions: offer.extensions,
  };
}
