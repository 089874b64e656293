import { ReaderError } from './reader.ts';

/**
 * A `fetch` that answers with a whole JSON-RPC answer to the question asked, or throws. Clients bound a request by its
 * headers and take any body for theirs: here a body that never ends, one that is no JSON, and the answer to another
 * question are failures, as is whatever stands behind a status other than 2xx.
 * @throws ReaderError down, slow
 */
export function wholeAnswers(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    try {
      const response = await fetch(input, { ...init, signal });
      const text = await response.text();
      if (!response.ok) throw refusedHttp(response.status);
      requireAnswer(text, String(init?.body));
      return new Response(text, { status: response.status, headers: response.headers });
    } catch (error) {
      if (!limit.aborted || error instanceof ReaderError) throw error;
      throw new ReaderError('slow', `no whole answer within ${timeoutMs} ms`, { cause: error });
    }
  };
}

/** Another attempt may help with a node that is overrun or broken; not with one that turned the request away. */
export function refusedHttp(status: number): ReaderError {
  const lasting = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new ReaderError('down', `the node answers HTTP ${status}`, { lasting });
}

/** @throws ReaderError down, unless the text is a JSON-RPC answer, with a result or an error, to this question */
export function requireAnswer(text: string, question: string): void {
  const answer = parsed(text) as { id?: unknown; result?: unknown; error?: unknown } | null;
  if (typeof answer !== 'object' || answer === null)
    throw new ReaderError('down', 'the answer is no JSON-RPC');
  if (answer.id !== (parsed(question) as { id?: unknown }).id)
    throw new ReaderError('down', 'the node answers another question');
  if (answer.result === undefined && answer.error === undefined)
    throw new ReaderError('down', 'the answer holds neither a result nor an error');
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
