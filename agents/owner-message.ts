import { sha256Hex } from './canonical.ts';

/** A text that somebody asks an owner to sign. */
interface AskedText {
  readonly message: string;
  /** Stands before the body in the hash that the text names, where the text will be public. */
  readonly salt?: string | undefined;
}

/** Where a text may be from, and whose signature it may ask for. */
interface Asking {
  /** What was asked; a text for one request alone names all of it. */
  readonly url: URL;
  /** The wallet that would sign. */
  readonly address: string;
}

/** A request that waits for its owner's signature. */
interface ToSign extends Asking {
  readonly method: string;
  /** The raw body; empty when there is none. */
  readonly body: string;
}

/**
 * Whether a text binds exactly this request (EIP-4361): this site, this wallet, this method, path, query and body. A
 * wallet that signs what it is given, unread, signs for whoever can make it ask.
 * @returns null, or what is wrong
 */
export function misbinding({ message, salt }: AskedText, to: ToSign): string | null {
  const stranger = notOfSite(message, to);
  if (stranger !== null) return stranger;
  const lines = message.split('\n');
  const { origin, pathname, search } = to.url;
  const site = `${origin}${pathname}${search}`;
  if (field(lines, 'URI: ') !== site) return `it is not for ${site}`;
  const from = lines.indexOf('Resources:');
  const named = from < 0 ? [] : lines.slice(from + 1).map((line) => line.replace(/^- /, ''));
  const hash = sha256Hex(`${salt ?? ''}${to.body}`);
  const wanted = [`urn:http:method:${to.method}`, site, `urn:sha256:${hash}`];
  const missing = wanted.find((resource, i) => named[i] !== resource);
  return missing === undefined ? null : `it does not name ${missing}`;
}

/**
 * Whether a text is from this site and asks this wallet, for whichever act of the site.
 * @returns null, or what is wrong
 */
export function notOfSite(message: string, { url, address }: Asking): string | null {
  const lines = message.split('\n');
  const { host, origin } = url;
  if (!isOf(lines[0] ?? '', host, origin)) return `it is not from ${host}`;
  if (lines[1]?.toLowerCase() !== address.toLowerCase()) return `it asks another wallet than ${address}`;
  const uri = field(lines, 'URI: ');
  if (uri === null || !uri.startsWith(`${origin}/`)) return `it is not for ${origin}`;
  return null;
}

function isOf(first: string, host: string, origin: string): boolean {
  const words = ' wants you to sign in with your Ethereum account:';
  return first === `${host}${words}` || first === `${origin}${words}`;
}

function field(lines: readonly string[], name: string): string | null {
  const found = lines.filter((line) => line.startsWith(name));
  return found.length === 1 ? found[0]!.slice(name.length) : null;
}
