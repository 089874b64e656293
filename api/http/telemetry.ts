import type { Meter } from '../../runtime/telemetry/metrics.ts';
import { within } from '../../runtime/telemetry/scope.ts';
import { NO_SPANS, type Spans } from '../../runtime/telemetry/spans.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True on a route whose answer stays open for as long as somebody listens: that is no time it took. */
    staysOpen?: boolean;
  }
}

export interface TelemetryDeps {
  readonly spans?: Spans;
  readonly meter?: Pick<Meter, 'request'>;
}

/** Puts the request's id into each of its log lines, measures its time by route, and makes it a span. */
export function registerTelemetry(app: App, { spans = NO_SPANS, meter }: TelemetryDeps): void {
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const given = request.headers.traceparent;
    const span = spans.start('request', `${request.method} ${route}`, {
      parent: typeof given === 'string' ? given : null,
      attributes: { 'http.request.method': request.method, 'http.route': route, requestId: request.id },
    });
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw;
      if (!(request.routeOptions.config?.staysOpen === true && statusCode === 200))
        meter?.request(request.method, route, statusCode, reply.elapsedTime / 1000);
      span.note({ 'http.response.status_code': statusCode });
      span.end(statusCode >= 500 ? `answered ${statusCode}` : undefined);
    });
    within({ bindings: { requestId: request.id }, trace: span.trace }, done);
  });
}
