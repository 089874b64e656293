import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Destinations, guardedLookup, ipOf, isAllowedAddress } from './destination.ts';

export interface Answer {
  readonly status: number;
  /** The seconds of a Retry-After header, if there is one. */
  readonly retryAfter: number | null;
}

/**
 * Posts a message and waits for the status only. The body of the answer is not read, and no redirect is followed.
 * @throws Error in words for the owner: no answer in time, no connection, or an address that is not public
 */
export function postMessage(
  url: URL,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: { readonly allowed: Destinations; readonly timeoutMs: number },
): Promise<Answer> {
  const ip = ipOf(url);
  if (ip !== null && !isAllowedAddress(ip, options.allowed)) {
    return Promise.reject(new Error(`${ip} is not an address of the public internet`));
  }
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const call = send(url, {
      method: 'POST',
      agent: false,
      lookup: guardedLookup(options.allowed),
      signal: AbortSignal.timeout(options.timeoutMs),
      headers: {
        ...message.headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': 'safe-handshake-webhooks',
      },
    });
    call.once('response', (response) => {
      const after = Number(response.headers['retry-after']);
      resolve({ status: response.statusCode ?? 0, retryAfter: after > 0 ? after : null });
      response.destroy();
    });
    call.once('error', (error) =>
      reject(
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? new Error(`no answer within ${options.timeoutMs} ms`, { cause: error })
          : error,
      ),
    );
    // A 101 is no `response` to node, and no error either.
    call.once('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101, retryAfter: null });
    });
    call.once('close', () => reject(new Error('the connection ended without an answer')));
    call.end(message.body);
  });
}
