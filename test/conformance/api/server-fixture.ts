import { Type } from 'typebox';
import type { App, RouteModule } from '../../../api/http/app.ts';
import { specRoutes } from '../../../api/records/specs.ts';
import { pageQuery, problems, UsdIn } from '../../../api/schemas.ts';
import { buildServer, type ServerDeps } from '../../../api/server.ts';
import { errorRoutes } from '../../../api/service/errors.ts';
import { type HealthDeps, healthRoutes } from '../../../api/service/health.ts';
import { homeRoutes } from '../../../api/service/home.ts';
import { openApiRoutes } from '../../../api/service/openapi.ts';
import { pricingRoutes } from '../../../api/service/pricing.ts';
import { type Database, openDatabase } from '../../../store/database.ts';

export const BASE_URL = 'http://handshake.test';

const healthy: HealthDeps = {
  version: '0',
  uptime: () => 1,
  checks: {
    database: async () => ({}),
    queue: async () => ({}),
    facilitator: async () => ({}),
    chains: { '1002': async () => ({ block: 1 }) },
  },
};

/** The service's own routes, which need no other part. */
export const plainRoutes: RouteModule[] = [
  errorRoutes,
  specRoutes,
  openApiRoutes,
  (app) => healthRoutes(app, healthy),
  (app) =>
    homeRoutes(app, {
      baseUrl: BASE_URL,
      now: async () => ({ chains: [1002], listings: [], matches: [], latestRecord: null }),
    }),
  (app) =>
    pricingRoutes(app, {
      prices: { setting: 'test', standardListing: null },
      cards: 'test',
      coverOf: async () => null,
    }),
];

/** Routes that show one convention each. */
export function probeRoutes(app: App): void {
  app.get(
    '/probe',
    {
      schema: {
        operationId: 'probe',
        querystring: Type.Object({ ...pageQuery, flag: Type.Optional(Type.Boolean()) }),
        response: { 200: Type.Object({}, { additionalProperties: true }), ...problems('bad-request') },
      },
    },
    async (request) => ({ ...request.query, id: request.id }),
  );
  app.post(
    '/probe',
    {
      schema: {
        operationId: 'probeWrite',
        body: Type.Object(
          {
            name: Type.String({ minLength: 2 }),
            askUsd: Type.Optional(UsdIn),
            side: Type.Optional(Type.Enum(['buy', 'sell'])),
            inner: Type.Optional(Type.Object({ count: Type.Integer() }, { additionalProperties: false })),
          },
          { additionalProperties: false },
        ),
        response: { 201: Type.Object({}, { additionalProperties: true }), ...problems('bad-request') },
      },
    },
    async (request, reply) => reply.code(201).send({ ...request.body, bytes: request.rawBody.length }),
  );
}

/** A server on what the test brings; a database only where the test uses what needs one. */
export async function server(
  options: Partial<ServerDeps> & { db?: Database; clock?: () => Date } = {},
): Promise<App> {
  // Opens no connection until it is asked something.
  const db = options.db ?? openDatabase('postgres://127.0.0.1:1/none');
  const clock = options.clock ?? (() => new Date());
  let requests = 0;
  return buildServer({
    baseUrl: BASE_URL,
    limits: { reads: 10_000, writes: 10_000 },
    newRequestId: () => `req-${++requests}`,
    idempotency: { db, clock },
    routes: [...plainRoutes, probeRoutes],
    ...options,
  });
}
