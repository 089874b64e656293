import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FetchRequest, GetUrlResponse } from 'ethers';
import { AnswerTooLarge } from '../bounded-answers.ts';

/** How long an idle connection is kept: less than servers keep theirs. */
const KEPT = { keepAlive: true, timeout: 4_000 } as const;
const CLIENTS = {
  'http:': { request: http.request, agent: new http.Agent(KEPT) },
  'https:': { request: https.request, agent: new https.Agent(KEPT) },
} as const;
/** Redirects that keep the method. */
const MOVED: ReadonlySet<number> = new Set([307, 308]);
const MOST_MOVES = 3;

/**
 * Sends what ethers asks by Node's own client, which costs a third of a `fetch`, and reads at most `mostBytes` of the
 * unpacked answer. The other reader has an exchange of its own: a fault in one must not be in both.
 * @throws AnswerTooLarge, of a status 2xx alone; Error when the connection fails or the signal aborts
 */
export async function exchange(
  asked: FetchRequest,
  body: Uint8Array,
  { mostBytes, signal }: { readonly mostBytes: number; readonly signal: AbortSignal },
): Promise<GetUrlResponse> {
  let url = new URL(asked.url);
  for (let moves = 0; ; moves++) {
    const answer = await post(url, asked.headers, body, signal);
    const { statusCode = 0, statusMessage = '', headers } = answer;
    if (MOVED.has(statusCode) && headers.location !== undefined && moves < MOST_MOVES) {
      answer.resume();
      url = new URL(headers.location, url);
      continue;
    }
    const told = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const bytes = await bytesOf(answer, mostBytes);
    return { statusCode, statusMessage, headers: Object.fromEntries(told), body: bytes };
  }
}

function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request, agent } = CLIENTS[url.protocol as keyof typeof CLIENTS];
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      ...{ method: 'POST', agent, signal },
      headers: { ...headers, 'accept-encoding': 'gzip', 'content-length': bytes.length },
    });
    asked.once('response', resolve);
    asked.once('error', reject);
    asked.end(bytes);
  });
}

/** Nothing of a page that tells of an error and is larger than that: it is told by its status. @throws AnswerTooLarge */
async function bytesOf(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const packed = answer.headers['content-encoding'] === 'gzip';
  const unpacked: Readable = packed ? answer.pipe(createGunzip()) : answer;
  // A pipe does not carry the error of a connection that breaks.
  if (packed) answer.once('error', (cause) => unpacked.destroy(cause));
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of unpacked as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) {
      answer.destroy();
      if (!isGood(answer)) return Buffer.of();
      throw new AnswerTooLarge(`the answer has more than ${mostBytes} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What else it answers is the word of a gateway, and not of a contract. */
function isGood({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}
