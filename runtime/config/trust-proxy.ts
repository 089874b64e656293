import { isIP } from 'node:net';

/** How many proxies are in front, or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

const MOST_HOPS = 10;
/** Names of private networks that the server's proxy-addr knows. */
const NAMED = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** The shortest prefixes that are accepted; a wider network contains strangers. */
const WIDEST = { 4: 8, 6: 7 } as const;

/**
 * Reads `TRUST_PROXY`: a number of hops, or addresses and networks separated by commas.
 * @returns the setting, or what is wrong with it as a text that begins with "it "
 */
export function readTrustedProxies(text: string): { trust: TrustedProxies } | { remedy: string } {
  const said = text.toLowerCase();
  if (['true', 'yes', 'on', 'all', '*', 'any'].includes(said))
    return {
      remedy: `it must not trust every sender, who could then name any address as its own: say how many proxies stand in front (such as 1), or from which addresses they connect (such as 127.0.0.1, 10.0.0.0/8)`,
    };
  if (/^\d+$/.test(said)) {
    const hops = Number(said);
    return hops >= 1 && hops <= MOST_HOPS
      ? { trust: hops }
      : { remedy: `it must be from 1 to ${MOST_HOPS} hops; leave it unset where no proxy stands in front` };
  }
  const networks = said.split(',').map((part) => part.trim());
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined)
    return {
      remedy:
        'it must be a number of hops, or addresses and networks separated by commas, such as 127.0.0.1, 10.0.0.0/8, fd00::/8, none wider than /8 (IPv6: /7)',
    };
  return { trust: networks };
}

function isNetwork(text: string): boolean {
  if (NAMED.has(text)) return true;
  const [, address = '', prefix] = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || address === '0.0.0.0' || address === '::') return false;
  if (prefix === undefined) return true;
  const bits = Number(prefix);
  // An IPv4 network in IPv6 notation counts as IPv4, since the server treats both alike.
  const mapped = /^::ffff:/.test(address) ? 96 + WIDEST[4] : WIDEST[version as 4 | 6];
  return bits >= mapped && bits <= (version === 4 ? 32 : 128);
}
