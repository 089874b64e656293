import { BlockList, isIP, type LookupFunction } from 'node:net';
import { AppError, badField } from '../../agents/errors.ts';
import { resolveName } from './resolve-name.ts';

/**
 * Address ranges that are not on the public internet (IANA special-purpose registries; RFC 6890 and its successors).
 */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
// In IPv6 only the global unicast block is public, except the parts that embed an IPv4 address or are reserved.
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6');
const PRIVATE_V6 = new BlockList();
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  PRIVATE_V6.addSubnet(net, bits, 'ipv6');
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Where webhooks may be sent. On embedded chains also to programs on this machine, for trying things out. */
export interface Destinations {
  readonly loopback: boolean;
  /** Asked in place of the machine's own. */
  readonly nameServers?: readonly string[];
}

/** True when a message may be sent to this IP address. */
export function isAllowedAddress(ip: string, { loopback }: Destinations): boolean {
  const family = isIP(ip);
  if (family === 0) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (loopback && LOOPBACK.check(ip, type)) return true;
  if (type === 'ipv4') return !PRIVATE.check(ip, 'ipv4');
  return PUBLIC_V6.check(ip, 'ipv6') && !PRIVATE_V6.check(ip, 'ipv6');
}

/**
 * Parses the URL of a subscription and judges it by its text alone.
 * @throws AppError bad-request when it is not https, contains a login or a fragment, or has an IP address that is not
 *   public
 */
export function readDestination(text: string, allowed: Destinations): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw badField('url', 'give an absolute address, such as https://example.com/hook');
  const ip = ipOf(url);
  const local = allowed.loopback && (url.hostname === 'localhost' || LOOPBACK_IP(ip));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) {
    throw badField('url', 'must begin with https://');
  }
  if (url.username !== '' || url.password !== '')
    throw badField('url', 'must not carry a name or a password');
  if (url.hash !== '') throw badField('url', 'must not carry a fragment');
  if (ip !== null && !isAllowedAddress(ip, allowed)) throw notPublic();
  return url;
}

const LOOPBACK_IP = (ip: string | null): boolean =>
  ip !== null && LOOPBACK.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6');

/** The IP address in the URL; null when it has a name instead. */
export function ipOf(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}

const notPublic = () => badField('url', 'must lead to an address of the public internet');

/** How many names are looked up at once for those who register one. */
const MOST_LOOKUPS = 8;
let lookups = 0;

/**
 * @throws AppError bad-request when the name does not resolve, or resolves to an address that is not public; unavailable
 *   when too many names are being looked up
 */
export async function requireReachable(url: URL, allowed: Destinations): Promise<void> {
  if (ipOf(url) !== null) return;
  if (lookups >= MOST_LOOKUPS) {
    throw new AppError('unavailable', 'Too many names are being looked up: try again in three seconds.', {
      extra: { retryAfter: 3 },
    });
  }
  lookups += 1;
  const found = await resolveName(url.hostname, allowed.nameServers).finally(() => {
    lookups -= 1;
  });
  if (found.length === 0) throw badField('url', unknownName(url.hostname));
  if (found.some(({ address }) => !isAllowedAddress(address, allowed))) throw notPublic();
}

const unknownName = (hostname: string) =>
  `nobody knows the name ${hostname}, or its name server does not answer`;

/**
 * Checks the resolved address at every connection: a name that was public when it was registered may point elsewhere by
 * now.
 */
export function guardedLookup(allowed: Destinations): LookupFunction {
  return async (hostname, options, callback) => {
    const found = await resolveName(hostname.toLowerCase(), allowed.nameServers);
    const [first] = found;
    if (first === undefined) return callback(new Error(unknownName(hostname)), '');
    if (found.some(({ address }) => !isAllowedAddress(address, allowed)))
      return callback(new Error(`${hostname} leads to an address that is not public`), '');
    if (options.all) return callback(null, found);
    return callback(null, first.address, first.family);
  };
}
