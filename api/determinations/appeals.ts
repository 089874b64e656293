import { Type } from 'typebox';
import { appealWords, disputeAppealWords } from '../../agents/checkout/wallet-words.ts';
import { AppError } from '../../agents/errors.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { appealDispute } from '../../runtime/certificates/dispute.ts';
import { appeal } from '../../runtime/determinations/appeal.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { loadRecord } from '../../store/records/records.ts';
import type { App } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { EvmAddress, OWNER_PROBLEMS, ownerSigned, problems, RecordId, Time, Verdict } from '../schemas.ts';

const Appealed = Type.Object({
  recordId: Type.String({ description: 'the record of the appeal' }),
  recordUrl: Type.String(),
  appealOf: Type.String({ description: 'the record appealed against, which stays as it is' }),
  verdict: Verdict,
  before: Verdict,
  overturned: Type.Boolean({
    description:
      'the first record is no longer held against its subject, by this appeal or one against its record',
  }),
  filedAt: Time,
});

const DisputeAppealed = Type.Object({
  disputeId: Type.String(),
  appealOf: Type.String({ description: 'the record of the first decision, which stays as it is' }),
  state: Type.Enum(['appealed', 'upheld', 'rejected'], {
    description: 'appealed: the operator decides again',
  }),
  filedAt: Time,
});

/**
 * `POST /records/{recordId}/appeal`: the subject of a FLAGGED record has it determined again on fresh evidence; a side of a
 * dispute has it decided a second time.
 */
export function appealRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.post(
    '/records/:recordId/appeal',
    {
      schema: {
        operationId: 'record-appeal',
        summary:
          'Have a FLAGGED determination made again on fresh evidence, or a dispute decided again by the operator; both records stay and name each other',
        security: ownerSigned,
        tags: ['records'],
        params: Type.Object({ recordId: RecordId }),
        body: Type.Object(
          {
            wallet: EvmAddress,
            grounds: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 500,
                description: 'your words, published; they decide nothing',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Appealed,
          201: Appealed,
          202: DisputeAppealed,
          ...problems(...OWNER_PROBLEMS, 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const { recordId } = request.params;
      const stored = await loadRecord(services.db, recordId);
      if (!stored) throw new AppError('not-found', `There is no record "${recordId}".`);
      const wallet = lowerAddress(request.body.wallet);
      const grounds = request.body.grounds ?? null;
      const isDispute = stored.record.kind === 'dispute-decision';
      await requireOwner(request, {
        wallet,
        statement: isDispute ? disputeAppealWords({ recordId, grounds }) : appealWords({ recordId, grounds }),
        chainId: HOME_CHAIN,
      });
      if (isDispute) {
        const { dispute, filedAt } = await appealDispute(
          services,
          recordId,
          { wallet, grounds },
          request.lastCall,
        );
        return reply.code(202).send({
          disputeId: dispute.disputeId,
          appealOf: recordId,
          state: dispute.second?.ruling ?? 'appealed',
          filedAt: filedAt.toISOString(),
        });
      }
      const found = await appeal(services, stored, { wallet, grounds }, request.lastCall).catch((error) => {
        if (error instanceof AppError && error.code === 'rate-limited')
          reply.header('retry-after', String(error.extra.retryAfter));
        throw error;
      });
      const { appealId, filedAt, overturned } = found.appeal;
      return reply.code(found.fresh ? 201 : 200).send({
        recordId: appealId,
        recordUrl: `${services.config.baseUrl}/records/${appealId}`,
        appealOf: recordId,
        verdict: found.verdict,
        before: found.before,
        overturned,
        filedAt: filedAt.toISOString(),
      });
    },
  );
}
