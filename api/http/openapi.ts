import swagger from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import { type TProperties, Type } from 'typebox';
import { ERRORS } from '../../agents/errors.ts';
import { Problem, type ProblemEntry, problem, SignRequest } from '../schemas.ts';
import { WEBHOOKS } from '../webhooks/webhook-description.ts';
import type { App } from './app.ts';

/** Serves the interface description (OpenAPI 3.1), generated from the schemas that validate and type the routes. */
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
      webhooks: WEBHOOKS,
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
    transform: ({ schema, url, route }) => ({ schema: withConventions(withDefaults(schema), route), url }),
  });
}

/** A query whose parameters with a default may be left out: a handler always has them, who asks need not send them. */
function withDefaults(schema: FastifySchema | undefined): FastifySchema | undefined {
  const query = schema?.querystring as
    | { readonly required?: readonly string[]; readonly properties: Readonly<Record<string, object>> }
    | undefined;
  if (query?.required === undefined) return schema;
  const required = query.required.filter((name) => !('default' in (query.properties[name] ?? {})));
  return { ...schema, querystring: { ...query, required } };
}

const IdempotencyKey = Type.Optional(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,255}$',
    description: 'the same key with the same body is one act, and gets the same answer',
  }),
);

/**
 * Adds the answers that every write can give: the body cannot be read, or is too large; the idempotency key was used.
 */
function withConventions(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  const methods = [route.method].flat();
  if (!schema?.response || methods.includes('GET')) return schema ?? {};
  const response = { ...(schema.response as Record<number, ProblemEntry>) };
  const also = (status: number, code: keyof typeof ERRORS, when: string): void => {
    const own = response[status]?.description;
    const words = `\`${code}\`: ${when}`;
    if (own?.includes(words)) return;
    response[status] = problem(own === undefined ? words : `${own}; ${words}`);
  };
  for (const code of ['bad-request', 'too-large'] as const)
    also(ERRORS[code].status, code, ERRORS[code].title);
  if (!methods.includes('POST') || route.config?.idempotency === false) return { ...schema, response };
  also(409, 'conflict', 'the first request with this Idempotency-Key is still under way');
  also(422, 'conflict', 'this Idempotency-Key was used with another body');
  const own = (schema.headers as { properties?: TProperties } | undefined)?.properties;
  return { ...schema, headers: Type.Object({ ...own, 'idempotency-key': IdempotencyKey }), response };
}
