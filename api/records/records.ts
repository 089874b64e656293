import { Type } from 'typebox';
import { hashTypedData, recoverAddress } from 'viem';
import { AppError } from '../../agents/errors.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { merkleLeaf } from '../../agents/records/merkle.ts';
import type { Services } from '../../runtime/services.ts';
import type { Database } from '../../store/database.ts';
import { findDeal } from '../../store/deal/deals.ts';
import { type Appeal, linksOf } from '../../store/records/appeals.ts';
import { loadRecord, type StoredRecord } from '../../store/records/records.ts';
import type { App } from '../http/app.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { problems } from '../schemas.ts';
import { RecordDocument } from '../shapes.ts';
import { recordPage } from './record-page.ts';
import { VERIFICATION_RECORD_VERSION } from './verification-record.ts';

const WITHHELD =
  'The deal was stopped, and no price of it is public: its evidence, which says it, is not served.';

/** `GET /records/{recordId}`: the public record, its hash, its signature and, once anchored, its proof. */
export function recordRoutes(app: App, services: Services): void {
  app.get(
    '/records/:recordId',
    {
      schema: {
        operationId: 'record',
        summary: 'A public record with everything needed to check it',
        tags: ['records'],
        params: Type.Object({ recordId: Type.String({ maxLength: 64, description: 'such as rec_…' }) }),
        response: { 200: RecordDocument, ...problems('bad-request', 'not-found') },
      },
    },
    async (request, reply) => {
      const stored = await loadRecord(services.db, request.params.recordId);
      if (!stored) throw new AppError('not-found', `There is no record "${request.params.recordId}".`);
      const links = await linksOf(services.db, stored.record.recordId);
      const shown = (await isOfStoppedDeal(services.db, stored)) ? withheld(stored) : stored;
      return replyPageOrJson(request, reply, await recordDocument(services, shown, links), recordPage);
    },
  );
}

interface Shown extends StoredRecord {
  readonly withheld?: true;
}

/** Whether it was determined on a deal that was stopped since. Its evidence says what the deal would have cleared at. */
async function isOfStoppedDeal(db: Database, { record, evidence }: StoredRecord): Promise<boolean> {
  const { dealId } = (record.content ?? {}) as { readonly dealId?: unknown };
  if (evidence === null || typeof dealId !== 'string') return false;
  return (await findDeal(db, dealId))?.state === 'stopped';
}

function withheld(stored: StoredRecord): Shown {
  return { ...stored, evidence: null, withheld: true };
}

async function recordDocument(
  services: Services,
  stored: Shown,
  links: readonly Appeal[],
): Promise<RecordDocument> {
  const { record, hash, signature, evidence, batch } = stored;
  const { baseUrl } = services.config;
  const { chainId, deployment } = services.home;
  const typedData = recordTypedData(record, hash);
  const tx = batch?.anchored ? batch.tx : null;
  const against = links.find((a) => a.recordId === record.recordId);
  const outcomeOf = links.find((a) => a.appealId === record.recordId);
  const link = (recordId: string, { filedAt }: Appeal): RecordDocument['appeal'] => ({
    recordId,
    recordUrl: `${baseUrl}/records/${recordId}`,
    filedAt: filedAt.toISOString(),
  });
  return {
    recordId: record.recordId,
    state: batch === null ? 'inscribing' : batch.anchored ? 'anchored' : 'inscribed',
    record: { ...record },
    hash,
    signature: {
      // The key of its own time: a record outlives the key that signs today's.
      signer: await recoverAddress({ hash: hashTypedData(typedData), signature }),
      value: signature,
      typedData: {
        ...typedData,
        message: { ...typedData.message, issuedAt: typedData.message.issuedAt.toString() },
      },
    },
    evidence,
    ...(stored.withheld ? { withheld: WITHHELD } : {}),
    proof:
      batch === null
        ? null
        : {
            leaf: merkleLeaf(hash),
            index: batch.leafIndex,
            siblings: [...batch.proof],
            root: batch.root,
            size: batch.size,
          },
    ledger:
      batch === null || tx === null
        ? null
        : { chainId, contract: deployment.ledger, tx, batch: batch.batchId.toString() },
    appeal: against === undefined ? null : link(against.appealId, against),
    appealOf: outcomeOf === undefined ? null : link(outcomeOf.recordId, outcomeOf),
    recordUrl: `${baseUrl}/records/${record.recordId}`,
    spec: `${baseUrl}/specs/verification-record/${VERIFICATION_RECORD_VERSION}`,
  };
}
