import { isLoopbackHost } from '../../runtime/config/hosts.ts';
import type { Request } from './app.ts';

/** Headers that proxies, load balancers and content networks add to a request that they forward. */
const PASSED_ON =
  /^(?:forwarded|via|cdn-loop|client-ip|cf-.+|fly-.+|fastly-.+|true-client-ip|x-(?:forward|real|client|cluster|original|originating|remote|proxy|proxied|envoy|amzn?-|azure|arr-|vercel|appengine|google|nf-|nginx|sucuri|akamai|cloud|varnish|http-via|bluecoat|coming-from|host|server-).*)$/;

/**
 * True when a program on this machine asks on its own behalf. All four must hold: the connection comes over loopback,
 * no header says that a proxy forwarded it, the host asked for is this machine's (a foreign page that points its own
 * name here would ask for that name), and no page of another site made the request.
 */
export function isFromThisMachine(request: Request): boolean {
  const { headers, socket } = request;
  if (!isLoopbackHost(socket.remoteAddress ?? '')) return false;
  if (Object.keys(headers).some((name) => PASSED_ON.test(name))) return false;
  if (headers.origin !== undefined || /^(?:cross|same)-site$/.test(String(headers['sec-fetch-site'] ?? '')))
    return false;
  const [, name] = /^(\[[0-9a-f:.]+\]|[^:\s]+)(?::\d+)?$/i.exec(headers.host ?? '') ?? [];
  return name !== undefined && isLoopbackHost(name);
}
