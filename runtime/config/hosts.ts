import { isIP } from 'node:net';

/** True for names and addresses that only programs on this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (name === 'localhost' || name === '::1') return true;
  const [, dotted] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(name) ?? [];
  if (dotted !== undefined) return isIP(dotted) === 4 && dotted.startsWith('127.');
  // An IPv4 address within an IPv6 one, as URLs write it.
  return /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name);
}

/** True for plain http that leaves this machine, where others can read and change it. */
export function isPlainAndRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

/** Counts the different endpoints among the URLs. The same host and port counts once, whatever the path or the name. */
export function independentEndpoints(urls: readonly string[]): number {
  const places = urls.map((url) => {
    const { hostname, port, protocol } = new URL(url);
    const host = isLoopbackHost(hostname) ? 'loopback' : hostname.toLowerCase().replace(/\.$/, '');
    return `${host}:${port || (protocol === 'https:' ? 443 : 80)}`;
  });
  return new Set(places).size;
}

/** The plain http address of a port of a host; an IPv6 one stands in brackets, as in every URL. */
export function httpAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
