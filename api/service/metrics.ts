import { Type } from 'typebox';
import type { App, Request } from '../http/app.ts';
import type { RequireOperator } from '../http/auth/operator-key.ts';
import { isFromThisMachine } from '../http/from-this-machine.ts';
import { problems } from '../schemas.ts';

export interface MetricsDeps {
  /** In the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
  readonly requireOperator: RequireOperator;
  /** True when programs on this machine need no key, unless a proxy forwards their request. */
  readonly open: boolean;
}

/** `GET /metrics`: the counters of this process, and what waits in all processes. */
export function metricsRoutes(app: App, deps: MetricsDeps): void {
  app.get(
    '/metrics',
    {
      config: { admission: false },
      schema: {
        operationId: 'metrics',
        summary: 'Metrics for operators, in the text format of Prometheus',
        description:
          'Takes an operator key. Where the service is not in production, a program on its own machine that asks it directly, over the loopback interface and through no proxy, needs none.',
        tags: ['service'],
        security: deps.open ? [{}, { operatorKey: [] }] : [{ operatorKey: [] }],
        response: {
          200: { description: 'The metrics', content: { 'text/plain': { schema: Type.String() } } },
          ...problems('operator-key-invalid'),
        },
      },
    },
    async (request, reply) => {
      if (!deps.open || !isFromThisMachine(request as Request))
        await deps.requireOperator(request as Request, 'metrics');
      reply.header('cache-control', 'no-store');
      return reply.type(deps.contentType).send(await deps.text());
    },
  );
}
