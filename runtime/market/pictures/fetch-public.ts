import { request as httpRequest } from 'node:http';
import { request } from 'node:https';
import { type Destinations, guardedLookup, ipOf, isAllowedAddress } from '../../webhooks/public.ts';

/** What may be taken of a stranger's server. */
export interface FetchLimits {
  readonly allowed: Destinations;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * Reads what an address of the public internet answers to a GET. No redirect is followed, nothing is sent along, and no
 * private address is asked, whatever a name resolves to.
 * @returns null for anything but a 200 within the time and the size
 */
export function fetchPublic(url: URL, { allowed, timeoutMs, maxBytes }: FetchLimits): Promise<Buffer | null> {
  const ip = ipOf(url);
  if (ip !== null && !isAllowedAddress(ip, allowed)) return Promise.resolve(null);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed.loopback))
    return Promise.resolve(null);
  const send = url.protocol === 'https:' ? request : httpRequest;
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const call = send(url, {
      agent: false,
      lookup: guardedLookup(allowed),
      signal,
      headers: { accept: '*/*' },
    });
    const none = () => {
      call.destroy();
      resolve(null);
    };
    call.on('error', none);
    // A 101 is no `response` to node, and no error either.
    call.once('upgrade', none);
    call.once('response', (response) => {
      if (response.statusCode !== 200) return none();
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) none();
        else chunks.push(chunk);
      });
      response.on('error', none);
      response.once('end', () => resolve(Buffer.concat(chunks)));
    });
    call.end();
  });
}
