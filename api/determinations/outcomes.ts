import { Type } from 'typebox';
import { EVIDENCE_LONGEST, EVIDENCE_MOST } from '../../agents/certificates/dispute.ts';
import { outcomeWords } from '../../agents/checkout/wallet-words.ts';
import { AppError, badField } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { errorRate, OUTCOMES, readOutcome, TOO_FEW } from '../../agents/records/outcome.ts';
import { tellOutcome } from '../../runtime/determinations/outcome.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { countOutcomes } from '../../store/records/outcomes.ts';
import { loadRecord } from '../../store/records/records.ts';
import type { App } from '../http/app.ts';
import { presentsOperatorKey, type RequireOperator } from '../http/auth/operator-key.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { sharedReads } from '../http/shared-reads.ts';
import { outcomeDocument } from '../records/outcome-document.ts';
import { EvmAddress, OWNER_PROBLEMS, ownerOrOperator, problems, RecordId } from '../schemas.ts';
import { FraudKindName, OutcomeDocument, VerdictRates } from '../shapes.ts';
import { verdictsPage } from './verdicts-page.ts';

interface OutcomeDeps {
  readonly services: Services;
  readonly requireOwner: RequireOwner;
  readonly requireOperator: RequireOperator;
}

/**
 * `POST /records/{recordId}/outcome`: a party of a determination's record, or the operator, says what turned out.
 * `GET /verdicts`: how often verdicts were wrong, of what was said.
 */
export function outcomeRoutes(app: App, { services, requireOwner, requireOperator }: OutcomeDeps): void {
  app.post(
    '/records/:recordId/outcome',
    {
      schema: {
        operationId: 'record-outcome',
        summary:
          'Say, once and for good, what turned out of a determination: it is counted, and judges nobody',
        security: ownerOrOperator,
        tags: ['records'],
        params: Type.Object({ recordId: RecordId }),
        body: Type.Object(
          {
            wallet: Type.Optional(EvmAddress),
            outcome: Type.Enum([...OUTCOMES]),
            kind: Type.Optional(FraudKindName),
            evidence: Type.Optional(
              Type.Array(Type.String({ minLength: 1, maxLength: EVIDENCE_LONGEST }), {
                maxItems: EVIDENCE_MOST,
                description: 'hashes (0x and 64 hex digits) and http(s) URLs, published',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          200: OutcomeDocument,
          201: OutcomeDocument,
          ...problems(...OWNER_PROBLEMS, 'operator-key-invalid', 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const { recordId } = request.params;
      const said = readOutcome(request.body);
      const byOperator = presentsOperatorKey(request);
      const wallet =
        byOperator || request.body.wallet === undefined ? null : lowerAddress(request.body.wallet);
      if (!byOperator && wallet === null)
        throw badField('wallet', 'is required: the wallet that signs what turned out');
      const stored = await loadRecord(services.db, recordId);
      if (!stored) throw new AppError('not-found', `There is no record "${recordId}".`);
      if (wallet === null) await requireOperator(request, 'outcomes');
      else {
        const { outcome, kind, evidence } = said;
        await requireOwner(request, {
          wallet,
          statement: outcomeWords({ recordId, outcome, kind, pieces: evidence.length }),
          chainId: HOME_CHAIN,
        });
      }
      const told = await tellOutcome(services, stored, { wallet, said }, request.lastCall).catch((error) => {
        if (error instanceof AppError && error.code === 'rate-limited')
          reply.header('retry-after', String(error.extra.retryAfter));
        throw error;
      });
      return reply.code(told.fresh ? 201 : 200).send(outcomeDocument(told.filed));
    },
  );

  const answer = sharedReads();
  app.get(
    '/verdicts',
    {
      schema: {
        operationId: 'verdicts',
        summary: 'How often verdicts turned out wrong, by determination, with the counts',
        tags: ['records'],
        response: { 200: VerdictRates, ...problems() },
      },
    },
    async (request, reply) => {
      const read = async (): Promise<VerdictRates> => ({
        tooFewBelow: TOO_FEW,
        items: (await countOutcomes(services.db)).map(errorRate),
      });
      return answer(request, reply, read, verdictsPage);
    },
  );
}
