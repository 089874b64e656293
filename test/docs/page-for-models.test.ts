import { expect, it } from 'vitest';
import { chargeFor, priceName } from '../../agents/market/pricing/prices.ts';
import { toUsd } from '../../agents/money.ts';
import { describeRoutes, pageForModels } from '../client/describe-routes.ts';

it('calls nothing free that opens a payment, and says what that costs', async () => {
  const { paths } = await describeRoutes();
  const opening = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => opensPayment(responses))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  expect(opening.length).toBeGreaterThanOrEqual(3);
  const page = await pageForModels();
  const section = (heading: string) =>
    page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const bought = section('Paid by card, or in USDC');
  for (const route of opening) {
    expect(section('Free')).not.toContain(`${route}]`);
    expect(bought).toContain(`[${route}]`);
  }
  for (const id of ['agent', 'executor', 'membership-individual', 'membership-institutional'] as const)
    expect(bought).toContain(`${priceName(id)}: ${toUsd(chargeFor('test', id))} USD`);
});

function opensPayment(
  responses: Awaited<ReturnType<typeof describeRoutes>>['paths'][string][string]['responses'],
) {
  const created = responses['201']?.content?.['application/json']?.schema;
  return created?.properties?.checkoutUrl !== undefined;
}
