import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';

export interface ChatOptions {
  readonly apiKey: string;
  /** Null: OpenAI's own endpoint. */
  readonly baseUrl: string | null;
  readonly model: string;
  /** The limit for the whole answer, including its body. */
  readonly timeoutMs: number;
}

export interface Ask {
  readonly system: string;
  readonly user: string;
  /** The name and JSON Schema of the answer (structured outputs). */
  readonly answer: { readonly name: string; readonly schema: object };
}

export type Said = { readonly text: string } | { readonly silence: string };

/** An answer is a few sentences long, so a longer one does not count. */
const MOST_BYTES = 262_144;
const MOST_TOKENS = 2_000;

/**
 * Asks a model behind an OpenAI-compatible endpoint one question, once. Every failure is reported in one sentence that
 * contains no key and no URL; nothing is thrown.
 */
export function chatModel({ apiKey, baseUrl, model, timeoutMs }: ChatOptions): {
  readonly by: string;
  ask(question: Ask): Promise<Said>;
} {
  const client = new OpenAI({
    apiKey,
    ...(baseUrl === null ? {} : { baseURL: baseUrl }),
    // The environment must not set the project, the organisation or the log level.
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: wholeBody(timeoutMs),
  });
  return {
    by: `${model} at ${new URL(client.baseURL).host}`,
    async ask({ system, user, answer }) {
      try {
        const { choices } = await client.chat.completions.create({
          model,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ],
          max_completion_tokens: MOST_TOKENS,
          response_format: {
            type: 'json_schema',
            json_schema: {
              name: answer.name,
              strict: true,
              schema: answer.schema as Record<string, unknown>,
            },
          },
        });
        const [choice] = choices;
        if (choice?.message === undefined) return { silence: 'its answer holds no message' };
        const { finish_reason, message } = choice;
        if (typeof message.refusal === 'string' && message.refusal !== '') return { silence: 'it refused' };
        if (finish_reason !== 'stop') return { silence: `its answer ended early (${String(finish_reason)})` };
        if (typeof message.content !== 'string') return { silence: 'its answer holds no text' };
        return { text: message.content };
      } catch (error) {
        return { silence: silenceOf(error, timeoutMs) };
      }
    },
  };
}

function silenceOf(error: unknown, timeoutMs: number): string {
  const late = `it did not answer within ${timeoutMs} ms`;
  if (error instanceof APIConnectionTimeoutError || causedBy(error, 'TimeoutError')) return late;
  if (causedBy(error, 'TooLong')) return 'its answer is too long';
  if (error instanceof APIError && error.status !== undefined) return `it answered HTTP ${error.status}`;
  if (error instanceof APIError) return 'it could not be reached';
  return 'its answer cannot be read';
}

function causedBy(error: unknown, name: string): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at.name === name) return true;
  return false;
}

/** The client's time-out covers only the headers; this one also limits the time and the size of the body. */
function wholeBody(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    // A redirection would send the question and the key to somebody else.
    const response = await fetch(input, { ...init, signal, redirect: 'error' });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw Object.assign(new Error('too long'), { name: 'TooLong' });
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), { status: response.status, headers: response.headers });
  };
}
