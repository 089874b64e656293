import { type Posted, PostTimeout, PostTooLarge, postJson } from './post.ts';

/** The node answered with a JSON-RPC 2.0 error. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The node gave no readable answer. `sent` is false only when the node certainly never got the request. */
export class RpcSilence extends Error {
  override readonly name = 'RpcSilence';
  readonly sent: boolean;
  readonly timedOut: boolean;

  constructor(message: string, fate: { sent: boolean; timedOut: boolean }, cause?: unknown) {
    super(message, { cause });
    this.sent = fate.sent;
    this.timedOut = fate.timedOut;
  }
}

/** The most bytes of an answer. A contract can return as much as gas pays for; nothing here needs nearly that much. */
const MOST_BYTES = 16_777_216;

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Makes one JSON-RPC request, without a retry: the caller knows which requests may be repeated.
 * @throws RpcRefusal, RpcSilence
 */
export async function rpc<T = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
  timeoutMs = 10_000,
): Promise<T> {
  let answer: Posted;
  try {
    const asked = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    answer = await postJson(new URL(url), asked, { timeoutMs, mostBytes: MOST_BYTES });
  } catch (error) {
    if (error instanceof PostTooLarge && method === 'eth_call')
      throw new RpcRefusal(3, `execution reverted: ${error.message}`, undefined);
    throw silence(method, error);
  }
  const { status, text } = answer;
  const body = parse(text);
  if (body?.error) throw new RpcRefusal(body.error.code, body.error.message, body.error.data);
  const ok = status >= 200 && status < 300;
  if (!ok || body === null || !('result' in body)) {
    // A gateway that answers 4xx rejected the request; one that answers 5xx may have forwarded it.
    const turnedAway = status >= 400 && status < 500;
    throw new RpcSilence(`${method}: the node answered HTTP ${status} without a result`, {
      sent: !turnedAway,
      timedOut: false,
    });
  }
  return body.result as T;
}

function silence(method: string, error: unknown): RpcSilence {
  const timedOut = error instanceof PostTimeout;
  if (timedOut) return new RpcSilence(`${method}: no answer in time`, { sent: true, timedOut }, error);
  const code = errorCode(error);
  const sent = !NEVER_SENT.has(code);
  return new RpcSilence(
    `${method}: the node is not reachable${code && ` (${code})`}`,
    { sent, timedOut },
    error,
  );
}

function errorCode(error: unknown): string {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string') return e.code;
    if (e instanceof AggregateError && e.errors.length > 0) return errorCode(e.errors[0]);
  }
  return '';
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function parse(text: string): Answer | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Answer) : null;
  } catch {
    return null;
  }
}
