import { AsyncResource } from 'node:async_hooks';
import { AppError } from '../../agents/errors.ts';
import type { App, Request } from './app.ts';
import { clientKey } from './client-address.ts';
import { lineOf, type Room } from './line.ts';
import { requestServed } from './subrequests.ts';

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
 * came later would wait for longer than anybody waits. One address, though it asks for the same fifty times at once, never
 * has all.
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

/** What a request holds while it is worked on, with those that it sends to this server itself. */
interface Place {
  holders: number;
  readonly leave: () => void;
}

/**
 * Answers 503 with `retry-after` at once to what comes beyond what is under way already, so that those admitted are
 * answered in bounded time, and a crowd that leaves leaves nothing behind to be worked off. A request takes its place when
 * its body is there, and gives it back with its answer: whoever sends or reads slowly holds none meanwhile.
 */
export function registerAdmission(app: App, most: Admission = ADMISSION): void {
  const lines = { reads: lineOf(most.reads), work: lineOf(most.work) };
  const places = new WeakMap<Request, Place>();
  const leave = (request: Request): void => {
    const place = places.get(request);
    if (place === undefined) return;
    places.delete(request);
    place.holders -= 1;
    if (place.holders === 0) place.leave();
  };
  /** @returns false where there is no room */
  const enter = (request: Request, begin: () => void): boolean => {
    let isItsTurn = false;
    let start = (): void => {
      isItsTurn = true;
    };
    const ended = lines[kindOf(request)](clientKey(request), () => start());
    if (ended === null) return false;
    places.set(request, { holders: 1, leave: ended });
    // Not before the place is known: what begins may already send requests that share it.
    start = begin;
    if (isItsTurn) begin();
    return true;
  };
  /** A request that helps to answer another one stands in that one's place. */
  const join = (request: Request, served: Request): void => {
    const place = places.get(served);
    if (place === undefined) return;
    place.holders += 1;
    places.set(request, place);
  };
  app.addHook('preValidation', (request, reply, done) => {
    // Also of a client that goes away while it waits.
    reply.raw.once('close', () => leave(request));
    const served = requestServed();
    if (served !== null) join(request, served);
    if (served !== null || request.routeOptions.config.admission === false) done();
    // A turn comes when another request ends, and is no part of that one's trace.
    else if (
      !enter(
        request,
        AsyncResource.bind(() => done()),
      )
    )
      done(new TooBusy());
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    leave(request);
    done(null, payload);
  });
}

/** Payments come in a header of their own (x402 version 2). */
function kindOf({ method, headers }: Request): keyof Admission {
  return method === 'GET' && headers['payment-signature'] === undefined ? 'reads' : 'work';
}
