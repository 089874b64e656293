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

/** A host with its port, or a host name for every port, as policies name them. */
export function isNamed(url: URL, names: Iterable<string>): boolean {
  return [...names].some((name) => name.toLowerCase() === url.host || name.toLowerCase() === url.hostname);
}

/**
 * The known host for which this one could be mistaken: the same letters to the eye, one slip of a key away, another
 * ending, or the known name put before a stranger's. Only names that are not known themselves are asked about; a
 * subdomain of a known host is its owner's.
 * @param known host names with or without a port
 * @returns null when it looks like none
 */
export function looksLike(hostname: string, known: Iterable<string>): string | null {
  const own = hostname.toLowerCase().replace(/\.$/, '');
  if (isIpAddress(own) || isLoopback(own)) return null;
  for (const name of known) {
    const other = name.toLowerCase().replace(/:\d+$/, '');
    if (isIpAddress(other) || isLoopback(other)) continue;
    if (own === other || own.endsWith(`.${other}`) || sameOwner(own, other)) continue;
    if (isAlike(own, other)) return other;
  }
  return null;
}

/** The last two labels: whose name it is, for most endings. */
const domainOf = (host: string): string => host.split('.').slice(-2).join('.');
const brandOf = (host: string): string => host.split('.').slice(-2)[0] ?? host;
const sameOwner = (a: string, b: string): boolean => domainOf(a) === domainOf(b) && domainOf(a).includes('.');

/** Brands shorter than this are one slip away from too many honest names. */
const LONG_ENOUGH = 5;

function isAlike(own: string, other: string): boolean {
  const [brand, meant] = [brandOf(own), brandOf(other)];
  // A name in other scripts is shown by some programs as it looks, and here as its code.
  if (own.includes('xn--')) return true;
  if (meant.length < LONG_ENOUGH) return own.includes(other);
  const [seen, wanted] = [skeleton(brand), skeleton(meant)];
  if (seen === wanted || skeleton(own).includes(skeleton(other))) return true;
  if (brand.split('-').includes(meant) || oneSlip(seen, wanted)) return true;
  return own
    .split('.')
    .slice(0, -2)
    .some((label) => label.split('-').includes(meant));
}

const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/0/g, 'o'],
  [/[1|i]/g, 'l'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/-/g, ''],
];

function skeleton(text: string): string {
  return ALIKE.reduce((shown, [sign, as]) => shown.replace(sign, as), text);
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
