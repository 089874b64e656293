import { Type } from 'typebox';
import { AppError } from '../../agents/errors.ts';
import { verdictType } from '../../runtime/records/portable/portable-verdict.ts';
import { statusLists } from '../../runtime/records/portable/status-list.ts';
import type { Services } from '../../runtime/services.ts';
import type { App } from '../http/app.ts';
import { problems } from '../schemas.ts';
import { didOf } from '../x402/offer-receipt.ts';

const Jwk = Type.Object({
  kty: Type.Literal('EC'),
  crv: Type.Literal('P-256'),
  x: Type.String(),
  y: Type.String(),
  kid: Type.String({ description: 'the JWK thumbprint (RFC 7638)' }),
  alg: Type.Literal('ES256'),
  use: Type.Literal('sig'),
});
const DidDocument = Type.Object({
  id: Type.String(),
  verificationMethod: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.Literal('JsonWebKey'),
      controller: Type.String(),
      publicKeyJwk: Jwk,
    }),
  ),
  assertionMethod: Type.Array(Type.String()),
});
const STATUS_LIST = 'application/statuslist+jwt';
/** For how many seconds caches may keep keys and types, and a status list. */
const CACHE = 'public, max-age=3600';
const LIST_CACHE = 'public, max-age=60';

/** What a verifier of portable verdicts reads once and keeps: the key, the issuer, the type and the status lists. */
export function issuerRoutes(app: App, { db, now, config, verdictKey: key }: Services): void {
  const { baseUrl } = config;
  const statusList = statusLists({ db, key, issuer: baseUrl, now });

  app.get(
    '/.well-known/jwks.json',
    {
      schema: {
        operationId: 'jwks',
        summary: 'The public keys of portable verdicts, status lists, offers and receipts (RFC 7517)',
        tags: ['records'],
        response: { 200: Type.Object({ keys: Type.Array(Jwk) }), ...problems() },
      },
    },
    async (_request, reply) => reply.header('cache-control', CACHE).send({ keys: [...key.published] }),
  );

  app.get(
    '/.well-known/did.json',
    {
      schema: {
        operationId: 'did',
        summary: 'The service as a DID (did:web), by which signed offers and receipts name their key',
        tags: ['records'],
        response: { 200: DidDocument, ...problems() },
      },
    },
    async (_request, reply) => {
      const id = didOf(baseUrl);
      const methods = key.published.map((jwk) => ({
        id: `${id}#${jwk.kid}`,
        type: 'JsonWebKey' as const,
        controller: id,
        publicKeyJwk: jwk,
      }));
      return reply
        .header('cache-control', CACHE)
        .send({ id, verificationMethod: methods, assertionMethod: methods.map((m) => m.id) });
    },
  );

  app.get(
    '/.well-known/jwt-vc-issuer',
    {
      schema: {
        operationId: 'jwt-vc-issuer',
        summary: 'The issuer of the SD-JWT VCs, and where its keys are',
        tags: ['records'],
        response: { 200: Type.Object({ issuer: Type.String(), jwks_uri: Type.String() }), ...problems() },
      },
    },
    async (_request, reply) =>
      reply
        .header('cache-control', CACHE)
        .send({ issuer: baseUrl, jwks_uri: `${baseUrl}/.well-known/jwks.json` }),
  );

  app.get(
    '/credentials/verification-record',
    {
      schema: {
        operationId: 'verdict-type',
        summary: 'The type of the SD-JWT VCs (`vct`)',
        tags: ['records'],
        response: {
          200: Type.Object({ vct: Type.String(), name: Type.String(), description: Type.String() }),
          ...problems(),
        },
      },
    },
    async (_request, reply) =>
      reply.header('cache-control', CACHE).send({
        vct: verdictType(baseUrl),
        name: 'Verification record',
        description: 'A public record of Safe Handshake: what was determined about its subject, and on what.',
      }),
  );

  app.get(
    '/status-lists/:list',
    {
      schema: {
        operationId: 'status-list',
        summary: 'Which records of 131,072 were overturned or retracted (Token Status List)',
        tags: ['records'],
        params: Type.Object({ list: Type.String({ pattern: '^(?:0|[1-9][0-9]{0,12})$' }) }),
        response: {
          200: { description: 'a JWT', content: { [STATUS_LIST]: { schema: Type.String() } } },
          ...problems('bad-request', 'not-found'),
        },
      },
    },
    async (request, reply) => {
      const token = await statusList(BigInt(request.params.list));
      if (token === null) throw new AppError('not-found', `There is no status list ${request.params.list}.`);
      return reply.header('cache-control', LIST_CACHE).type(STATUS_LIST).send(token);
    },
  );
}
