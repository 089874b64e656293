import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { type Admission, registerAdmission } from './http/admission.ts';
import type { App, Reply, RouteModule } from './http/app.ts';
import { BODY_LIMIT, registerBody } from './http/body.ts';
import { registerCacheControl } from './http/cache-control.ts';
import { clientErrors, HEADER_LIMIT } from './http/client-errors.ts';
import { registerDeadline } from './http/deadline.ts';
import { registerEmptyFields } from './http/empty-fields.ts';
import { problemBody, registerErrors, toAppError } from './http/errors.ts';
import { acceptableRequestId, registerHeaders, securityHeaders } from './http/headers.ts';
import { type IdempotencyDeps, registerIdempotency } from './http/idempotency.ts';
import { registerKnownQueries } from './http/known-queries.ts';
import { registerLeaving } from './http/leaving.ts';
import { type Limits, registerLimits } from './http/limits.ts';
import { registerOpenApi } from './http/openapi.ts';
import { serializersWhenAsked } from './http/serializers.ts';
import { registerTelemetry, type TelemetryDeps } from './http/telemetry.ts';
import { trustedProxies } from './http/trusted-proxies.ts';
import { compileValidator } from './http/validation.ts';

/** How long a client may take. A slower client loses its connection. */
export interface ServerTimeouts {
  /** A whole request, from its first byte to its last. */
  readonly requestMs: number;
  /** The headers only. */
  readonly headersMs: number;
  /** An idle connection. */
  readonly idleMs: number;
}

const TIMEOUTS: ServerTimeouts = { requestMs: 30_000, headersMs: 10_000, idleMs: 75_000 };

export interface ServerDeps extends TelemetryDeps {
  /**
   * The public address, without a trailing slash. Error types, sign-in messages and the interface description contain
   * it.
   */
  readonly baseUrl: string;
  readonly log?: FastifyBaseLogger;
  readonly limits: Limits;
  readonly newRequestId: () => string;
  readonly idempotency: IdempotencyDeps;
  readonly routes: readonly RouteModule[];
  /** How many proxies are in front, or their addresses and networks. It decides whose address the limits count. */
  readonly trustProxy?: number | readonly string[] | null;
  /** In milliseconds; 30,000, 10,000 and 75,000 when left out. */
  readonly timeouts?: ServerTimeouts;
  /** Whether the process has been told to end; never when left out. */
  readonly isLeaving?: () => boolean;
  /** How many requests may be under way; what a machine of two cores bears when left out. */
  readonly admission?: Admission;
  /** How many milliseconds a handler may take; 30,000 when left out. */
  readonly handlerTimeoutMs?: number;
}

/** Builds the server, ready to `inject` or `listen`. It opens no connection itself. */
export async function buildServer(deps: ServerDeps): Promise<App> {
  const { requestMs, headersMs, idleMs } = deps.timeouts ?? TIMEOUTS;
  const options: FastifyHttpOptions<RawServerDefault, FastifyBaseLogger> = {
    ...(deps.log ? { loggerInstance: deps.log } : { logger: false }),
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    trustProxy: trustedProxies(deps.trustProxy),
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    keepAliveTimeout: idleMs,
    clientErrorHandler: clientErrors(deps),
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: Math.min(headersMs, requestMs),
      // How often Node looks for connections that exceed their time.
      connectionsCheckingInterval: Math.min(1_000, headersMs, requestMs),
    },
    // What still comes while the server closes is answered: only new connections are refused.
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildSerializer: serializersWhenAsked } },
    requestIdHeader: false,
    // The request's id comes from its logging scope. A child logger for each request would write it twice.
    childLoggerFactory: (log) => log,
    logController: new LogController({ requestIdLogLabel: 'requestId' }),
    genReqId: (raw) => {
      const given = raw.headers['x-request-id'];
      return acceptableRequestId(given) ? given : deps.newRequestId();
    },
    routerOptions: { maxParamLength: 256 },
    // A request in the form for proxies has the host in its target (RFC 9112, 3.2.2). It is removed, so that what is
    // made from the path does not contain it.
    rewriteUrl: ({ url = '/' }) =>
      url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/^(?=[?#]|$)/, '/'),
    frameworkErrors: (error, request, reply: Reply) => {
      const body = problemBody(toAppError(error), deps.baseUrl, request.id);
      reply.headers({ ...securityHeaders(deps.baseUrl), 'cache-control': 'no-store' });
      reply.code(body.status).type('application/problem+json').header('x-request-id', request.id);
      reply.send(JSON.stringify(body));
    },
  };
  const app: App = fastify(options).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(compileValidator);
  registerTelemetry(app, deps);
  registerDeadline(app, deps.handlerTimeoutMs ?? 30_000);
  registerBody(app);
  await registerHeaders(app, deps);
  if (deps.isLeaving) registerLeaving(app, deps.isLeaving);
  registerCacheControl(app);
  await registerLimits(app, deps.limits);
  registerAdmission(app, deps.admission);
  registerErrors(app, deps);
  registerIdempotency(app, deps.idempotency);
  registerKnownQueries(app);
  registerEmptyFields(app);
  await registerOpenApi(app, deps);
  for (const route of deps.routes) await route(app);
  await app.ready();
  return app;
}
