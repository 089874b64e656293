import { PostTimeout, postJson } from '../post.ts';
import type { Exchange, Post, Put } from './coalesce.ts';
import { ReaderError } from './reader.ts';

/**
 * A `fetch` that answers with a whole JSON-RPC answer to the question asked, or throws. Clients bound a request by its
 * headers and take any body for theirs: here a body that never ends, one that is no JSON, and the answer to another
 * question are failures, as is whatever stands behind a status other than 2xx.
 * @throws ReaderError down, slow
 */
export function wholeAnswers(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const body = String(init?.body);
    const { status, text } = await exchange([input, init], body, timeoutMs);
    if (status < 200 || status > 299) throw refusedHttp(status);
    answerTo((parsed(body) as { id?: unknown } | null)?.id, parsed(text));
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
}

async function exchange(
  [input, init]: Parameters<typeof fetch>,
  body: string,
  timeoutMs: number,
): Promise<Exchange> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(input, { ...init, body, signal: limit });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new ReaderError('slow', `no whole answer within ${timeoutMs} ms`, { cause: error });
  }
}

/** A node's answer to one question: its result, or its refusal. */
export interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Puts questions to a node. @throws ReaderError down, slow: only for want of an answer, never for a refusal */
export type Questions = (method: string, params: unknown) => Promise<Answer>;

/** @param put sends what is asked together in one batch, if it can */
export function questions(put: Put): Questions {
  let last = 0;
  return async (method, params) => {
    const id = ++last;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const { status, answer } = await put({ id, body });
    if (status < 200 || status > 299) throw refusedHttp(status);
    return answerTo(id, answer);
  };
}

/** A `Post` over a kept connection. */
export function posting(rpcUrl: string, timeoutMs: number): Post {
  const url = new URL(rpcUrl);
  return async (body) => {
    try {
      return await postJson(url, body, { timeoutMs });
    } catch (cause) {
      if (cause instanceof PostTimeout) throw new ReaderError('slow', cause.message, { cause });
      throw new ReaderError('down', 'the node is not reachable', { cause });
    }
  };
}

/** Another attempt may help with a node that is overrun or broken; not with one that turned the request away. */
export function refusedHttp(status: number): ReaderError {
  const lasting = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new ReaderError('down', `the node answers HTTP ${status}`, { lasting });
}

/** @throws ReaderError down, unless it is a JSON-RPC answer, with a result or an error, to this question */
function answerTo(id: unknown, told: unknown): Answer {
  if (typeof told !== 'object' || told === null) throw new ReaderError('down', 'the answer is no JSON-RPC');
  const answer = told as Answer;
  if (answer.id !== id) throw new ReaderError('down', 'the node answers another question');
  if (answer.result === undefined && !answer.error)
    throw new ReaderError('down', 'the answer holds neither a result nor an error');
  return answer;
}

/** Hex digits as a node writes bytes. @throws ReaderError down, for anything else */
export function requireBytes(answer: unknown): `0x${string}` {
  if (typeof answer === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(answer)) return answer as `0x${string}`;
  throw new ReaderError('down', 'the answer has another form than bytes');
}

/** A number as a node writes it: `BigInt` alone would take an empty text for nought. @throws ReaderError down */
export function requireQuantity(answer: unknown): bigint {
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answer)) return BigInt(answer);
  throw new ReaderError('down', 'the answer has another form than a number');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
