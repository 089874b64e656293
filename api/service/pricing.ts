import { Type } from 'typebox';
import { badField } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import type { Membership } from '../../agents/market/membership.ts';
import { type Prices, pricing } from '../../agents/market/pricing/prices.ts';
import { quote } from '../../agents/market/pricing/quote.ts';
import { parseUsd, toUsd } from '../../agents/money.ts';
import { readName } from '../../agents/names/name.ts';
import type { App } from '../http/app.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { CategoryName, EvmAddress, problems, Time, Usd } from '../schemas.ts';
import { PriceList } from '../shapes.ts';
import { pricingPage } from './pricing-page.ts';

const PayerName = Type.Enum(['caller', 'seller', 'buyer', 'membership']);

const Quote = Type.Object({
  lines: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      amountUsd: Usd,
      paidBy: PayerName,
      note: Type.Optional(Type.String()),
    }),
  ),
  membership: Type.Union([
    Type.Object({ kind: Type.Enum(['individual', 'institutional']), until: Time }),
    Type.Null(),
  ]),
  totals: Type.Array(Type.Object({ paidBy: PayerName, amountUsd: Usd }), {
    description: 'what each who pays a line pays in all; sums of different payers are nobody’s to pay',
  }),
  totalUsd: Type.Number({
    description:
      'what the caller is charged for the determination quoted: the total of `caller`, 0 under a membership',
  }),
  sellerNetsUsd: Type.Union([Usd, Type.Null()]),
  buyerPaysUsd: Type.Union([Usd, Type.Null()]),
});

/** `GET /pricing`, the one table that every charge is read from, and `GET /quote`, the price of one call and deal. */
export function pricingRoutes(
  app: App,
  deps: {
    prices: Prices;
    /** Whether cards are charged real dollars. */
    cards: 'real' | 'test';
    /** The wallet is in lower case. */
    coverOf: (wallet: string) => Promise<Membership | null>;
  },
): void {
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
    async (request, reply) =>
      replyPageOrJson(request, reply, pricing(deps.prices), (list) => pricingPage(list, deps.cards)),
  );

  app.get(
    '/quote',
    {
      schema: {
        operationId: 'quote',
        summary: 'What a determination costs and what a deal takes, line by line',
        tags: ['service'],
        querystring: Type.Object({
          category: Type.Optional(CategoryName),
          priceUsd: Type.Optional(
            Type.String({ maxLength: 32, description: 'the price of the deal, US dollars' }),
          ),
          tier: Type.Optional(
            Type.Enum(['wallet', 'tier2', 'tier3'], { description: '`wallet` when left out' }),
          ),
          wallet: Type.Optional(EvmAddress),
          name: Type.Optional(
            Type.String({
              maxLength: 320,
              description: 'the name that the deal is over, of whose price both sides pay a share',
            }),
          ),
        }),
        response: { 200: Quote, ...problems('bad-request') },
      },
    },
    async (request) => {
      const { tier = 'wallet', category = null, priceUsd } = request.query;
      if (tier !== 'wallet' && category === null) throw badField('category', `is required for ${tier}`);
      const price = priceUsd === undefined ? null : parseUsd(priceUsd, 'priceUsd');
      const { wallet, name } = request.query;
      if (name !== undefined && readName(name).labels.length > 2)
        throw badField('name', 'must be label.tld, or a top-level name');
      const membership = wallet === undefined ? null : await deps.coverOf(lowerAddress(wallet));
      const asked = { tier, category, price, isName: name !== undefined, membership };
      const { lines, totals, total, sellerNets, buyerPays } = quote(deps.prices.setting, asked);
      return {
        lines: lines.map(({ amount, ...line }) => ({ ...line, amountUsd: toUsd(amount) })),
        membership:
          membership === null ? null : { kind: membership.kind, until: membership.until.toISOString() },
        totals: totals.map(({ paidBy, amount }) => ({ paidBy, amountUsd: toUsd(amount) })),
        totalUsd: toUsd(total),
        sellerNetsUsd: sellerNets === null ? null : toUsd(sellerNets),
        buyerPaysUsd: buyerPays === null ? null : toUsd(buyerPays),
      };
    },
  );
}
