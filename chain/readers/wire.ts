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

function requireAnswer(text: string, question: string): void {
  const answer = parsed(text) as { id?: unknown; result?: unknown; error?: unknown } | null;
  if (typeof answer !== 'object' || answer === null)
    throw new ReaderError('down', 'the answer is no JSON-RPC');
  if (answer.id !== (parsed(question) as { id?: unknown }).id)
    throw new ReaderError('down', 'the node answers another question');
  if (answer.result === undefined && answer.error === undefined)
    throw new ReaderError('down', 'the answer holds neither a result nor an error');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
