import { Type } from 'typebox';
import { type Address, lowerAddress } from '../../agents/ids.ts';
import { readLive, requireAgent } from '../../runtime/acts/live-agent.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { logOf } from '../../store/agent-log.ts';
import type { App } from '../app.ts';
import { PagesOf } from '../cursors.ts';
import { bySeq, ownCursor, ownPage, ownRows } from '../own-cursors.ts';
import type { RequireOwner } from '../plugins/owner-signature.ts';
import { AssetKey, Handle, OWNER_PROBLEMS, ownerSigned, pageQuery, problems, Time } from '../schemas.ts';

/** `GET /agent/{handle}/log`: what an agent decided by itself and why, limits and valuations included, for its owner. */
export function agentLogRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.get(
    '/agent/:handle/log',
    {
      schema: {
        operationId: 'agent-log',
        summary:
          'What an agent decided by itself and why, for its owner; nothing of an earlier owner is shown',
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        querystring: Type.Object({ ...pageQuery, cursor: ownCursor }),
        response: {
          200: PagesOf(
            Type.Object({
              at: Time,
              action: Type.Enum(['rest', 'reprice', 'cancel', 'expire', 'leave']),
              lot: Type.Union([AssetKey, Type.Null()]),
              listingRef: Type.Union([Type.String(), Type.Null()]),
              orderId: Type.Union([Type.String(), Type.Null()]),
              says: Type.String({ description: 'in plain words' }),
              figures: Type.Record(Type.String(), Type.String(), {
                description: 'dollars and counts as text, by name',
              }),
            }),
          ),
          ...problems(...OWNER_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { handle } = request.params;
      const list = { name: 'log', of: handle } as const;
      const page = ownRows(services.cursorSeal, list, request.query, bySeq.read);
      const live = await readLive(services, await requireAgent(services, handle));
      const owner = lowerAddress(live.chain.owner);
      await requireOwner(request, {
        wallet: owner as Address,
        statement: `Read the log of agent ${handle}`,
        chainId: HOME_CHAIN,
      });
      const rows = await logOf(services.db, { handle, owner, ...page });
      const shown = (r: (typeof rows)[number]) => ({
        at: r.at.toISOString(),
        action: r.action as 'rest',
        lot: r.lot,
        listingRef: r.listing_ref,
        orderId: r.order_id,
        says: r.says,
        figures: r.figures,
      });
      return ownPage(services.cursorSeal, list, rows, request.query, { shown, place: bySeq.place });
    },
  );
}
