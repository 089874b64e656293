import { type TProperties, Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { withdrawalOf } from '../../agents/records/withdrawal.ts';
import { foundAgent } from '../../runtime/agent/live-agent.ts';
import type { Services } from '../../runtime/services.ts';
import { activeMandate, findAgent } from '../../store/agent/agents.ts';
import { listCatalogue } from '../../store/market/catalogue.ts';
import { appealAgainst } from '../../store/records/appeals.ts';
import { retractionOf } from '../../store/records/record-status.ts';
import { loadRecord } from '../../store/records/records.ts';
import type { App, Reply } from '../http/app.ts';
import { catalogueRow } from '../market/market.ts';
import { Handle, ListingRef, RecordId } from '../schemas.ts';
import { type SharePicture, sharePicture } from './share-picture.ts';
import { agentShare, HOME_SHARE, lotShare, recordShare } from './share-words.ts';

const hidden = <Params extends TProperties>(params: Params) =>
  ({ schema: { hide: true, params: Type.Object(params) } }) as const;

/** The pictures that are shown beside links to the home page, a lot, a record and an agent. */
export function shareRoutes(app: App, { db }: Pick<Services, 'db'>): void {
  app.get('/share.png', hidden({}), async (_request, reply) => send(reply as Reply, HOME_SHARE));

  app.get('/lots/:listingRef/share.png', hidden({ listingRef: ListingRef }), async (request, reply) => {
    const { listingRef } = request.params;
    const [row] = await listCatalogue(db, { listingRef, limit: 1, offset: 0 });
    if (row === undefined) throw new AppError('not-found', 'There is no such lot.');
    return send(reply as Reply, lotShare(catalogueRow(row)));
  });

  app.get('/records/:recordId/share.png', hidden({ recordId: RecordId }), async (request, reply) => {
    const { recordId } = request.params;
    const stored = await loadRecord(db, recordId);
    if (stored === null) throw new AppError('not-found', 'There is no such record.');
    const taken = await retractionOf(db, recordId);
    const overturned = (await appealAgainst(db, recordId))?.overturned === true;
    const withdrawn = withdrawalOf({ ...(taken !== null && { retracted: taken }), overturned });
    return send(
      reply as Reply,
      recordShare(stored.record, { anchored: stored.batch?.anchored === true, withdrawn }),
    );
  });

  app.get('/agent/:handle/share.png', hidden({ handle: Handle }), async (request, reply) => {
    const { handle } = request.params;
    const agent = foundAgent(handle, await findAgent(db, handle));
    const { text } = await activeMandate(db, handle);
    const { display_name: name, status } = agent;
    return send(reply as Reply, agentShare({ handle, name, status, mandate: text }));
  });
}

function send(reply: Reply, picture: SharePicture): Reply {
  return reply.header('cache-control', 'public, max-age=300').type('image/png').send(sharePicture(picture));
}
