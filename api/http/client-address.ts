import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { Request } from './app.ts';

/**
 * The caller as rate limits count it: the address that connects or, behind a trusted proxy, the address that the proxy
 * names. An IPv6 address counts as its /64, because a caller usually has the whole /64. A port that the proxy adds is
 * ignored. What is no address counts as the proxy itself.
 */
export function clientKey(request: Request): string {
  const said = plainAddress(request.ip);
  const address = isIP(said) === 0 ? plainAddress(request.socket.remoteAddress ?? '') : said;
  return isIP(address) === 0 ? 'unknown' : normalizeIP(address);
}

/** Strips port, brackets and zone from `203.0.113.7:4711`, `[2001:db8::7]:4711` and `fe80::7%eth0`. */
function plainAddress(text: string): string {
  const trimmed = text.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? [];
  const [, dotted] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed) ?? [];
  return withoutZone(bracketed ?? dotted ?? trimmed);
}

/** Strips the zone of a link-local IPv6 address, which is the interface behind `%`. */
export function withoutZone(address: string): string {
  return address.split('%', 1)[0] as string;
}
