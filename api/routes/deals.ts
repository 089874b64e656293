import { Type } from 'typebox';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { toUsd } from '../../agents/money.ts';
import { decideDeal } from '../../runtime/acts/decide-deal.ts';
import { readLive, requireAgent } from '../../runtime/acts/live-agent.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { dealsOf } from '../../store/deals.ts';
import { onFlagged, setOnFlagged } from '../../store/settings.ts';
import type { App } from '../app.ts';
import { PagesOf } from '../cursors.ts';
import { bySeq, ownCursor, ownPage, ownRows } from '../own-cursors.ts';
import type { RequireOwner } from '../plugins/owner-signature.ts';
import {
  AssetKey,
  EvmAddress,
  Handle,
  Hash,
  OWNER_PROBLEMS,
  ownerSigned,
  pageQuery,
  problems,
  Time,
  Usd,
} from '../schemas.ts';

const Setting = Type.Object({ wallet: EvmAddress, onFlagged: Type.Enum(['stop', 'ask']) });

/** What an owner decides: the standing setting for findings, and one deal that waits. */
export function dealRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.post(
    '/settings',
    {
      schema: {
        operationId: 'settings',
        summary: 'Choose what a FLAGGED result causes: stop the deal, or ask you',
        security: ownerSigned,
        tags: ['owners'],
        body: Type.Object(Setting.properties, { additionalProperties: false }),
        response: { 200: Setting, ...problems(...OWNER_PROBLEMS) },
      },
    },
    async (request) => {
      const wallet = lowerAddress(request.body.wallet);
      const choice = request.body.onFlagged;
      const statement =
        choice === 'stop'
          ? 'Stop every deal of mine that is FLAGGED'
          : 'Show me the findings of a deal that is FLAGGED and let me decide';
      await requireOwner(request, { wallet, statement, chainId: HOME_CHAIN });
      request.lastCall();
      await setOnFlagged(services.db, wallet, choice, services.now());
      return { wallet, onFlagged: choice };
    },
  );

  app.get(
    '/settings/:wallet',
    {
      schema: {
        operationId: 'settings-read',
        summary: 'What a FLAGGED result causes for this wallet; unset means stop',
        tags: ['owners'],
        params: Type.Object({ wallet: EvmAddress }),
        response: { 200: Setting, ...problems('bad-request') },
      },
    },
    async (request) => {
      const wallet = lowerAddress(request.params.wallet);
      return { wallet, onFlagged: await onFlagged(services.db, wallet) };
    },
  );

  app.post(
    '/deals/:dealId/decision',
    {
      schema: {
        operationId: 'deal-decision',
        summary: 'Decide on a deal that waits for its owner',
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ dealId: Type.String({ maxLength: 64 }) }),
        body: Type.Object(
          { handle: Handle, decision: Type.Enum(['proceed', 'stop']) },
          { additionalProperties: false },
        ),
        response: {
          202: Type.Object({ dealId: Type.String(), decision: Type.Enum(['proceed', 'stop']) }),
          ...problems(...OWNER_PROBLEMS, 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const { dealId } = request.params;
      const { handle, decision } = request.body;
      const live = await readLive(services, await requireAgent(services, handle));
      await requireOwner(request, {
        wallet: lowerAddress(live.chain.owner) as Address,
        statement: `${decision === 'proceed' ? 'Proceed with' : 'Stop'} deal ${dealId} for agent ${handle}`,
        chainId: HOME_CHAIN,
      });
      await decideDeal(services, { dealId, handle, decision }, request.lastCall);
      return reply.code(202).send({ dealId, decision });
    },
  );

  app.get(
    '/agent/:handle/deals',
    {
      schema: {
        operationId: 'agent-deals',
        summary: "An agent's deals with their findings, for its owner",
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        querystring: Type.Object({ ...pageQuery, cursor: ownCursor }),
        response: {
          200: PagesOf(
            Type.Object({
              dealId: Type.String(),
              matchId: Type.String(),
              lot: AssetKey,
              role: Type.Enum(['buyer', 'seller']),
              priceUsd: Usd,
              feeUsd: Usd,
              state: Type.String(),
              deadline: Type.Union([Time, Type.Null()]),
              findings: Type.Array(Type.Object({}, { additionalProperties: true })),
              reason: Type.Union([Type.String(), Type.Null()]),
              tx: Type.Union([Hash, Type.Null()]),
              updatedAt: Time,
            }),
          ),
          ...problems(...OWNER_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { handle } = request.params;
      const list = { name: 'deals', of: handle } as const;
      const page = ownRows(services.cursorSeal, list, request.query, bySeq.read);
      const live = await readLive(services, await requireAgent(services, handle));
      await requireOwner(request, {
        wallet: lowerAddress(live.chain.owner) as Address,
        statement: `Read the deals of agent ${handle}`,
        chainId: HOME_CHAIN,
      });
      const rows = await dealsOf(services.db, handle, page);
      const shown = (d: (typeof rows)[number]) => {
        const role = d.buyer === handle ? ('buyer' as const) : ('seller' as const);
        return {
          dealId: d.deal_id,
          matchId: d.match_id,
          lot: d.asset_key,
          role,
          priceUsd: toUsd(d.price),
          feeUsd: toUsd(d.fee),
          state: d.state,
          deadline: d.deadline?.toISOString() ?? null,
          // The other side's findings are about this owner, and are the other owner's to see.
          findings: (d.findings as { side: string }[]).filter((f) => f.side === role),
          reason: d.reason,
          tx: d.tx,
          updatedAt: d.updated_at.toISOString(),
        };
      };
      return ownPage(services.cursorSeal, list, rows, request.query, { shown, place: bySeq.place });
    },
  );
}
