import { Type } from 'typebox';
import { assetKey } from '../../agents/assets.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { pledgeWords, releaseWords } from '../../agents/market/goods-words.ts';
import { endPledge, pledgeAsset, readPledge, releaserOf } from '../../runtime/market/listings/pledge.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { findPledge } from '../../store/market/pledges.ts';
import type { App } from '../http/app.ts';
import { presentsOperatorKey, type RequireOperator } from '../http/auth/operator-key.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { AssetKey, EvmAddress, OWNER_PROBLEMS, ownerOrOperator, problems, Time } from '../schemas.ts';
import { AssetBody } from './orders.ts';

interface PledgeDeps {
  readonly services: Services;
  readonly requireOwner: RequireOwner;
  readonly requireOperator: RequireOperator;
}

const writeProblems = problems(
  ...OWNER_PROBLEMS,
  'operator-key-invalid',
  'not-listed',
  'double-pledge',
  'disputed',
  'conflict',
);

/** Records pledges, for an owner or for an operator's key. A pledged asset cannot be listed or pledged again. */
export function pledgeRoutes(app: App, { services, requireOwner, requireOperator }: PledgeDeps): void {
  app.post(
    '/pledge',
    {
      schema: {
        operationId: 'pledge',
        summary: 'Record a pledge, so that a second listing of the asset collides',
        tags: ['market'],
        security: ownerOrOperator,
        body: Type.Object(
          {
            wallet: Type.Optional(EvmAddress),
            asset: AssetBody,
            listingRef: Type.String({
              minLength: 1,
              maxLength: 64,
              description: 'the listing or the loan that it is pledged to, such as loan-2027-14',
            }),
            lender: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 128,
                description: 'a wallet, which alone may release it; by any other name, the operator may',
              }),
            ),
            until: Type.Optional(
              Type.String({ maxLength: 40, description: 'when the debt is due, ISO 8601; it ends nothing' }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            pledgeId: Type.String(),
            asset: AssetKey,
            listingRef: Type.String(),
            wallet: EvmAddress,
            until: Type.Union([Time, Type.Null()]),
          }),
          ...writeProblems,
        },
      },
    },
    async (request, reply) => {
      const terms = readPledge(request.body, services.now());
      const by = presentsOperatorKey(request) ? 'operator' : 'owner';
      if (by === 'operator') await requireOperator(request, 'pledges');
      else {
        if (terms.wallet === null) throw badField('wallet', 'is required: the wallet that signs the pledge');
        const statement = pledgeWords({ ...terms, key: assetKey(terms.asset) });
        await requireOwner(request, { wallet: terms.wallet, statement, chainId: HOME_CHAIN });
      }
      const pledge = await pledgeAsset(services, terms, by, request.lastCall);
      return reply.code(201).send({
        pledgeId: pledge.id,
        asset: pledge.asset_key,
        listingRef: pledge.listing_ref,
        wallet: pledge.wallet,
        until: pledge.until?.toISOString() ?? null,
      });
    },
  );

  app.post(
    '/pledge/:pledgeId/release',
    {
      schema: {
        operationId: 'pledge-release',
        summary: 'End a pledge: by the lender alone where it names one, or else by the wallet that made it',
        description:
          'A lender that is not named by a wallet has the operator end it, whose key ends any pledge. No date does.',
        tags: ['market'],
        security: ownerOrOperator,
        params: Type.Object({ pledgeId: Type.String({ maxLength: 64 }) }),
        body: Type.Union(
          [Type.Object({ wallet: Type.Optional(EvmAddress) }, { additionalProperties: false }), Type.Null()],
          {
            description:
              'nothing, or the wallet that signs: the lender’s where one is named, or else the one that pledged',
          },
        ),
        response: {
          200: Type.Object({ pledgeId: Type.String(), status: Type.Literal('released') }),
          ...writeProblems,
        },
      },
    },
    async (request) => {
      const { pledgeId } = request.params;
      const pledge = await findPledge(services.db, pledgeId);
      if (!pledge) throw new AppError('not-found', `There is no pledge "${pledgeId}".`);
      if (presentsOperatorKey(request)) await requireOperator(request, 'pledges');
      else {
        const wallet = releaserOf(pledge, request.body?.wallet);
        const { asset_key: key, listing_ref: listingRef, lender, until } = pledge;
        const statement = releaseWords({ pledgeId, key, listingRef, lender, until });
        await requireOwner(request, { wallet, statement, chainId: HOME_CHAIN });
      }
      await endPledge(services, pledgeId, request.lastCall);
      return { pledgeId, status: 'released' as const };
    },
  );
}
