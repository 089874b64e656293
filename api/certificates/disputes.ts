import { Type } from 'typebox';
import {
  EVIDENCE_LONGEST,
  EVIDENCE_MOST,
  readDispute,
  readSaid,
  SAID,
} from '../../agents/certificates/dispute.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { disputeReplyWords, disputeWords } from '../../agents/market/goods-words.ts';
import {
  fileCertificateDispute,
  replyToDispute,
  requireDispute,
} from '../../runtime/certificates/dispute.ts';
import { controllerOf, requireCertificate } from '../../runtime/certificates/transfer-certificate.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import type { App } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { EvmAddress, OWNER_PROBLEMS, ownerSigned, problems } from '../schemas.ts';
import { DisputeDocument, disputeDocument } from './dispute-document.ts';
import { readTokenId, TokenId } from './token-id.ts';

const writeProblems = problems(...OWNER_PROBLEMS, 'conflict');
const said = (field: 'grounds' | 'reply') =>
  Type.String({
    minLength: SAID[field].least,
    maxLength: SAID[field].most,
    description: 'your words, published',
  });

/** Disputes of certificates: anybody says by signature that one is wrong, and its controller replies. */
export function disputeRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  const { now, config } = services;

  app.post(
    '/certificates/:tokenId/dispute',
    {
      schema: {
        operationId: 'certificate-dispute',
        summary: 'Dispute a certificate, once a wallet: a disclosure, until the operator holds it or decides',
        security: ownerSigned,
        tags: ['certificates'],
        params: Type.Object({ tokenId: TokenId }),
        body: Type.Object(
          {
            wallet: EvmAddress,
            grounds: said('grounds'),
            evidence: Type.Array(Type.String({ minLength: 1, maxLength: EVIDENCE_LONGEST }), {
              maxItems: EVIDENCE_MOST,
              description: 'hashes (0x and 64 hex digits) and http(s) URLs, published',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 201: DisputeDocument, ...writeProblems },
      },
    },
    async (request, reply) => {
      const tokenId = readTokenId(request.params.tokenId);
      const wallet = lowerAddress(request.body.wallet);
      const { grounds, evidence } = readDispute(request.body);
      const live = await requireCertificate(services, tokenId);
      const { serial } = live.chain;
      await requireOwner(request, {
        wallet,
        statement: disputeWords({ tokenId, serial, grounds, pieces: evidence.length }),
        chainId: HOME_CHAIN,
      });
      const dispute = await fileCertificateDispute(
        services,
        live,
        { wallet, grounds, evidence },
        request.lastCall,
      );
      return reply.code(201).send(disputeDocument(dispute, now(), config.baseUrl));
    },
  );

  app.post(
    '/certificates/:tokenId/dispute/:disputeId/reply',
    {
      schema: {
        operationId: 'certificate-dispute-reply',
        summary: "Reply to a dispute, once, as the certificate's controller, within seven days",
        security: ownerSigned,
        tags: ['certificates'],
        params: Type.Object({ tokenId: TokenId, disputeId: Type.String({ maxLength: 64 }) }),
        body: Type.Object({ reply: said('reply') }, { additionalProperties: false }),
        response: { 200: DisputeDocument, ...writeProblems },
      },
    },
    async (request) => {
      const tokenId = readTokenId(request.params.tokenId);
      const text = readSaid(request.body.reply, 'reply');
      const { disputeId } = await requireDispute(services, tokenId, request.params.disputeId);
      const live = await requireCertificate(services, tokenId);
      const by = controllerOf(live);
      await requireOwner(request, {
        wallet: by,
        statement: disputeReplyWords({ tokenId, serial: live.chain.serial, disputeId, reply: text }),
        chainId: HOME_CHAIN,
      });
      const replied = await replyToDispute(services, disputeId, { text, by }, request.lastCall);
      return disputeDocument(replied, now(), config.baseUrl);
    },
  );
}
