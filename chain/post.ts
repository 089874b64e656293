import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';

/** What came back from a POST, whatever it is. */
export interface Posted {
  readonly status: number;
  readonly text: string;
}

/** No whole answer came in time. */
export class PostTimeout extends Error {
  override readonly name = 'PostTimeout';
}

/** Servers say seldom how long they keep an idle connection; most do so longer than this. */
const IDLE_MS = 4_000;
const AGENTS = {
  'http:': new HttpAgent({ keepAlive: true, timeout: IDLE_MS }),
  'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }),
} as const;
const MOVED = new Set([307, 308]);
const MOVES = 3;

/**
 * POSTs JSON over a kept connection and reads the whole answer. A `fetch` would do the same at five to ten times the
 * cost, which a caller who waits for a dozen of them feels. Follows what keeps a POST a POST (307, 308).
 * @param options timeoutMs for everything together, the body's end included
 * @throws PostTimeout; Error when the connection fails or ends before the answer does
 */
export async function postJson(
  url: URL,
  body: string,
  options: { readonly timeoutMs: number; readonly headers?: Readonly<Record<string, string>> },
): Promise<Posted> {
  const until = performance.now() + options.timeoutMs;
  let target = url;
  for (let moves = 0; ; moves++) {
    const { status, text, location } = await once(target, body, options, until - performance.now());
    if (!MOVED.has(status) || location === undefined || moves >= MOVES) return { status, text };
    target = new URL(location, target);
  }
}

function once(
  url: URL,
  body: string,
  { timeoutMs, headers }: { readonly timeoutMs: number; readonly headers?: Readonly<Record<string, string>> },
  leftMs: number,
): Promise<Posted & { readonly location: string | undefined }> {
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const asked = (secure ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        agent: secure ? AGENTS['https:'] : AGENTS['http:'],
        headers: {
          'accept-encoding': 'gzip',
          ...headers,
          'content-type': 'application/json',
          'content-length': bytes.length,
        },
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', failed);
        answer.on('end', () => {
          clearTimeout(timer);
          try {
            const { statusCode = 0, headers: told } = answer;
            resolve({
              status: statusCode,
              text: textOf(answer, Buffer.concat(parts)),
              location: told.location,
            });
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    const failed = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    const late = (): void => {
      // First of all: what the broken connection says of itself would be another error.
      failed(new PostTimeout(`no whole answer within ${timeoutMs} ms`));
      asked.destroy();
    };
    const timer = setTimeout(late, Math.max(1, leftMs));
    asked.on('error', failed);
    asked.end(bytes);
  });
}

function textOf(answer: IncomingMessage, bytes: Buffer): string {
  return (answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
