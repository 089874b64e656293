import { Type } from 'typebox';
import { coveredWalletsWords } from '../../agents/checkout/wallet-words.ts';
import { badField } from '../../agents/errors.ts';
import type { Address } from '../../agents/ids.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { COVERED_WALLETS } from '../../agents/market/membership.ts';
import { toUsd } from '../../agents/money.ts';
import type { OpenedPage } from '../../runtime/checkout/card-page.ts';
import { openMembership, openPlacement } from '../../runtime/checkout/open-purchase.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { namedWallets, nameWallets } from '../../store/checkout/memberships.ts';
import type { App, Reply, Request } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { EvmAddress, ownerSigned, problems, Time, Usd } from '../schemas.ts';
import {
  failureFields,
  failureOf,
  isTakenBack,
  replyCheckoutPage,
  requireCheckout,
} from './checkout-state.ts';

const Opened = Type.Object({
  checkoutId: Type.String(),
  status: Type.Literal('awaiting-payment'),
  amountUsd: Usd,
  checkoutUrl: Type.String(),
  expiresAt: Time,
});
const Kind = Type.Enum(['individual', 'institutional']);

/**
 * Memberships and featured placement: paid by card, without a signature because the payment is the act; and the wallets
 * that a membership covers.
 */
export function purchaseRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.post(
    '/membership/checkout',
    {
      schema: {
        operationId: 'membership-checkout',
        summary: 'Open the card payment of one year of membership; a renewal extends',
        tags: ['payments'],
        body: Type.Object({ wallet: EvmAddress, kind: Kind }, { additionalProperties: false }),
        response: { 201: Opened, ...problems('bad-request') },
      },
    },
    async (request, reply) =>
      reply.code(201).send(shown(await openMembership(services, request.body, request.lastCall))),
  );

  app.post(
    '/listing/checkout',
    {
      schema: {
        operationId: 'listing-checkout',
        summary:
          'Open the card payment of a listing: featured placement, which names have none of, or its fee',
        tags: ['payments'],
        body: Type.Object(
          { listingRef: Type.String({ minLength: 1, maxLength: 64 }), featured: Type.Boolean() },
          { additionalProperties: false },
        ),
        response: { 201: Opened, ...problems('bad-request', 'not-found', 'not-listed', 'conflict') },
      },
    },
    async (request, reply) =>
      reply.code(201).send(shown(await openPlacement(services, request.body, request.lastCall))),
  );

  for (const kind of ['membership', 'listing'] as const) stateRoute(app, services, kind);
  walletsRoute(app, services, requireOwner);
}

function shown({ checkoutId, amount, checkoutUrl, expiresAt }: OpenedPage) {
  return {
    checkoutId,
    status: 'awaiting-payment' as const,
    amountUsd: toUsd(amount),
    checkoutUrl,
    expiresAt: expiresAt.toISOString(),
  };
}

function stateRoute(app: App, services: Services, kind: 'membership' | 'listing'): void {
  app.get(
    `/${kind}/checkout/:checkoutId`,
    {
      schema: {
        operationId: `${kind}-checkout-state`,
        summary: 'How far a checkout has come',
        tags: ['payments'],
        params: Type.Object({ checkoutId: Type.String({ maxLength: 64 }) }),
        response: {
          200: Type.Object({
            status: Type.Enum(['awaiting-payment', 'paid', 'failed', 'expired']),
            suspended: Type.Boolean({
              description: 'what was paid for rests: the money was taken back, or is in dispute',
            }),
            ...failureFields,
          }),
          ...problems('bad-request', 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const checkout = await requireCheckout(services, kind, request.params.checkoutId);
      const page = await replyCheckoutPage(request as Request, reply as Reply, services, checkout);
      if (page !== null) return page;
      // Only agents have the status `minting`.
      const status = checkout.status as 'awaiting-payment' | 'paid' | 'failed' | 'expired';
      return { status, suspended: isTakenBack(checkout), ...(await failureOf(services, checkout)) };
    },
  );
}

function walletsRoute(app: App, services: Services, requireOwner: RequireOwner): void {
  const Wallets = Type.Array(EvmAddress, { maxItems: COVERED_WALLETS });
  app.post(
    '/membership/wallets',
    {
      schema: {
        operationId: 'membership-wallets',
        summary: 'Name the wallets that an institutional membership covers beside the one that pays',
        tags: ['payments'],
        security: ownerSigned,
        body: Type.Object(
          { wallet: EvmAddress, add: Type.Optional(Wallets), remove: Type.Optional(Wallets) },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            wallet: EvmAddress,
            until: Time,
            wallets: Type.Array(EvmAddress),
            limit: Type.Integer(),
          }),
          ...problems(
            'bad-request',
            'signature-required',
            'signature-invalid',
            'signature-used',
            'signature-expired',
            'conflict',
          ),
        },
      },
    },
    async (request) => {
      const { wallet, add = [], remove = [] } = request.body;
      if (add.length + remove.length === 0) throw badField('add', 'name wallets to add, or in `remove`');
      await requireOwner(request, {
        wallet: wallet as Address,
        statement: coveredWalletsWords({ add, remove }),
        chainId: HOME_CHAIN,
      });
      const member = lowerAddress(wallet);
      const now = services.now();
      const [held, wallets] = await services.db.transaction().execute(async (trx) => {
        const change = { member, add: add.map(lowerAddress), remove: remove.map(lowerAddress), now };
        const membership = await nameWallets(trx, change);
        request.lastCall();
        return [membership, await namedWallets(trx, member)] as const;
      });
      return { wallet: member, until: held.until.toISOString(), wallets, limit: COVERED_WALLETS };
    },
  );
}
