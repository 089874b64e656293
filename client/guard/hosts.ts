import { isOfOneScript, looksOf } from '../../agents/determinations/origin/confusable.ts';
import { labelsBelow, ownLabel, registrable } from '../../agents/determinations/origin/host.ts';

/** Host names of this machine: nobody stands between. A stranger's name may begin like its address, as `127.example`. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (isIpAddress(hostname) && hostname.startsWith('127.'))
  );
}

export function isIpAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname);
}

const HOST = /^(?:\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)$/;
const plainName = (hostname: string): string => hostname.replace(/\.$/, '');

/**
 * A host as a policy names it: for every port, or with one. Its URL may stand for it.
 * @returns it in lower case and punycode, without a scheme and a final dot
 * @throws TypeError for what is no host: a pin by it would hold for nobody
 */
export function hostNamed(name: string): string {
  const bare = name.trim().replace(/^https?:\/\/([^/]*)\/?$/i, '$1');
  // A scheme whose own port nobody means: `:443` and `:80` stay as they are written.
  const read = `ftp://${bare}`;
  const url = /[\s/\\?#@]/.test(bare) || !URL.canParse(read) ? null : new URL(read);
  const host = plainName(url?.hostname ?? '');
  if (url === null || !HOST.test(host))
    throw new TypeError(`"${name}" is no host, such as api.market.example`);
  return url.port === '' ? host : `${host}:${url.port}`;
}

/** Its name with the port, and the one for every port. */
function namesOf({ protocol, hostname, port }: URL): readonly string[] {
  const host = plainName(hostname);
  return [`${host}:${port || (protocol === 'https:' ? '443' : '80')}`, host];
}

/** @param names as `hostNamed` gives them */
export function isNamed(url: URL, names: Iterable<string>): boolean {
  const own = namesOf(url);
  return [...names].some((name) => own.includes(name));
}

/** @returns what stands for a URL's host with its port, else for every port; undefined where neither is named */
export function namedIn<Value>(url: URL, byName: Readonly<Record<string, Value>>): Value | undefined {
  const name = namesOf(url).find((own) => Object.hasOwn(byName, own));
  return name === undefined ? undefined : byName[name];
}

/**
 * The known host for which this one could be mistaken: the same letters to the eye, one slip of a key away, another
 * ending, or the known name put before a stranger's. Only names that are not known themselves are asked about; a
 * subdomain of a known host is its owner's.
 * @param known host names with or without a port
 * @returns null when it looks like none
 */
export function looksLike(hostname: string, known: Iterable<string>): string | null {
  const own = plainName(hostname.toLowerCase());
  if (isIpAddress(own) || isLoopback(own)) return null;
  for (const name of known) {
    const other = name.toLowerCase().replace(/:\d+$/, '');
    if (isIpAddress(other) || isLoopback(other)) continue;
    if (own === other || own.endsWith(`.${other}`) || sameOwner(own, other)) continue;
    if (isAlike(own, other)) return other;
  }
  return null;
}

const sameOwner = (a: string, b: string): boolean => registrable(a) === registrable(b);

/** Brands shorter than this are one slip away from too many honest names. */
const LONG_ENOUGH = 5;

function isAlike(own: string, other: string): boolean {
  const [brand, meant] = [ownLabel(own), ownLabel(other)];
  // Nobody writes so but to look like somebody else.
  if (!own.split('.').every(isOfOneScript)) return true;
  const [seen, wanted] = [skeleton(brand), skeleton(meant)];
  if (meant.length < LONG_ENOUGH) return own.includes(other) || (brand.startsWith('xn--') && seen === wanted);
  if (seen === wanted || skeleton(own).includes(skeleton(other))) return true;
  if (brand.split('-').includes(meant) || oneSlip(seen, wanted)) return true;
  return labelsBelow(own).some((label) => label.split('-').includes(meant));
}

/** What a glance takes for a letter beside what is drawn like it. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[|i]/g, 'l'],
  [/4/g, 'a'],
  [/cl/g, 'd'],
  [/-/g, ''],
];

function skeleton(host: string): string {
  const looks = host.split('.').map(looksOf).join('.');
  return ALIKE.reduce((shown, [sign, as]) => shown.replace(sign, as), looks);
}

/** Whether one letter was added, left out, replaced or swapped with its neighbour. */
function oneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let head = 0;
  while (head < a.length && a[head] === b[head]) head += 1;
  const [restA, restB] = [a.slice(head), b.slice(head)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}
