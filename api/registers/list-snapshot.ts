import { Type } from 'typebox';
import { snapshotMaker } from '../../runtime/registers/list-snapshot.ts';
import type { Services } from '../../runtime/services.ts';
import type { App } from '../http/app.ts';
import { EvmAddress, problems, Time } from '../schemas.ts';

const Answer = Type.Object({
  snapshot: Type.Object({
    version: Type.Literal(1),
    issuedAt: Time,
    expiresAt: Type.String({
      description: 'ISO 8601, UTC: afterwards it says of nobody that they are not listed',
    }),
    lists: Type.Array(
      Type.Object({
        list: Type.String({ description: 'register and list' }),
        holds: Type.Enum(['addresses', 'hosts']),
        asOf: Type.Union([Time, Type.Null()], { description: 'null: it only adds what it names' }),
        maxAgeDays: Type.Integer(),
        rows: Type.Integer(),
        synthetic: Type.Boolean({ description: 'made up, for demonstration or tests' }),
        entries: Type.String({
          description:
            'base64: sorted, each entry by the first eight bytes of the SHA-256 of its lower-case spelling',
        }),
      }),
    ),
  }),
  hash: Type.String({ description: 'keccak-256 of the canonical JSON (RFC 8785) of `snapshot`' }),
  signature: Type.Object({
    signer: EvmAddress,
    value: Type.String({
      description: 'EIP-712: domain SafeHandshakeLists, version 1; ListSnapshot of hash, issuedAt, expiresAt',
    }),
  }),
});

/** `GET /origin/lists`: the lists of bad addresses and sites, signed, for programs that refuse without the service. */
export function listSnapshotRoutes(app: App, services: Services): void {
  const snapshot = snapshotMaker(services);
  app.get(
    '/origin/lists',
    {
      schema: {
        operationId: 'listSnapshot',
        summary: 'The lists of bad addresses and sites, signed, to refuse by without this service',
        description:
          'Entries are hashes: whether somebody is listed can be asked of them, who is listed cannot be read. Free; ' +
          '`If-None-Match` gets 304 while nothing has changed.',
        tags: ['determinations'],
        response: { 200: Answer, 304: Type.Null({ description: 'nothing has changed' }), ...problems() },
      },
    },
    async (request, reply) => {
      const signed = await snapshot();
      const tag = `"${signed.hash}"`;
      reply.headers({ etag: tag, 'cache-control': 'public, max-age=300' });
      if (request.headers['if-none-match'] === tag) return reply.code(304).send(null);
      return { ...signed, snapshot: { ...signed.snapshot, lists: [...signed.snapshot.lists] } };
    },
  );
}
