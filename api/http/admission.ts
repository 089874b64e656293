import { AppError } from '../../agents/errors.ts';
import type { App, Request } from './app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False on a route that answers however busy the process is, or whose answers stay open. */
    admission?: boolean;
  }
}

/** How many requests one process has under way at once. */
export interface Admission {
  /** That only read, and pay for nothing. */
  readonly reads: number;
  /** That write, or are paid for: each takes many times what a read takes. */
  readonly work: number;
}

/** Some seconds of what one process does in a second: whoever came later would wait for longer than anybody waits. */
export const ADMISSION: Admission = { reads: 96, work: 64 };

/** More is under way than this process does in bearable time. It is expected, and no failure of the service. */
export class TooBusy extends AppError {
  constructor() {
    super('unavailable', 'More requests are under way than this process takes at once: try again shortly.');
  }
}

/**
 * Answers 503 with `retry-after` at once to what comes beyond what is under way already, so that those admitted are
 * answered in bounded time, and a crowd that leaves leaves nothing behind to be worked off.
 */
export function registerAdmission(app: App, most: Admission = ADMISSION): void {
  const underWay = { reads: 0, work: 0 };
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.admission === false) {
      done();
      return;
    }
    const kind = kindOf(request);
    if (underWay[kind] >= most[kind]) {
      done(new TooBusy());
      return;
    }
    underWay[kind] += 1;
    reply.raw.once('close', () => {
      underWay[kind] -= 1;
    });
    done();
  });
}

/** Payments come in a header of their own (x402 version 2). */
function kindOf({ method, headers }: Request): keyof Admission {
  return method === 'GET' && headers['payment-signature'] === undefined ? 'reads' : 'work';
}
