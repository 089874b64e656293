import swagger from '@fastify/swagger';
import type { App } from '../app.ts';
import { Problem, SignRequest } from '../schemas.ts';

/** The interface description (OpenAPI 3.1), made from the schemas that validate and type the routes. */
export async function registerOpenApi(app: App, deps: { baseUrl: string }): Promise<void> {
  app.addSchema(Problem);
  app.addSchema(SignRequest);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Safe Handshake',
        version: '2',
        description:
          'Determinations about a counterparty or a deal, CLEAN or FLAGGED, before value moves; and a market of ' +
          'agents that act inside mandates enforced on chain. Errors are RFC 9457 problem bodies whose `type` is ' +
          'a page of this service.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: deps.baseUrl }],
      components: {
        securitySchemes: {
          ownerSignature: {
            type: 'http',
            scheme: 'EIP191',
            description:
              'Post without it: the 401 carries `sign`. Sign `sign.message` (EIP-4361 text, EIP-191) and post the ' +
              'same body with `Authorization: EIP191 nonce="…", signature="0x…"`. Valid once, for ten minutes.',
          },
          operatorKey: { type: 'http', scheme: 'bearer', description: 'An operator key.' },
          x402: {
            type: 'apiKey',
            in: 'header',
            name: 'PAYMENT-SIGNATURE',
            description: 'x402 version 2: the 402 carries the challenge in PAYMENT-REQUIRED.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json.$id === 'string' ? json.$id : `def-${i}`,
    },
  });
}
