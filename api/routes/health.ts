import { setTimeout as sleep } from 'node:timers/promises';
import type { App, Reply, Request } from '../app.ts';
import { healthPage } from '../pages/health.ts';
import { replyPageOrJson } from '../plugins/negotiate.ts';
import { problems } from '../schemas.ts';
import { HealthDocument } from '../shapes.ts';

/**
 * Asks one part how it is: resolves with facts worth showing (a block number, a waiting count), rejects when it is
 * down. A part that works but needs a person says `status: 'degraded'` and a `detail` among its facts.
 */
export type HealthCheck = () => Promise<Readonly<Record<string, unknown>>>;

export interface HealthDeps {
  readonly version: string;
  /** Seconds since start. */
  readonly uptime: () => number;
  readonly checks: {
    readonly database: HealthCheck;
    readonly queue: HealthCheck;
    readonly facilitator: HealthCheck;
    /** The lists that determinations look things up on. */
    readonly registers?: HealthCheck;
    /** By chain id. */
    readonly chains: Readonly<Record<string, HealthCheck>>;
  };
  /** How long a part may take to answer; 2,000 when left out. */
  readonly timeoutMs?: number;
}

type Part = HealthDocument['checks']['database'];

/**
 * `GET /health`. Without the database nothing works: `down`, 503. Any other part that fails makes it `degraded`,
 * and the answer stays 200.
 */
export function healthRoutes(app: App, deps: HealthDeps): void {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'health',
        summary: 'How the service and its parts are',
        tags: ['service'],
        response: { ...problems(), 200: HealthDocument, 503: HealthDocument },
      },
    },
    async (request, reply) => {
      const document = await health(deps);
      reply.header('cache-control', 'no-store').code(document.status === 'down' ? 503 : 200);
      return replyPageOrJson(request as Request, reply as Reply, document, healthPage);
    },
  );
}

async function health(deps: HealthDeps): Promise<HealthDocument> {
  const limit = deps.timeoutMs ?? 2_000;
  const names = Object.keys(deps.checks.chains);
  const [database, queue, facilitator, registers, ...chains] = await Promise.all([
    ask(deps.checks.database, limit),
    ask(deps.checks.queue, limit),
    ask(deps.checks.facilitator, limit),
    deps.checks.registers === undefined ? null : ask(deps.checks.registers, limit),
    ...names.map((name) => ask(deps.checks.chains[name]!, limit)),
  ]);
  const all = [database, queue, facilitator, ...(registers === null ? [] : [registers]), ...chains];
  return {
    status: database.status === 'down' ? 'down' : all.every((p) => p.status === 'ok') ? 'ok' : 'degraded',
    version: deps.version,
    uptimeSeconds: Math.floor(deps.uptime()),
    checks: {
      database,
      queue,
      chains: Object.fromEntries(names.map((name, i) => [name, chains[i]!])),
      facilitator,
      ...(registers === null ? {} : { registers }),
    },
  };
}

async function ask(check: HealthCheck, limitMs: number): Promise<Part> {
  const started = performance.now();
  const stop = new AbortController();
  const latencyMs = () => Math.round(performance.now() - started);
  try {
    const facts = await Promise.race([
      check(),
      sleep(limitMs, undefined, { signal: stop.signal }).then(() => {
        throw new Error('slow');
      }),
    ]);
    return { status: 'ok', ...facts, latencyMs: latencyMs() };
  } catch (error) {
    const slow = error instanceof Error && error.message === 'slow';
    // What exactly failed is for the log of that part: an address or a password has no place on a public page.
    return {
      status: 'down',
      detail: slow ? 'does not answer in time' : 'does not answer',
      latencyMs: latencyMs(),
    };
  } finally {
    stop.abort();
  }
}
