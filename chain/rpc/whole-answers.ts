import { ReaderError } from './reader.ts';
import type { Exchange } from './viem/coalesce.ts';
import { answerTo, refusedHttp } from './viem/wire.ts';

/**
 * A `fetch` that returns a complete JSON-RPC answer to its request, or throws. Client libraries limit the time only
 * until the headers arrive, and accept any body. Here a body that never ends, one that is not JSON, the answer to
 * another request, and any status other than 2xx are failures.
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
