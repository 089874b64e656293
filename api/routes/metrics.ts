import { Type } from 'typebox';
import type { App } from '../app.ts';
import type { RequireOperator } from '../plugins/operator-key.ts';
import { problems } from '../schemas.ts';

export interface MetricsDeps {
  /** As Prometheus reads it. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  readonly requireOperator: RequireOperator;
  /** True where only this machine reaches the service: no key is asked for. */
  readonly open: boolean;
}

/** `GET /metrics`: what this process counted, and what waits in all of them. */
export function metricsRoutes(app: App, deps: MetricsDeps): void {
  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'metrics',
        summary: 'Metrics for operators, in the text format of Prometheus',
        description: 'Takes an operator key, unless the service is bound to the loopback interface.',
        tags: ['service'],
        ...(deps.open ? {} : { security: [{ operatorKey: [] }] }),
        response: { 200: Type.String(), ...problems('operator-key-invalid') },
      },
    },
    async (request, reply) => {
      if (!deps.open) await deps.requireOperator(request, 'metrics');
      reply.header('cache-control', 'no-store');
      return reply.type(deps.contentType).send(await deps.text());
    },
  );
}
