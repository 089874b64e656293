import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import { recordTypedData } from '../../agents/records/eip712.ts';
import { merkleLeaf } from '../../agents/records/merkle.ts';
import { verdictJwt, verdictSdJwt } from '../../runtime/records/portable/portable-verdict.ts';
import { recordSignerOf } from '../../runtime/records/record-signer.ts';
import { whyWithheld } from '../../runtime/records/withheld.ts';
import type { Services } from '../../runtime/services.ts';
import { handlesOf } from '../../store/agent/agents.ts';
import { lotTitles } from '../../store/market/lot-names.ts';
import { type Appeal, linksOf } from '../../store/records/appeals.ts';
import { type FiledOutcome, outcomesOf } from '../../store/records/outcomes.ts';
import { type Retraction, retractionOf } from '../../store/records/record-status.ts';
import { loadRecord, type StoredRecord } from '../../store/records/records.ts';
import { explorerSite } from '../html/explorers.ts';
import type { App, Reply, Request } from '../http/app.ts';
import { namedAbove, replyPageOrJson } from '../http/negotiate.ts';
import { problems, RecordId } from '../schemas.ts';
import { RecordDocument } from '../shapes.ts';
import { outcomeDocument } from './outcome-document.ts';
import { type RecordNames, recordPage } from './record-page.ts';
import { VERIFICATION_RECORD_VERSION } from './verification-record.ts';

/** A record shows its first so many outcomes: its parties are few, unless somebody makes them many. */
const OUTCOMES_SHOWN = 20;

/** The forms in which a record is carried elsewhere. */
const PORTABLE = ['application/jwt', 'application/jose', 'application/dc+sd-jwt'] as const;

const Audience = Type.String({
  pattern: '^[\\x21-\\x7e]{1,200}$',
  description: 'of a portable form: who is to read it (`aud`); this service itself when left out',
});

/** `GET /records/{recordId}`: the public record, its hash, its signature and, once anchored, its proof. */
export function recordRoutes(app: App, services: Services): void {
  app.get(
    '/records/:recordId',
    {
      schema: {
        operationId: 'record',
        summary: 'A public record with everything needed to check it',
        tags: ['records'],
        description:
          'By `Accept`: a page, JSON, a JWT (`application/jwt` or `application/jose`) or an SD-JWT VC ' +
          '(`application/dc+sd-jwt`). The last two are signed by a key of `/.well-known/jwks.json`; ' +
          'of a determination they are given for a day after it was made (then 409).',
        params: Type.Object({ recordId: RecordId }),
        querystring: Type.Object({ audience: Type.Optional(Audience) }),
        response: {
          200: {
            description: 'the record, in the form that `Accept` asks for',
            content: {
              'application/json': { schema: RecordDocument },
              ...Object.fromEntries(PORTABLE.map((type) => [type, { schema: Type.String() }])),
            },
          },
          ...problems('bad-request', 'not-found', 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const stored = await loadRecord(services.db, request.params.recordId);
      if (!stored) throw new AppError('not-found', `There is no record "${request.params.recordId}".`);
      const form = namedAbove(request as Request, PORTABLE);
      if (form !== null)
        return await replyPortable(reply as Reply, services, stored, form, request.query.audience);
      const links = await linksOf(services.db, stored.record.recordId);
      const taken = await retractionOf(services.db, stored.record.recordId);
      const outcomes = await outcomesOf(services.db, stored.record.recordId, OUTCOMES_SHOWN);
      const withheld = await whyWithheld(services.db, stored);
      const shown = withheld === null ? stored : { ...stored, evidence: null, withheld };
      return replyPageOrJson(
        request as Request,
        reply as Reply,
        await recordDocument(services, shown, { links, taken, outcomes }),
        async (doc) =>
          recordPage(
            doc,
            explorerSite(services, services.home.chainId),
            await namesIn(services, stored.record),
          ),
      );
    },
  );
}

async function replyPortable(
  reply: Reply,
  { config, verdictKey: key, now }: Services,
  stored: StoredRecord,
  form: string,
  audience: string = config.baseUrl,
): Promise<Reply> {
  const issuing = { key, issuer: config.baseUrl, audience, now: now() };
  const token = await (form === 'application/dc+sd-jwt' ? verdictSdJwt : verdictJwt)(stored, issuing);
  return reply.headers({ vary: 'Accept', 'cache-control': 'no-store' }).type(form).send(token);
}

/** What people call what a record is about, and whom it names. */
async function namesIn({ db }: Services, { subject, content }: StoredRecord['record']): Promise<RecordNames> {
  const accounts = [subject, ...Object.values(content as Record<string, unknown>)].filter(
    (value) => typeof value === 'string' && isEvmAddress(value),
  );
  const [titles, handles] = await Promise.all([
    lotTitles(db, [subject]),
    handlesOf(db, accounts as string[]),
  ]);
  return { titles, handles };
}

interface Shown extends StoredRecord {
  readonly withheld?: string;
}

/** What happened to a record since it was filed. */
interface Since {
  readonly links: readonly Appeal[];
  readonly taken: Retraction | null;
  readonly outcomes: readonly FiledOutcome[];
}

async function recordDocument(
  services: Services,
  stored: Shown,
  { links, taken, outcomes }: Since,
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
      signer: await recordSignerOf(stored),
      value: signature,
      typedData: {
        ...typedData,
        message: { ...typedData.message, issuedAt: typedData.message.issuedAt.toString() },
      },
    },
    evidence,
    ...(stored.withheld === undefined ? {} : { withheld: stored.withheld }),
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
    ...(taken === null ? {} : { retracted: { reason: taken.reason, at: taken.at.toISOString() } }),
    ...(against?.overturned === true ? { overturned: true } : {}),
    ...(outcomes.length === 0 ? {} : { outcomes: outcomes.map(outcomeDocument) }),
    recordUrl: `${baseUrl}/records/${record.recordId}`,
    spec: `${baseUrl}/specs/verification-record/${VERIFICATION_RECORD_VERSION}`,
  };
}
