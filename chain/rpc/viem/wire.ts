import { AnswerTooLarge } from '../bounded-answers.ts';
import { PostTimeout, PostTooLarge, postJson } from '../post.ts';
import { ReaderError } from '../reader.ts';
import type { Post, Put } from './coalesce.ts';

/** A node's answer to one request: its result, or its error. */
export interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/**
 * The most bytes of an answer by method. Logs of thousands of blocks are large; all other answers have a known size.
 */
const MOST_BYTES: Readonly<Record<string, number>> = { eth_getLogs: 33_554_432, eth_call: 1_048_576 };
const MOST_BYTES_ELSE = 4_194_304;

/**
 * Sends requests to a node; their answers may have so many bytes, or as many as those of any such method.
 * @throws AnswerTooLarge; ReaderError down, slow when there is no answer, never for an error that the node answered
 */
export type Questions = (method: string, params: unknown, mostBytes?: number) => Promise<Answer>;

/** @param put sends simultaneous requests in one batch, if it can */
export function questions(put: Put): Questions {
  let last = 0;
  return async (method, params, mostBytes = MOST_BYTES[method] ?? MOST_BYTES_ELSE) => {
    const id = ++last;
    const about = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`;
    const body = `{"jsonrpc":"2.0","id":${id},${about}}`;
    const { status, answer } = await put({ id, body, about: `${about} ${mostBytes}`, mostBytes });
    if (status < 200 || status > 299) throw refusedHttp(status);
    return answerTo(id, answer);
  };
}

/** A `Post` over a keep-alive connection. */
export function posting(rpcUrl: string, timeoutMs: number): Post {
  const url = new URL(rpcUrl);
  return async (body, mostBytes) => {
    try {
      return await postJson(url, body, { timeoutMs, ...(mostBytes === undefined ? {} : { mostBytes }) });
    } catch (cause) {
      if (cause instanceof PostTooLarge) throw new AnswerTooLarge(cause.message);
      if (cause instanceof PostTimeout) throw new ReaderError('slow', cause.message, { cause });
      throw new ReaderError('down', 'the node is not reachable', { cause });
    }
  };
}

/** A retry may help when the node is overloaded or broken, but not when it rejected the request. */
export function refusedHttp(status: number): ReaderError {
  const lasting = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new ReaderError('down', `the node answers HTTP ${status}`, { lasting });
}

/** @throws ReaderError down, unless it is a JSON-RPC answer, with a result or an error, to this question */
export function answerTo(id: unknown, told: unknown): Answer {
  if (typeof told !== 'object' || told === null) throw new ReaderError('down', 'the answer is no JSON-RPC');
  const answer = told as Answer;
  if (answer.id !== id) throw new ReaderError('down', 'the node answers another question');
  if (answer.result === undefined && !answer.error)
    throw new ReaderError('down', 'the answer holds neither a result nor an error');
  return answer;
}

/** Checks that the answer is hex-encoded bytes. @throws ReaderError down for anything else */
export function requireBytes(answer: unknown): `0x${string}` {
  if (typeof answer === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(answer)) return answer as `0x${string}`;
  throw new ReaderError('down', 'the answer has another form than bytes');
}

/** Reads a number in a node's notation. `BigInt` alone would read an empty text as zero. @throws ReaderError down */
export function requireQuantity(answer: unknown): bigint {
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,64}$/i.test(answer)) return BigInt(answer);
  throw new ReaderError('down', 'the answer has another form than a number');
}
