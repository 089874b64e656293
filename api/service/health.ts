import { setTimeout as sleep } from 'node:timers/promises';
import type { App, Reply, Request } from '../http/app.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { problems } from '../schemas.ts';
import { HealthDocument } from '../shapes.ts';
import { healthPage } from './health-page.ts';

/**
 * Checks one part: resolves with facts worth showing (a block number, a count of waiting jobs), rejects when the part
 * is down. A part that works but needs a person's attention adds `status: 'degraded'` and a `detail`, and one that can say
 * more of why it is down adds `status: 'down'`.
 */
export type HealthCheck = () => Promise<Readonly<Record<string, unknown>>>;

export interface HealthDeps {
  readonly version: string;
  /** Seconds since the start. */
  readonly uptime: () => number;
  readonly checks: {
    readonly database: HealthCheck;
    readonly queue: HealthCheck;
    readonly facilitator: HealthCheck;
    /** The imported lists that determinations use. */
    readonly registers?: HealthCheck;
    /** What failed settlements cost, and which payers are blocked by them. */
    readonly payments?: HealthCheck;
    /** By chain id. */
    readonly chains: Readonly<Record<string, HealthCheck>>;
  };
  /** Whether the process has been told to end; never when left out. */
  readonly isLeaving?: () => boolean;
  /** How long a part may take to answer; 2,000 when left out. */
  readonly timeoutMs?: number;
}

/** When to ask again whether it serves. */
const AGAIN_SECONDS = 1;

type Part = HealthDocument['checks']['database'];

/**
 * `GET /health`. Nothing works without the database: then it answers `down` with 503. When any other part fails it
 * answers `degraded`, with 200. A process that is about to end answers `leaving` with 503, and goes on serving.
 */
export function healthRoutes(app: App, deps: HealthDeps): void {
  app.get(
    '/health',
    {
      config: { admission: false },
      schema: {
        operationId: 'health',
        summary: 'How the service and its parts are',
        tags: ['service'],
        response: { ...problems(), 200: HealthDocument, 503: HealthDocument },
      },
    },
    async (request, reply) => {
      const document = await health(deps);
      const serves = document.status === 'ok' || document.status === 'degraded';
      reply.header('cache-control', 'no-store').code(serves ? 200 : 503);
      if (!serves) reply.header('retry-after', AGAIN_SECONDS);
      return replyPageOrJson(request as Request, reply as Reply, document, healthPage);
    },
  );
}

async function health(deps: HealthDeps): Promise<HealthDocument> {
  const limit = deps.timeoutMs ?? 2_000;
  const names = Object.keys(deps.checks.chains);
  const [database, queue, facilitator, registers, payments, ...chains] = await Promise.all([
    ask(deps.checks.database, limit),
    ask(deps.checks.queue, limit),
    ask(deps.checks.facilitator, limit),
    deps.checks.registers === undefined ? null : ask(deps.checks.registers, limit),
    deps.checks.payments === undefined ? null : ask(deps.checks.payments, limit),
    ...names.map((name) => ask(deps.checks.chains[name]!, limit)),
  ]);
  const told = [registers, payments].filter((part) => part !== null);
  const all = [database, queue, facilitator, ...told, ...chains];
  return {
    status: deps.isLeaving?.() ? 'leaving' : statusOf(database, all),
    version: deps.version,
    uptimeSeconds: Math.floor(deps.uptime()),
    checks: {
      database,
      queue,
      chains: Object.fromEntries(names.map((name, i) => [name, chains[i]!])),
      facilitator,
      ...(registers === null ? {} : { registers }),
      ...(payments === null ? {} : { payments }),
    },
  };
}

function statusOf(database: Part, all: readonly Part[]): HealthDocument['status'] {
  if (database.status === 'down') return 'down';
  return all.every((part) => part.status === 'ok') ? 'ok' : 'degraded';
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
    // The details go to the log only: a public page must not show an address or a password.
    return {
      status: 'down',
      detail: slow ? 'does not answer in time' : 'does not answer',
      latencyMs: latencyMs(),
    };
  } finally {
    stop.abort();
  }
}
