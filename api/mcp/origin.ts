import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '../../runtime/config/hosts.ts';

/**
 * True for what is no page of another origin (MCP, "Security Warning" of the streamable HTTP transport). A page that
 * had its own name point to this machine (DNS rebinding) shows itself by `Origin` or `Host`: a service for this machine
 * takes names of this machine only. Programs send no `Origin`.
 */
export function isTrustedOrigin({ origin, host }: IncomingHttpHeaders, baseUrl: string): boolean {
  const own = new URL(baseUrl);
  const isLocal = isLoopbackHost(own.hostname);
  if (isLocal && host !== undefined && !isLoopbackHost(nameOf(`http://${host}`))) return false;
  if (origin === undefined) return true;
  return origin === own.origin || (isLocal && isLoopbackHost(nameOf(origin)));
}

function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
