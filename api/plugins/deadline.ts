import { AppError } from '../../agents/errors.ts';
import type { App } from '../app.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborts when the request's time is up. */
    deadline: AbortSignal;
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
  app.decorateRequest('deadline');
  app.decorateRequest('lastCall');
  app.addHook('onRequest', (request, reply, done) => {
    const over = new AbortController();
    request.deadline = over.signal;
    const timer = setTimeout(() => {
      // A hijacked or finished answer is somebody else's business.
      if (reply.sent) return;
      const error = new AppError(
        'timeout',
        'The request took longer than the service allows: nothing was kept of it.',
      );
      over.abort(error);
      reply.send(error);
    }, limitMs);
    timer.unref();
    request.lastCall = () => {
      over.signal.throwIfAborted();
      clearTimeout(timer);
    };
    reply.raw.once('close', () => clearTimeout(timer));
    done();
  });
}
