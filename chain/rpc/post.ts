import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';

/** The answer to a POST, whatever it contains. */
export interface Posted {
  readonly status: number;
  /** Empty where a page that tells of an error is larger than is read. */
  readonly text: string;
}

/** No complete answer came in time. */
export class PostTimeout extends Error {
  override readonly name = 'PostTimeout';
}

/** What was asked for is larger than allowed, and was not read to its end. */
export class PostTooLarge extends Error {
  override readonly name = 'PostTooLarge';
}

/**
 * How long an idle connection is kept. Servers rarely announce their own limit, and most keep connections longer than
 * this.
 */
const IDLE_MS = 4_000;
const AGENTS = {
  'http:': new HttpAgent({ keepAlive: true, timeout: IDLE_MS }),
  'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }),
} as const;
const MOVED = new Set([307, 308]);
const MOVES = 3;

interface PostOptions {
  readonly timeoutMs: number;
  readonly mostBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The limit for any answer, because it is held in memory as a whole. */
const MOST_BYTES = 67_108_864;

/**
 * POSTs JSON over a keep-alive connection and reads the whole answer. `fetch` would cost five to ten times as much,
 * which a caller notices who waits for a dozen answers. Follows redirects that keep the method (307, 308).
 * @param options timeoutMs for everything, up to the end of the body; mostBytes of the decompressed body, 64 MB when
 *   left out
 * @throws PostTimeout; PostTooLarge, of a status 2xx alone; Error when the connection fails or ends before the answer does
 */
export async function postJson(url: URL, body: string, options: PostOptions): Promise<Posted> {
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
  { timeoutMs, headers, mostBytes = MOST_BYTES }: PostOptions,
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
        const { statusCode: status = 0, headers: told } = answer;
        const parts: Buffer[] = [];
        let bytesRead = 0;
        const answered = (text: string): void => {
          clearTimeout(timer);
          resolve({ status, text, location: told.location });
        };
        // A long page of a gateway is told by its status, and is no long answer of whoever stands behind it.
        const tooLarge = (error: Error): void => {
          if (status >= 200 && status < 300) failed(error);
          else answered('');
        };
        answer.on('data', (part: Buffer) => {
          bytesRead += part.length;
          if (bytesRead <= mostBytes) return void parts.push(part);
          tooLarge(new PostTooLarge(`the answer has more than ${mostBytes} bytes`));
          asked.destroy();
        });
        answer.on('error', failed);
        answer.on('end', () => {
          try {
            answered(textOf(answer, Buffer.concat(parts), mostBytes));
          } catch (error) {
            if (error instanceof PostTooLarge) tooLarge(error);
            else failed(error as Error);
          }
        });
      },
    );
    const failed = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    const late = (): void => {
      // Reported first, because the destroyed connection then raises another error.
      failed(new PostTimeout(`no whole answer within ${timeoutMs} ms`));
      asked.destroy();
    };
    const timer = setTimeout(late, Math.max(1, leftMs));
    asked.on('error', failed);
    asked.end(bytes);
  });
}

/** @throws PostTooLarge for a compressed body that becomes too large */
function textOf(answer: IncomingMessage, bytes: Buffer, mostBytes: number): string {
  if (answer.headers['content-encoding'] !== 'gzip') return bytes.toString();
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes }).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new PostTooLarge(`the answer has more than ${mostBytes} bytes`);
  }
}
