import { AppError } from '../../agents/errors.ts';
import { redriveDeadLetter } from '../../runtime/durable/jobs/redrive.ts';
import { MACHINES_BY_KIND } from '../../runtime/machines.ts';
import { registerStatus } from '../../runtime/registers/status.ts';
import type { Services } from '../../runtime/services.ts';
import type { Readings } from '../../runtime/telemetry/metrics.ts';
import { listDeadLetters } from '../../store/durable/dead-letters.ts';
import { listWorkers } from '../../store/durable/workers.ts';
import { throughput } from '../../store/records/throughput.ts';
import type { App, Reply, Request } from '../http/app.ts';
import type { operatorSignIn } from '../http/auth/operator-key.ts';
import { type Form, withForms } from '../http/forms.ts';
import { replyPage } from '../http/negotiate.ts';
import { OPERATOR } from '../words/operator.ts';
import { type OperatorView, operatorPage } from './operator-page.ts';

interface OperatorDeps {
  readonly services: Pick<Services, 'db' | 'config' | 'now' | 'log'>;
  readonly readings: Readings;
  readonly signIn: ReturnType<typeof operatorSignIn>;
}

const hidden = { schema: { hide: true } } as const;
const LETTER = /^(?:event|effect)-\d{1,18}$/;

/** `/operator`: what an operator leaves open on a screen, and lets go again what was given up. */
export function operatorRoutes(app: App, { services, readings, signIn }: OperatorDeps): Promise<void> {
  const { db, config, now, log } = services;
  /** What cannot be read now is shown as such; the rest of the page stands. */
  async function read<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      log.warn({ error, name }, 'a part of the operator page could not be read');
      return null;
    }
  }

  async function view(): Promise<OperatorView> {
    const { backlog, webhooks, quarantine, gas, relays, signers } = readings;
    const [done, deadLetters, workers, lists, ...rest] = await Promise.all([
      read('throughput', () => throughput(db)),
      read('dead letters', () => listDeadLetters(db)),
      read('workers', () => listWorkers(db)),
      read('lists', () => registerStatus(db, config.registers.sources, now())),
      read('backlog', backlog),
      read('webhooks', webhooks),
      read('quarantine', quarantine),
      read('gas', gas),
      read('relays', relays),
      read('signers', signers),
    ]);
    const [waiting, deliveries, aside, budgets, relayed, held] = rest;
    return {
      ...{ throughput: done, deadLetters, workers, lists, backlog: waiting, webhooks: deliveries },
      ...{ quarantine: aside, gas: budgets, relays: relayed, signers: held },
    };
  }

  return withForms(app, (scope) => {
    scope.get('/operator', hidden, async (request, reply) => {
      if (!(await signIn(request as Request, reply as Reply, 'metrics'))) return reply.send();
      reply.header('cache-control', 'no-store');
      return replyPage(reply, operatorPage(await view()));
    });

    scope.post('/operator/redrive', hidden, async (request, reply) => {
      // A browser sends the operator's password along with what other sites send, and says where that is from.
      if (request.headers['sec-fetch-site'] !== 'same-origin')
        throw new AppError('operator-key-invalid', 'This is done from the operator’s own page alone.');
      if (!(await signIn(request as Request, reply as Reply, 'queues'))) return reply.send();
      const { id = '' } = (request.body ?? {}) as Form;
      const done = LETTER.test(id) && (await redriveDeadLetter(db, MACHINES_BY_KIND, id, now()));
      const said = done ? OPERATOR.letters.goes(id) : OPERATOR.letters.gone(id);
      reply.header('cache-control', 'no-store');
      return replyPage(reply, operatorPage(await view(), said));
    });
  });
}
