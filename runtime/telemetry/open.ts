import { type Meter, type Metrics, openMetrics } from './metrics.ts';
import { NO_SPANS, type Spans } from './spans.ts';

/** What a process shows of itself. */
export interface Telemetry {
  readonly spans: Spans;
  readonly metrics: Metrics;
  readonly meter: Meter;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** @param tracesUrl where traces go; the libraries for it are loaded only where there is one */
export async function openTelemetry(tracesUrl: string | null, version: string): Promise<Telemetry> {
  const metrics = openMetrics();
  const { meter } = metrics;
  if (tracesUrl === null) return { spans: NO_SPANS, metrics, meter, stop: async () => {} };
  const { openTracing } = await import('./tracing.ts');
  const tracing = openTracing(tracesUrl, version);
  // A receiver that is away is no reason not to stop.
  return { spans: tracing, metrics, meter, stop: () => tracing.stop().catch(() => {}) };
}
