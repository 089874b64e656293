import { BlockList, isIP } from 'node:net';
import { withoutZone } from './client-address.ts';

/** Loopback and private networks, from which no stranger on the internet can connect. */
const NEAR = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  NEAR.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  NEAR.addSubnet(network, prefix, 'ipv6');

type TrustFunction = (address: string, hop: number) => boolean;

/**
 * From whom `X-Forwarded-For` is believed. A number of hops does not say who connects, so it counts only for a proxy on
 * this machine or in a private network; anybody else is a client, whatever its headers claim. List proxies with public
 * addresses by address.
 * @param trusted hops, or addresses and networks; null trusts nobody
 */
export function trustedProxies(
  trusted: number | readonly string[] | null | undefined,
): false | string[] | TrustFunction {
  if (trusted === null || trusted === undefined) return false;
  if (typeof trusted !== 'number') return [...trusted];
  return (address, hop) => hop < trusted && (hop > 0 || isNear(address));
}

function isNear(address: string): boolean {
  const plain = withoutZone(address);
  const version = isIP(plain);
  return version !== 0 && NEAR.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}
