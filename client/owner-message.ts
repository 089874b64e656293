import { sha256Hex } from '../agents/canonical.ts';
import type { SignRequest } from './operations.ts';

/** A request that waits for its owner's signature. */
interface ToSign {
  readonly method: string;
  readonly url: URL;
  /** The raw body; empty when there is none. */
  readonly body: string;
  /** The wallet that would sign. */
  readonly address: string;
}

/**
 * Whether a text binds exactly this request (EIP-4361): this site, this wallet, this method, path, query and body. A
 * wallet that signs what it is given, unread, signs for whoever can make it ask.
 * @returns null, or what is wrong
 */
export function misbinding({ message, salt }: SignRequest, to: ToSign): string | null {
  const lines = message.split('\n');
  const { host, origin, pathname, search } = to.url;
  const site = `${origin}${pathname}${search}`;
  if (!isOf(lines[0] ?? '', host, origin)) return `it is not from ${host}`;
  if (lines[1]?.toLowerCase() !== to.address.toLowerCase())
    return `it asks another wallet than ${to.address}`;
  if (field(lines, 'URI: ') !== site) return `it is not for ${site}`;
  const from = lines.indexOf('Resources:');
  const named = from < 0 ? [] : lines.slice(from + 1).map((line) => line.replace(/^- /, ''));
  const hash = sha256Hex(`${salt ?? ''}${to.body}`);
  const wanted = [`urn:http:method:${to.method}`, site, `urn:sha256:${hash}`];
  const missing = wanted.find((resource, i) => named[i] !== resource);
  return missing === undefined ? null : `it does not name ${missing}`;
}

function isOf(first: string, host: string, origin: string): boolean {
  const words = ' wants you to sign in with your Ethereum account:';
  return first === `${host}${words}` || first === `${origin}${words}`;
}

function field(lines: readonly string[], name: string): string | null {
  const found = lines.filter((line) => line.startsWith(name));
  return found.length === 1 ? found[0]!.slice(name.length) : null;
}
