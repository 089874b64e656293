import { jsonOf } from '../agents/canonical.ts';
import { isServiceCode } from '../agents/errors.ts';
import { HandshakeError, wrongField } from './errors.ts';

/** How long a client waits, and by what it asks. */
export interface TransportOptions {
  /** The platform's own when left out. */
  readonly fetch?: typeof fetch;
  /** Milliseconds that one try may take, and with the tools of `mcp` a signature of a payment; 60,000 when left out. */
  readonly timeoutMs?: number;
  /** Milliseconds that all waiting between tries may take together, by `retry-after` or longer; 30,000 when left out. */
  readonly patienceMs?: number;
  /** Ends every request of this client. */
  readonly signal?: AbortSignal;
}

export interface Sent {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A payment goes along: any 5xx leaves open whether it was taken, and the same one again finds out. */
  readonly pays?: boolean;
}

/** An answer that was read whole. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the body. */
  readonly body: unknown;
}

/** Asks once, and again while the answer says that this may help, until patience ends. */
export type Transport = (sent: Sent, signal?: AbortSignal) => Promise<Answered>;

const FIRST_WAIT_MS = 250;
const LONGEST_TRY_MS = 60_000;

/**
 * A redirect is never followed: it could carry a payment or a signature to somebody else.
 * @returns an answer of any status that no waiting can help
 * @throws HandshakeError unreachable, unexpected-answer; the reason of a signal that was aborted
 */
export function transport(options: TransportOptions): Transport {
  const ask = options.fetch ?? fetch;
  const { timeoutMs = LONGEST_TRY_MS, patienceMs = 30_000 } = options;

  async function once({ method, url, headers, body }: Sent, signal: AbortSignal | null): Promise<Answered> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await ask(url, {
        method,
        headers,
        body,
        redirect: 'error',
        signal: signal === null ? timeout : AbortSignal.any([signal, timeout]),
      });
      return { status: response.status, headers: response.headers, body: jsonOf(await response.text()) };
    } catch (cause) {
      signal?.throwIfAborted();
      throw new HandshakeError('unreachable', `${method} ${url} got no answer: ${reasonOf(cause)}.`, {
        cause,
      });
    }
  }

  return async (sent, given) => {
    const signal = anyOf(options.signal, given);
    let waited = 0;
    for (let next = FIRST_WAIT_MS; ; next *= 2) {
      signal?.throwIfAborted();
      let answered: Answered | null = null;
      let failure: unknown = null;
      try {
        answered = await once(sent, signal);
      } catch (error) {
        if (!(error instanceof HandshakeError)) throw error;
        failure = error;
      }
      const wait = answered === null ? next : waitOf(answered, next, sent.pays);
      if (wait === null || waited + wait > patienceMs) {
        if (answered === null) throw failure;
        return answered;
      }
      waited += wait;
      await pause(wait, signal);
    }
  };
}

/**
 * What the service says, and no less than the client's own wait: a service that says zero, or a time that is past, would
 * be asked without end.
 * @returns null where waiting cannot help
 */
function waitOf({ status, headers }: Answered, least: number, pays = false): number | null {
  if (status !== 429 && status !== 503 && !(pays && status >= 500)) return null;
  return Math.max(least, retryAfterMs(headers) ?? 0);
}

/** RFC 9110: seconds, or a date. @returns null where the header is absent or cannot be read */
export function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** An answer that is not the service's: with 5xx, of a gateway that did not reach it. */
export function foreign(status: number, detail: string, body?: unknown): HandshakeError {
  return new HandshakeError(status >= 500 ? 'unreachable' : 'unexpected-answer', detail, { status, body });
}

/** @throws HandshakeError of the code that the problem body names (RFC 9457) */
export function raise(answered: Answered): never {
  const { status, headers, body } = answered;
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Readonly<
    Record<string, unknown>
  >;
  const { code, detail, requestId, errors } = problem;
  if (!isServiceCode(code)) throw foreign(status, `It answered ${status}, without a known code.`, body);
  throw new HandshakeError(code, typeof detail === 'string' ? detail : code, {
    status,
    body,
    retryAfterMs: retryAfterMs(headers) ?? undefined,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    errors: Array.isArray(errors) ? errors : [],
  });
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | null {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length === 0 ? null : AbortSignal.any(given);
}

/**
 * Waits for a signature, which a wallet may never give.
 * @throws HandshakeError signature-missing once it took as long as a try may; the reason of the signal
 */
export async function signatureWithin<Signed>(
  signed: Promise<Signed>,
  { signal, timeoutMs = LONGEST_TRY_MS }: TransportOptions,
): Promise<Signed> {
  const done = new AbortController();
  const late = pause(timeoutMs, anyOf(signal, done.signal)).then(() => {
    throw new HandshakeError('signature-missing', `The account did not sign within ${timeoutMs} ms.`);
  });
  try {
    return await Promise.race([signed, late]);
  } finally {
    done.abort();
    late.catch(() => {});
  }
}

function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * A part of a request as the text that is sent.
 * @throws HandshakeError bad-request for what JSON cannot say
 */
export function jsonText(path: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw wrongField(path, 'must be what JSON can say: a bigint is given as text', { cause });
  }
}

/** What the platform says, with the cause that it keeps inside, such as a refused connection. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message;
}
