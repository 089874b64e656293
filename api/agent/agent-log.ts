import { Type } from 'typebox';
import type { Services } from '../../runtime/services.ts';
import { logOf } from '../../store/agent/agent-log.ts';
import type { App, Request } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { PagesOf } from '../http/cursors.ts';
import { bySeq, ownCursor } from '../http/own-cursors.ts';
import { AssetKey, Handle, OWNER_PROBLEMS, ownerSigned, pageQuery, problems, Time } from '../schemas.ts';
import { readOwnList } from './own-list.ts';
import { formerOwner } from './own-time.ts';

/** `GET /agent/{handle}/log`: shows the owner what an agent decided by itself and why, with limits and valuations. */
export function agentLogRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.get(
    '/agent/:handle/log',
    {
      schema: {
        operationId: 'agent-log',
        summary: 'What an agent decided by itself and why, for the owner in whose time it was',
        security: ownerSigned,
        tags: ['owners'],
        params: Type.Object({ handle: Handle }),
        querystring: Type.Object({ ...pageQuery, cursor: ownCursor, owner: formerOwner }),
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
      const { owner, page, paged } = await readOwnList(services, requireOwner, request as Request, {
        name: 'log',
        handle,
        statement: `Read the log of agent ${handle}`,
        query: request.query,
        places: bySeq,
      });
      const rows = await logOf(services.db, { handle, owner, ...page });
      return paged(rows, (r) => ({
        at: r.at.toISOString(),
        action: r.action as 'rest',
        lot: r.lot,
        listingRef: r.listing_ref,
        orderId: r.order_id,
        says: r.says,
        figures: r.figures,
      }));
    },
  );
}
