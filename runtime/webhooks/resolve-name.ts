import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

const TIMEOUT_MS = 2_000;
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Addresses of a name that a stranger chose. The system's own look-up (getaddrinfo) would wait in one of the process's few
 * threads for as long as the stranger's name server is silent, and every other connection by name behind it: these
 * queries take no thread and end by themselves.
 * @param nameServers asked in place of the machine's own
 * @returns IPv4 first; none where nobody knows the name or no name server answers in time
 */
export async function resolveName(
  hostname: string,
  nameServers?: readonly string[],
): Promise<LookupAddress[]> {
  const local = await localAddresses(hostname);
  if (local.length > 0) return local;
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  // The time-out holds for each name server of the machine: together they get no more.
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS + 500);
  const [four, six] = await Promise.all([
    resolver.resolve4(hostname).catch(() => []),
    resolver.resolve6(hostname).catch(() => []),
  ]);
  clearTimeout(timer);
  return [
    ...four.map((address) => ({ address, family: 4 })),
    ...six.map((address) => ({ address, family: 6 })),
  ];
}

/** What the machine's hosts file says, which stands before any name server; localhost is this machine (RFC 6761). */
async function localAddresses(hostname: string): Promise<LookupAddress[]> {
  const hosts = await readFile('/etc/hosts', 'utf8').catch(() => '');
  const found: LookupAddress[] = [];
  for (const line of hosts.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family !== 0 && names.some((name) => name.toLowerCase() === hostname))
      found.push({ address, family });
  }
  return found.length === 0 && /^(.+\.)?localhost$/.test(hostname) ? [...LOOPBACK] : found;
}
