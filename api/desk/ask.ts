import type { App, Request } from '../app.ts';
import type { DeskRequest } from './act.ts';

/** What the interface answered to a request of a page. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What goes along with a request. */
interface Proof {
  readonly authorization?: string | undefined;
  /** The `PAYMENT-SIGNATURE`. */
  readonly payment?: string | null | undefined;
}

/** Asks this very server over its public interface, as the person at the page would. */
export async function ask(
  app: App,
  request: Request,
  { method, path, body }: DeskRequest,
  { authorization, payment = null }: Proof = {},
): Promise<Answer> {
  const { 'x-forwarded-for': via } = request.headers;
  const answer = await app.inject({
    method,
    url: path,
    remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
    headers: {
      accept: 'application/json',
      'x-request-id': request.id,
      ...(via === undefined ? {} : { 'x-forwarded-for': via }),
      ...(authorization === undefined ? {} : { authorization }),
      ...(payment === null ? {} : { 'payment-signature': payment }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.json() as Answer['body'] };
}

/**
 * The same, waited for no longer than that.
 * @returns null when it was not answered by then: it goes on, and who asks with the same payment meets it there
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
