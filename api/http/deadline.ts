import type { FastifyRequest } from 'fastify';
import { AppError } from '../../agents/errors.ts';
import type { App } from './app.ts';
import { requestServed } from './subrequests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborts when the request's time is up, or that of the request that it helps to answer. */
    readonly deadline: AbortSignal;
    /**
     * Throws when the time is up, and stops the clock when it is not. It is the last step of a transaction that writes,
     * so that a caller is never told `timeout` about something that is then committed. It does the same for the request
     * that this one helps to answer, whose caller waits for both.
     */
    lastCall: () => void;
  }
}

/**
 * Answers 503 `timeout` when a request takes longer than `limitMs`. Fastify's own `handlerTimeout` stops when the
 * request stream ends, which is before the handler begins on a body; this clock runs until the answer. When the body
 * has not come in full, the connection is closed, too.
 */
export function registerDeadline(app: App, limitMs: number): void {
  // An abort signal is made only when somebody asks for it, because most requests never do.
  const signals = new WeakMap<FastifyRequest, AbortController>();
  const ended = new WeakMap<FastifyRequest, AppError>();
  const helped = new WeakMap<FastifyRequest, FastifyRequest>();
  /** Requests that carry a payment, or have another one carry it. */
  const paid = new WeakSet<FastifyRequest>();
  app.decorateRequest('deadline', {
    getter() {
      let over = signals.get(this);
      if (!over) {
        over = new AbortController();
        signals.set(this, over);
        if (ended.has(this)) over.abort(ended.get(this));
      }
      const served = helped.get(this);
      return served ? AbortSignal.any([over.signal, served.deadline]) : over.signal;
    },
  });
  app.decorateRequest('lastCall');
  app.addHook('onRequest', (request, reply, done) => {
    const served = requestServed();
    if (served) helped.set(request, served);
    if (request.headers['payment-signature'] !== undefined)
      for (let by: FastifyRequest | undefined = request; by; by = helped.get(by)) paid.add(by);
    const timer = setTimeout(() => {
      // The answer was sent already, or its route writes to the socket itself.
      if (reply.sent) return;
      const advice = paid.has(request)
        ? 'send the same payment again, it is charged at most once'
        : 'nothing was kept of it';
      const error = new AppError('timeout', `The request took longer than the service allows: ${advice}.`);
      ended.set(request, error);
      signals.get(request)?.abort(error);
      // Otherwise a client that sends its body slowly would keep the connection.
      if (!request.raw.complete) reply.header('connection', 'close');
      reply.send(error);
    }, limitMs);
    timer.unref();
    request.lastCall = () => {
      const late = ended.get(request);
      if (late) throw late;
      served?.lastCall();
      clearTimeout(timer);
    };
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}
