import { coalesced, type Exchange } from './coalesce.ts';
import { ReaderError } from './reader.ts';

/**
 * A `fetch` that answers with a whole JSON-RPC answer to the question asked, or throws. Clients bound a request by its
 * headers and take any body for theirs: here a body that never ends, one that is no JSON, and the answer to another
 * question are failures, as is whatever stands behind a status other than 2xx.
 * @param options together: what is asked at once goes in one batch
 * @throws ReaderError down, slow
 */
export function wholeAnswers(timeoutMs: number, { together = false } = {}): typeof fetch {
  // One transport asks one address with the same headers always.
  let where: Parameters<typeof fetch> | null = null;
  const gathered = coalesced((body) => exchange(where!, body, timeoutMs));
  return async (input, init) => {
    where ??= [input, init];
    const body = String(init?.body);
    const { status, text } = await (together ? gathered(body) : exchange([input, init], body, timeoutMs));
    if (status < 200 || status > 299) throw refusedHttp(status);
    requireAnswer(text, body);
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
