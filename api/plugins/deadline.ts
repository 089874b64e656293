import type { FastifyRequest } from 'fastify';
import { AppError } from '../../agents/errors.ts';
import type { App } from '../app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborts when the request's time is up. */
    readonly deadline: AbortSignal;
    /**
     * Throws when the time is up, and stops the clock when it is not: the last step inside a transaction that writes,
     * so that a caller is never told `timeout` of something that is then committed.
     */
    lastCall: () => void;
  }
}

/**
 * Answers 503 `timeout` when a request takes longer than `limitMs`. Fastify's own `handlerTimeout` ends with the
 * request stream, which for a body is before the handler has begun, so the clock here runs until the answer.
 */
export function registerDeadline(app: App, limitMs: number): void {
  // Made for those who look at it: most answers are given without.
  const signals = new WeakMap<FastifyRequest, AbortController>();
  const ended = new WeakMap<FastifyRequest, AppError>();
  app.decorateRequest('deadline', {
    getter() {
      let over = signals.get(this);
      if (!over) {
        over = new AbortController();
        signals.set(this, over);
        if (ended.has(this)) over.abort(ended.get(this));
      }
      return over.signal;
    },
  });
  app.decorateRequest('lastCall');
  app.addHook('onRequest', (request, reply, done) => {
    const timer = setTimeout(() => {
      // A hijacked or finished answer is somebody else's business.
      if (reply.sent) return;
      const error = new AppError(
        'timeout',
        'The request took longer than the service allows: nothing was kept of it.',
      );
      ended.set(request, error);
      signals.get(request)?.abort(error);
      reply.send(error);
    }, limitMs);
    timer.unref();
    request.lastCall = () => {
      const late = ended.get(request);
      if (late) throw late;
      clearTimeout(timer);
    };
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}
