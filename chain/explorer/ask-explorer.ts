import { AnswerTooLarge, textOf } from '../rpc/bounded-answers.ts';
import { ExplorerError, type ExplorerOptions } from './explorer.ts';

/** Ten thousand rows have about six megabytes. */
const MOST_BYTES = 16 * 1024 * 1024;
const RETRIES = 3;
const PAUSE_MS = 300;
const TIMEOUT_MS = 5_000;
/** A server that asks for a longer pause is not waited for. */
const LONGEST_PAUSE_MS = 3_000;

/** Says of an answer of HTTP 200 that it is a rate limit. */
export type IsLimit = (body: unknown) => boolean;

/**
 * Gets one JSON document. Rate limits (HTTP 429, or as `isLimit` finds them inside an answer) are waited out a few times.
 * @returns null for HTTP 404
 * @throws ExplorerError
 */
export async function askExplorer(
  url: URL,
  { timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS }: Pick<ExplorerOptions, 'timeoutMs' | 'pauseMs'>,
  isLimit: IsLimit = () => false,
): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    const { status, retryAfterMs, text } = await get(url, timeoutMs);
    const body = status === 200 ? parsed(text) : null;
    if (status === 404) return null;
    const limited = status === 429 || (status === 200 && isLimit(body));
    if (status === 200 && !limited) return body;
    if (!limited) throw new ExplorerError('down', `the explorer answers HTTP ${status}`);
    const pause = Math.max(pauseMs * 2 ** attempt, retryAfterMs);
    if (attempt >= RETRIES || pause > LONGEST_PAUSE_MS)
      throw new ExplorerError('limited', 'the explorer answers that it was asked too often');
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function get(
  url: URL,
  timeoutMs: number,
): Promise<{ status: number; retryAfterMs: number; text: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    return {
      status: response.status,
      retryAfterMs: Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : 0,
      text: await textOf(response, MOST_BYTES),
    };
  } catch (cause) {
    if (cause instanceof AnswerTooLarge) throw new ExplorerError('malformed', cause.message, { cause });
    if (signal.aborted)
      throw new ExplorerError('slow', `the explorer did not answer within ${timeoutMs} ms`, { cause });
    // The cause may quote the URL, which may contain a key.
    throw new ExplorerError('down', 'the explorer cannot be reached, or broke off');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExplorerError('malformed', 'the explorer does not answer JSON');
  }
}
