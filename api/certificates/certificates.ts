import { Type } from 'typebox';
import { CERTIFICATE_LIMIT, certificateMetadata } from '../../agents/certificates/certificates.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { certificateTransferWords } from '../../agents/market/goods-words.ts';
import {
  certificateEvents,
  confirmCertificateTransfer,
  controllerOf,
  isMarkedVoid,
  type LiveCertificate,
  proposeCertificateTransfer,
  requireCertificate,
} from '../../runtime/certificates/transfer-certificate.ts';
import { HOME_CHAIN, type Services } from '../../runtime/services.ts';
import { agentByAccount } from '../../store/agent/agents.ts';
import { disputesOf } from '../../store/certificates/disputes.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import type { App } from '../http/app.ts';
import type { RequireOwner } from '../http/auth/owner-signature.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { EvmAddress, Hash, OWNER_PROBLEMS, ownerSigned, problems, Time } from '../schemas.ts';
import { CertificateDocument, CertificateTypedData } from '../shapes.ts';
import { certificatePage } from './certificate-page.ts';
import { disputeDocument } from './dispute-document.ts';
import { readTokenId, TokenId } from './token-id.ts';

const Params = Type.Object({ tokenId: TokenId });

const TRANSFER_PROBLEMS = [...OWNER_PROBLEMS, 'conflict', 'disputed'] as const;

/**
 * Serves certificates of real-world lots: what one says and who holds it, and its transfer by its owner's signature.
 */
export function certificateRoutes(app: App, services: Services, requireOwner: RequireOwner): void {
  app.get(
    '/certificates/:tokenId',
    {
      schema: {
        operationId: 'certificate',
        summary:
          'A certificate of a real-world lot, its holder, history and disputes; ERC-721 metadata at the same place',
        tags: ['certificates'],
        params: Params,
        response: { 200: CertificateDocument, ...problems('bad-request', 'not-found') },
      },
    },
    async (request, reply) => {
      const live = await requireCertificate(services, readTokenId(request.params.tokenId));
      return replyPageOrJson(request, reply, await certificateDocument(services, live), certificatePage);
    },
  );

  app.post(
    '/certificates/:tokenId/transfer',
    {
      schema: {
        operationId: 'certificate-transfer',
        summary: 'Ask for the transfer of a certificate: the answer is what the contract wants signed',
        security: ownerSigned,
        tags: ['certificates'],
        params: Params,
        body: Type.Object({ to: EvmAddress }, { additionalProperties: false }),
        response: {
          202: Type.Object({
            tokenId: Type.String(),
            to: EvmAddress,
            typedData: CertificateTypedData,
            expiresAt: Time,
            confirm: Type.String({ description: 'where the signature goes' }),
          }),
          ...problems(...TRANSFER_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      const to = lowerAddress(request.body.to);
      const tokenId = readTokenId(request.params.tokenId);
      const live = await requireCertificate(services, tokenId);
      await requireOwner(request, {
        wallet: controllerOf(live),
        statement: certificateTransferWords({
          tokenId,
          serial: live.chain.serial,
          from: live.chain.holder,
          to,
        }),
        chainId: HOME_CHAIN,
      });
      request.lastCall();
      const { typedData, deadline } = await proposeCertificateTransfer(services, live, to);
      return reply.code(202).send({
        tokenId: tokenId.toString(),
        to,
        typedData,
        expiresAt: deadline.toISOString(),
        confirm: `${services.config.baseUrl}/certificates/${tokenId}/transfer/confirm`,
      });
    },
  );

  app.post(
    '/certificates/:tokenId/transfer/confirm',
    {
      schema: {
        operationId: 'certificate-transfer-confirm',
        summary: 'Send a transfer with the signature over its typed data, which the contract checks',
        tags: ['certificates'],
        params: Params,
        body: Type.Object(
          { signature: Type.String({ pattern: '^0x(?:[0-9a-fA-F]{2}){1,4096}$', description: 'EIP-712' }) },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            tokenId: Type.String(),
            from: EvmAddress,
            to: EvmAddress,
            tx: Hash,
            recordUrl: Type.String(),
          }),
          ...problems(...TRANSFER_PROBLEMS, 'relay-budget'),
        },
      },
    },
    async (request) => {
      const tokenId = readTokenId(request.params.tokenId);
      const signature = request.body.signature as `0x${string}`;
      const done = await confirmCertificateTransfer(services, tokenId, signature, request.lastCall);
      return {
        tokenId: tokenId.toString(),
        from: done.transfer.holder,
        to: done.transfer.receiver,
        tx: done.tx,
        recordUrl: `${services.config.baseUrl}/records/${done.recordId}`,
      };
    },
  );
}

const lower = (address: string | null): string | null => (address === null ? null : lowerAddress(address));

async function certificateDocument(services: Services, live: LiveCertificate): Promise<CertificateDocument> {
  const { tokenId, chain, serial } = live;
  const { chainId, deployment } = services.home;
  const held = chain.holder !== null;
  const [{ events, complete }, isVoid, agent, standing] = await Promise.all([
    certificateEvents(services, live),
    held && isMarkedVoid(services, live),
    held ? agentByAccount(services.db, lowerAddress(chain.holder as string)) : null,
    held ? liveListingOf(services.db, chain.serial) : null,
  ]);
  const holders = events.flatMap(({ from, to }) => [from, to]).flatMap((side) => lower(side) ?? []);
  const disputes = await disputesOf(services.db, tokenId.toString(), holders);
  const state = held ? (isVoid ? 'void' : 'live') : 'retired';
  const listing = state === 'live' ? standing : null;
  const { attributes, ...metadata } = certificateMetadata(
    serial,
    state,
    `${services.config.baseUrl}/certificates/${tokenId}`,
  );
  return {
    ...metadata,
    attributes: [...attributes],
    tokenId: tokenId.toString(),
    contract: lowerAddress(deployment.certificates),
    chainId,
    serial: chain.serial,
    serialKind: serial.serialKind,
    number: serial.serial,
    state,
    limit: CERTIFICATE_LIMIT,
    holder: lower(chain.holder),
    controller: lower(chain.controller),
    handle: agent?.handle ?? null,
    listingRef: listing?.listing_ref ?? null,
    asOfBlock: live.block.toString(),
    history: events.map((event) => ({
      ...event,
      from: lower(event.from),
      to: lower(event.to),
      block: event.block.toString(),
    })),
    historyComplete: complete,
    disputes: disputes.map((one) => disputeDocument(one, services.now(), services.config.baseUrl)),
  };
}
