import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type ListContent, ListError, readLines, readScamSniffer } from './list-content.ts';
import { isOfDomains, readDomains, readPhishingDetect, readPlainDomains } from './list-domains.ts';
import { readEthLabels, readPlain } from './list-labels.ts';
import { readOfacSdn } from './ofac-sdn.ts';
import type { ListSource } from './settings.ts';

interface FetchLimits {
  readonly timeoutMs: number;
  readonly bytes: number;
}

/** The list of sanctions has 30 MB as XML. */
const LIMITS: FetchLimits = { timeoutMs: 120_000, bytes: 128 * 1024 * 1024 };

const MOST_HOPS = 5;

/**
 * Fetches a list and reads it to its end before anything of it is used: an answer that breaks off, is too long or is
 * something else is an error, never a shorter list.
 * @throws ListError
 */
export async function fetchList(source: ListSource, limits: FetchLimits = LIMITS): Promise<ListContent> {
  try {
    const response = await follow(source.url, AbortSignal.timeout(limits.timeoutMs));
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      throw new ListError(`its server answers HTTP ${response.status}`);
    }
    return await readList(source, bounded(response.body, limits.bytes));
  } catch (error) {
    if (error instanceof ListError) throw error;
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw new ListError(
      late
        ? `it did not come whole within ${limits.timeoutMs} ms`
        : 'its server cannot be reached, or broke off',
      { cause: error },
    );
  }
}

/**
 * Where a list lies. What was asked for by https is not taken from plain http: whoever is on the way could leave out rows.
 * @throws ListError
 */
export function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from);
  if (to === null) throw new ListError('its server redirects to what is no address');
  if (from.protocol === 'https:' && to.protocol !== 'https:')
    throw new ListError(`its server redirects from https to ${to.protocol}//${to.host}`);
  return to;
}

async function follow(address: string, signal: AbortSignal): Promise<Response> {
  let url = new URL(address);
  for (let hops = 0; hops <= MOST_HOPS; hops += 1) {
    const response = await fetch(url, { signal, redirect: 'manual' });
    const to = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || to === null) return response;
    await response.body?.cancel();
    url = redirected(url, to);
  }
  throw new ListError(`its server redirects more than ${MOST_HOPS} times`);
}

/**
 * A list that somebody fetched before.
 * @param body takes in every byte that is read
 * @throws ListError, and what the file system throws
 */
export async function listInFile(source: ListSource, file: string, body: Hash): Promise<ListContent> {
  return await readList(source, bounded(createReadStream(file), LIMITS.bytes, body));
}

async function readList(
  { register, format }: ListSource,
  bytes: AsyncIterable<Uint8Array>,
): Promise<ListContent> {
  if (format === 'ofac-sdn') return await readOfacSdn(bytes);
  const text = await textOf(bytes);
  switch (format) {
    case 'scamsniffer':
      return readScamSniffer(text);
    case 'eth-labels':
      return readEthLabels(text);
    case 'plain':
      return isOfDomains(register) ? readPlainDomains(text) : readPlain(text);
    case 'eth-phishing-detect':
      return readPhishingDetect(text, register);
    case 'scamsniffer-domains':
      return readDomains(text);
    default:
      return readLines(text, register, format);
  }
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  most: number,
  hash?: Hash,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > most) throw new ListError(`it is longer than ${most} bytes`);
    hash?.update(part);
    yield part;
  }
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new ListError('it is not valid UTF-8', { cause });
  }
}
