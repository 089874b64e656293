import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyServerOptions,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { App, Reply, RouteModule } from './app.ts';
import { BODY_LIMIT, registerBody } from './plugins/body.ts';
import { registerDeadline } from './plugins/deadline.ts';
import { problemBody, registerErrors, toAppError } from './plugins/errors.ts';
import { acceptableRequestId, registerHeaders } from './plugins/headers.ts';
import { type IdempotencyDeps, registerIdempotency } from './plugins/idempotency.ts';
import { type Limits, registerLimits } from './plugins/limits.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { registerTelemetry, type TelemetryDeps } from './plugins/telemetry.ts';
import { compileValidator } from './plugins/validation.ts';

export interface ServerDeps extends TelemetryDeps {
  /** The public address, without a trailing slash: error types, sign-in messages and the interface description say it. */
  readonly baseUrl: string;
  readonly log?: FastifyBaseLogger;
  readonly limits: Limits;
  readonly newRequestId: () => string;
  readonly idempotency: IdempotencyDeps;
  readonly routes: readonly RouteModule[];
  /** Which proxies stand in front (addresses or networks): decides whose address the limits count. */
  readonly trustProxy?: boolean | string | string[];
  /** Milliseconds a handler may take; 30,000 when left out. */
  readonly handlerTimeoutMs?: number;
}

/** Builds the server, ready to `inject` or `listen`. It opens nothing by itself. */
export async function buildServer(deps: ServerDeps): Promise<App> {
  const options: FastifyServerOptions<RawServerDefault, FastifyBaseLogger> = {
    ...(deps.log ? { loggerInstance: deps.log } : { logger: false }),
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    trustProxy: deps.trustProxy ?? false,
    requestIdHeader: false,
    // The scope of a request says its id in every line: a logger of its own for each would say it again.
    childLoggerFactory: (log) => log,
    logController: new LogController({ requestIdLogLabel: 'requestId' }),
    genReqId: (raw) => {
      const given = raw.headers['x-request-id'];
      return acceptableRequestId(given) ? given : deps.newRequestId();
    },
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply: Reply) => {
      const body = problemBody(toAppError(error), deps.baseUrl, request.id);
      reply.code(body.status).type('application/problem+json').header('x-request-id', request.id);
      reply.send(JSON.stringify(body));
    },
  };
  const app: App = fastify(options).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(compileValidator);
  registerTelemetry(app, deps);
  registerDeadline(app, deps.handlerTimeoutMs ?? 30_000);
  registerBody(app);
  await registerHeaders(app);
  await registerLimits(app, deps.limits);
  registerErrors(app, deps);
  registerIdempotency(app, deps.idempotency);
  await registerOpenApi(app, deps);
  for (const route of deps.routes) await route(app);
  await app.ready();
  return app;
}
