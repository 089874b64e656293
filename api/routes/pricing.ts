import { type PriceSetting, pricing } from '../../agents/market/prices.ts';
import type { App } from '../app.ts';
import { pricingPage } from '../pages/pricing.ts';
import { replyPageOrJson } from '../plugins/negotiate.ts';
import { problems } from '../schemas.ts';
import { PriceList } from '../shapes.ts';

/** `GET /pricing`: the one table that every charge is read from. */
export function pricingRoutes(app: App, deps: { pricing: PriceSetting }): void {
  app.get(
    '/pricing',
    {
      schema: {
        operationId: 'pricing',
        summary: 'Every price charged, from one table',
        tags: ['service'],
        response: { 200: PriceList, ...problems() },
      },
    },
    async (request, reply) => replyPageOrJson(request, reply, pricing(deps.pricing), pricingPage),
  );
}
