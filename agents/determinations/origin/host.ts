import { badField } from '../../errors.ts';

/** A web address as far as it says who answers there. */
export interface Host {
  /** Lower case, punycode, without a port and a final dot. */
  readonly host: string;
  readonly kind: 'name' | 'address' | 'local';
  /** What stands before an `@`, which browsers do not show and readers take for the host. */
  readonly pretended: string | null;
}

const LOCAL_NAME = /(?:^|\.)localhost$|^\[::1\]$/;
const LOCAL_IPV4 = /^(?:127\.|0\.0\.0\.0$|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether it is this machine or its network. A name may begin like a local number, as `10.example.com` does. */
function isLocal(host: string): boolean {
  return LOCAL_NAME.test(host) || (IPV4.test(host) && LOCAL_IPV4.test(host));
}

/**
 * Reads a URL, or a host by itself.
 * @throws AppError bad-request naming the field
 */
export function readHost(given: string, field = 'origin'): Host {
  const text = given.trim();
  const url = text === '' ? null : parsed(text);
  if (url === null || url.hostname === '') throw badField(field, 'must be a URL or a host name');
  if (!['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol))
    throw badField(field, 'must be an http or https URL, or a host name');
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const isAddress = IPV4.test(host) || host.startsWith('[');
  const local = isLocal(host);
  if (host.length > 253 || (!isAddress && !local && !host.includes('.')))
    throw badField(field, 'must be a URL or a host name');
  return {
    host,
    kind: local ? 'local' : isAddress ? 'address' : 'name',
    pretended: url.username === '' ? null : decodeURIComponentOr(url.username).slice(0, 100),
  };
}

function parsed(text: string): URL | null {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(whole) ? new URL(whole) : null;
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Second levels under which names are registered as under a top level. */
const SECOND_LEVELS: ReadonlySet<string> = new Set([
  'co',
  'com',
  'net',
  'org',
  'gov',
  'edu',
  'ac',
  'or',
  'ne',
  'gob',
]);

/** Where anybody gets a name from a host of pages: such a name says nothing about the owner of the rest. */
const SHARED: readonly string[] = (
  'github.io gitlab.io vercel.app netlify.app pages.dev workers.dev web.app firebaseapp.com herokuapp.com ' +
  'blogspot.com wixsite.com wixstudio.com weebly.com webflow.io framer.app framer.website gitbook.io ipfs.io ' +
  'dweb.link notion.site carrd.co godaddysites.com myshopify.com r2.dev fleek.co surge.sh glitch.me repl.co ' +
  'replit.app onrender.com azurewebsites.net cloudfront.net typedream.app square.site wordpress.com plesk.page ' +
  'lovable.app 4everland.app eth.limo eth.link on-fleek.app cloudflare-ipfs.com mystrikingly.com tilda.ws ' +
  'duckdns.org ngrok.io ngrok-free.app trycloudflare.com read-me.app pantheonsite.io 000webhostapp.com site123.me ' +
  'fly.dev deno.dev up.railway.app a.run.app appspot.com azurestaticapps.net amplifyapp.com ondigitalocean.app ' +
  'now.sh vercel.dev framer.media hf.space yolasite.com bitbucket.io codeberg.page readthedocs.io ' +
  'replit.dev modal.run ngrok.app azure-api.net on.aws'
).split(' ');

/** Of these those where projects keep pages under their own names, or names are bought. */
const OF_PROJECTS: ReadonlySet<string> = new Set(
  'github.io gitlab.io bitbucket.io codeberg.page readthedocs.io gitbook.io eth.limo eth.link'.split(' '),
);

/** Whether a host stands where anybody gets a name; `projects`: where projects often have theirs; null: it does not. */
export function sharedAs(host: string): 'anybody' | 'projects' | null {
  const suffix = sharedSuffix(host);
  if (suffix === undefined) return null;
  return OF_PROJECTS.has(suffix) ? 'projects' : 'anybody';
}

function sharedSuffix(host: string): string | undefined {
  return SHARED.find((suffix) => host.endsWith(`.${suffix}`));
}

/** The part of a name that somebody registered: one label under a public suffix, or under a shared host of pages. */
export function registrable(host: string): string {
  const shared = sharedSuffix(host);
  if (shared !== undefined) return lastLabels(host, shared.split('.').length + 1);
  const labels = host.split('.');
  const second = labels.at(-2) ?? '';
  const national = (labels.at(-1) ?? '').length === 2 && SECOND_LEVELS.has(second) && labels.length > 2;
  return lastLabels(host, national ? 3 : 2);
}

/** The label that somebody chose. */
export function ownLabel(host: string): string {
  return registrable(host).split('.')[0]!;
}

/** The labels that whoever registered a name put before it. */
export function labelsBelow(host: string): string[] {
  return host
    .slice(0, -registrable(host).length)
    .split('.')
    .filter((label) => label !== '');
}

function lastLabels(host: string, count: number): string {
  return host.split('.').slice(-count).join('.');
}

/** The host and each name above it down to the registered one: what a list may name it by. */
export function namesOf(host: string): string[] {
  const own = registrable(host);
  const names: string[] = [];
  for (let name = host; name.length >= own.length; name = name.slice(name.indexOf('.') + 1)) {
    names.push(name);
    if (name === own || !name.includes('.')) break;
  }
  return names;
}

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** A domain name as lists spell it: lower case, punycode, without a scheme, `*.`, `www.` or path; null for anything else. */
export function domainName(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^(?:\*\.|\.)/, '')
    .split(/[/?#:]/)[0]!;
  const url = bare === '' || /[\s@]/.test(bare) ? null : parsed(bare);
  const host =
    url?.hostname
      .toLowerCase()
      .replace(/\.$/, '')
      .replace(/^www\./, '') ?? '';
  const labels = host.split('.');
  const whole = labels.length > 1 && host.length <= 253 && labels.every((label) => LABEL.test(label));
  return whole && !IPV4.test(host) ? host : null;
}
