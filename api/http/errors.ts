import { AppError, badField, ERRORS, type ErrorCode, onWire, Refusal } from '../../agents/errors.ts';
import { errorPage } from '../html/error-page.ts';
import { TooBusy } from './admission.ts';
import type { App, Reply, Request } from './app.ts';
import { AnsweredBefore, answerAgain } from './idempotency.ts';
import { prefersHtml, replyPage } from './negotiate.ts';
import { FieldsRefused } from './validation.ts';

/** A problem body as it goes over the wire (RFC 9457). */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly [member: string]: unknown;
}

declare module 'fastify' {
  interface FastifyReply {
    /** An error whose `extra` members are JSON text already. */
    written: { readonly error: AppError; readonly members: string } | null;
  }
}

/** Turns every error into a problem body that reveals nothing internal. */
export function registerErrors(app: App, deps: { baseUrl: string }): void {
  app.decorateReply('written', null);
  const answer = (request: Request, reply: Reply, error: AppError) => {
    const html = prefersHtml(request);
    const members = !html && reply.written?.error === error ? reply.written.members : null;
    const body = problemBody(error, deps.baseUrl, request.id, members === null);
    reply.code(body.status).header('cache-control', 'no-store');
    if (body.status === 401) reply.header('www-authenticate', 'EIP191');
    const { retryAfter } = error.extra;
    if ((body.status === 429 || body.status === 503) && typeof retryAfter === 'number')
      reply.header('retry-after', String(retryAfter));
    if (body.status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '2');
    reply.header('vary', 'Accept');
    if (html) return replyPage(reply, errorPage(body));
    const text = JSON.stringify(body);
    return reply
      .type('application/problem+json')
      .send(members === null ? text : `${members.slice(0, -1)},${text.slice(1)}`);
  };

  app.setErrorHandler((thrown, request, reply) => {
    if (thrown instanceof AnsweredBefore) return answerAgain(reply as Reply, thrown.answer);
    const error = toAppError(thrown, request.routeOptions.schema?.consumes);
    if (error.status >= 500 && !(error instanceof TooBusy))
      request.log.error({ err: thrown, code: error.code }, 'request failed');
    else request.log.info({ code: error.code, detail: error.message }, 'request refused');
    return answer(request, reply, error);
  });

  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const detail = `Nothing answers ${request.method} ${path.slice(0, 200)}. /openapi.json lists every route.`;
    return answer(request, reply, new AppError('not-found', detail));
  });
}

/** The problem body of an error. `type` is a page below `baseUrl` that explains the error. */
export function problemBody(
  error: AppError,
  baseUrl: string,
  requestId: string,
  withExtra = true,
): ProblemBody {
  const { title } = ERRORS[error.code];
  return {
    ...(withExtra ? error.extra : {}),
    type: `${baseUrl}/errors/${error.code}`,
    title,
    status: error.status,
    detail: error.message,
    instance: `urn:request:${requestId}`,
    code: error.code,
    requestId,
    ...(error.errors.length > 0 ? { errors: error.errors } : {}),
  };
}

/** Maps errors of the framework, the database and the network to what the caller can do about them. */
export function toAppError(thrown: unknown, consumes: readonly string[] = ['application/json']): AppError {
  if (thrown instanceof Refusal) return onWire(thrown);
  if (thrown instanceof FieldsRefused)
    return new AppError('bad-request', thrown.message, { errors: thrown.fields });
  const { code = '', statusCode = 500 } = thrown as { code?: string; statusCode?: number };
  const field = FIELDS[code];
  if (field) return badField(field[0], field[1]);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return badField('content-type', `send ${consumes.join(' or ')}`);
  const framework = FRAMEWORK[code];
  if (framework) return new AppError(framework[0], framework[1], { cause: thrown });
  if (UNREACHABLE.has(code)) {
    return new AppError('unavailable', 'A part that this request needs does not answer: try again shortly.', {
      cause: thrown,
    });
  }
  if (statusCode === 404)
    return new AppError('not-found', 'There is nothing at this address.', { cause: thrown });
  if (statusCode === 413) return new AppError('too-large', 'The request is too large.', { cause: thrown });
  if (statusCode >= 400 && statusCode < 500) {
    return badField('body', 'the request cannot be read as HTTP with a JSON body');
  }
  return new AppError(
    'internal',
    'The service failed to answer this request. Nothing in it needs to be changed.',
    {
      cause: thrown,
    },
  );
}

const FRAMEWORK: Record<string, readonly [ErrorCode, string]> = {
  FST_ERR_HANDLER_TIMEOUT: [
    'timeout',
    'The request took longer than the service allows: nothing was kept of it.',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'The body is larger than 64 KiB.'],
};

/** The field that the framework could not read, and what to send instead. */
const FIELDS: Record<string, readonly [path: string, message: string]> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['content-length', 'it does not fit the body that came'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['body', 'it is not valid JSON'],
  FST_ERR_BAD_URL: ['path', 'it is not a valid URL: escape it by percent-encoding'],
};

/**
 * Error codes of Node and Postgres for a peer that cannot be reached (class 08, 53300, 57P01–03), and of Postgres for a
 * transaction that it ended because of another one: one that hung (25P03), one that waited too long for it (55P03), or
 * one of two that waited for each other (40P01).
 */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '08000',
  '08001',
  '08003',
  '08006',
  '25P03',
  '40P01',
  '53300',
  '55P03',
  '57P01',
  '57P02',
  '57P03',
]);
