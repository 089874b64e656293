import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { currentTrace, within } from './scope.ts';
import type { Spans, StartedSpan } from './spans.ts';

const KINDS = {
  request: SpanKind.SERVER,
  mailbox: SpanKind.CONSUMER,
  effect: SpanKind.CONSUMER,
  chain: SpanKind.CLIENT,
};
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** How long a receiver that is away may hold up the end of a process. */
const RECEIVER_MS = 2_000;

export interface Tracing extends Spans {
  /** Sends what is left, and ends. */
  stop(): Promise<void>;
}

/**
 * Spans to an OTLP/HTTP receiver, in batches; one that does not answer costs spans and nothing else.
 * @param endpoint as `OTEL_EXPORTER_OTLP_ENDPOINT` names it: `/v1/traces` is added (OpenTelemetry specification,
 * "OTLP Exporter Configuration")
 */
export function openTracing(endpoint: string, version: string): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    timeoutMillis: RECEIVER_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'safe-handshake', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer('safe-handshake', version);
  const start: Spans['start'] = (kind, name, { parent = currentTrace(), attributes = {} } = {}) =>
    started(tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, contextOf(parent)));
  return {
    start,
    async run(kind, name, options, work) {
      const span = start(kind, name, options);
      try {
        const answer = await within({ trace: span.trace }, work);
        span.end();
        return answer;
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
    stop: () => provider.shutdown(),
  };
}

function contextOf(parent: string | null): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? '01', 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function started(span: Span): StartedSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    trace: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    note: (attributes) => {
      span.setAttributes({ ...attributes });
    },
    end(error) {
      if (error !== undefined) {
        const message = error instanceof Error ? error.message : String(error);
        span.setStatus({ code: SpanStatusCode.ERROR, message: message.slice(0, 500) });
      }
      span.end();
    },
  };
}
