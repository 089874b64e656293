import { Type } from 'typebox';
import type { Services } from '../../runtime/services.ts';
import { logOf } from '../../store/agent/agent-log.ts';
import type { App, Request } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { PagesOf } from '../http/cursors.ts';
import { bySeq, ownCursor, ownPage, ownRows } from '../http/own-cursors.ts';
import { AssetKey, Handle, OWNER_PROBLEMS, ownerSigned, pageQuery, problems, Time } from '../schemas.ts';
import { formerOwner, readOwnTime } from './own-time.ts';

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
      const list = { name: 'log', of: handle } as const;
      const page = ownRows(services.cursorSecretBox, list, request.query, bySeq.read);
      const asked = { handle, statement: `Read the log of agent ${handle}`, owner: request.query.owner };
      const owner = await readOwnTime(services, requireOwner, request as Request, asked);
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
      return ownPage(services.cursorSecretBox, list, rows, request.query, { shown, place: bySeq.place });
    },
  );
}
