import { AsyncResource } from 'node:async_hooks';
import { AppError } from '../../agents/errors.ts';
import type { App, Request } from './app.ts';
import { clientKey } from './client-address.ts';
import { lineOf, type Room } from './line.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False on a route that answers however busy the process is, or whose answers stay open. */
    admission?: boolean;
  }
}

/** How many requests one process has under way. */
export interface Admission {
  /** That only read, and pay for nothing. */
  readonly reads: Room;
  /** That write, or are paid for: each takes many times what a read takes. */
  readonly work: Room;
}

/**
 * As many at once as keep a process busy, also where nodes are slow to answer, and some seconds of its work in line: whoever
 * came later would wait for longer than anybody waits. One address, though it asks for the same fifty times at once, never has all.
 */
export const ADMISSION: Admission = {
  reads: { atOnce: 32, waiting: 64, each: { atOnce: 24, waiting: 48 } },
  work: { atOnce: 16, waiting: 48, each: { atOnce: 12, waiting: 40 } },
};

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
  const lines = { reads: lineOf(most.reads), work: lineOf(most.work) };
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.admission === false) {
      done();
      return;
    }
    // A turn comes when another request ends, and is no part of that one's trace.
    const leave = lines[kindOf(request)](
      clientKey(request),
      AsyncResource.bind(() => done()),
    );
    if (leave === null) done(new TooBusy());
    // Also of a client that goes away while it waits.
    else reply.raw.once('close', leave);
  });
}

/** Payments come in a header of their own (x402 version 2). */
function kindOf({ method, headers }: Request): keyof Admission {
  return method === 'GET' && headers['payment-signature'] === undefined ? 'reads' : 'work';
}
