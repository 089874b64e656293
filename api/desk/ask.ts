import { AppError, ERRORS, type ErrorCode } from '../../agents/errors.ts';
import type { App, Request } from '../http/app.ts';
import { subrequest } from '../http/subrequests.ts';
import { SIGN_IN } from '../x402/extensions.ts';
import type { DeskRequest } from './command.ts';

/** The API's answer to a request that a page made. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** After how many seconds to ask again; null where the answer does not say. */
  readonly retryAfter: number | null;
}

/** The headers that prove or pay for a request. */
interface Proof {
  readonly authorization?: string | undefined;
  /** The value of `PAYMENT-SIGNATURE`. */
  readonly payment?: string | null | undefined;
  /** The value of `SIGN-IN-WITH-X`. */
  readonly signIn?: string | null | undefined;
}

interface Asked extends Proof {
  /** False where it is part of a request that was counted. True when left out. */
  readonly counted?: boolean;
}

/** Sends a request to this server's own public API, as the person at the page could. */
export async function ask(
  app: App,
  request: Request,
  { method, path, body }: DeskRequest,
  { authorization, payment = null, signIn = null, counted = true }: Asked = {},
): Promise<Answer> {
  const { 'x-forwarded-for': via } = request.headers;
  const options = {
    method,
    url: path,
    remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
    headers: {
      accept: 'application/json',
      'x-request-id': request.id,
      ...(via === undefined ? {} : { 'x-forwarded-for': via }),
      ...(authorization === undefined ? {} : { authorization }),
      ...(payment === null ? {} : { 'payment-signature': payment }),
      ...(signIn === null ? {} : { [SIGN_IN]: signIn }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  };
  const answer = await subrequest(app, request, options, counted);
  const retryAfter = Number(answer.headers['retry-after'] ?? Number.NaN);
  return {
    status: answer.statusCode,
    body: answer.json() as Answer['body'],
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}

/**
 * Reads what a page shows. The page counts as one request, whatever it reads.
 * @throws AppError as the API answers: what cannot be read must not look like nothing
 */
export async function read(
  app: App,
  request: Request,
  path: string,
  authorization?: string,
): Promise<Answer['body']> {
  const { status, body, retryAfter } = await ask(
    app,
    request,
    { method: 'GET', path },
    { authorization, counted: false },
  );
  if (status === 200) return body;
  const code = Object.hasOwn(ERRORS, String(body.code)) ? (body.code as ErrorCode) : 'internal';
  throw new AppError(code, String(body.detail), {
    status,
    extra: retryAfter === null ? {} : { retryAfter },
  });
}

/**
 * Does the same, but waits no longer than `patienceMs`.
 * @returns null when there was no answer by then. The request goes on, and another with the same payment gets its
 *   answer
 */
export async function askWithin(
  patienceMs: number,
  ...asked: Parameters<typeof ask>
): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null);
  });
  try {
    return await Promise.race([ask(...asked), over]);
  } finally {
    clearTimeout(timer);
  }
}
