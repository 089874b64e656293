/**
 * Renders what a running service shows, without what is random or momentary by construction. Ids, hashes and signatures
 * are replaced by their shape and by which of them are equal in one document; times and blocks by their shape alone.
 */

/** Members that say when something was read, or with what it was anchored. */
const MOMENTARY = new Set([
  ...[
    'asOfBlock',
    'block',
    'blocks',
    'blockNumber',
    'fromBlock',
    'toBlock',
    'number',
    'latencyMs',
    'uptimeSeconds',
  ],
  ...['batch', 'batchId', 'leafIndex', 'proof', 'root', 'size', 'path'],
  ...['minute', 'minutes', 'v'],
]);

/** A list of words with an address among them is sorted, since its order follows addresses, which differ. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ofAddresses = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item === 'string') &&
  value.some((item) => ADDRESS.test(item));

/** So is a list of things that each name an address. */
const aboutAddresses = (value: readonly unknown[]): boolean =>
  value.length > 1 &&
  value.every(
    (item) =>
      typeof item === 'object' &&
      item !== null &&
      Object.values(item).some((of) => typeof of === 'string' && ADDRESS.test(of)),
  );

/** Ids, hashes and signatures. Other addresses are the same on both sides. */
const RANDOM =
  /\b[a-z]{2,5}_[0-9a-f]{16,64}\b|0x[0-9a-fA-F]{41,}|\b[0-9a-f]{32,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** What is signed by a key of the service (RFC 7515) is compared by what it says. */
const SIGNED = /\beyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]{40,}/g;
const TIMES = [
  /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?/g,
  /\b\d{4}-\d{2}-\d{2}\b/g,
  /\b\d{2}:\d{2}(?::\d{2})?(?= UTC)/g,
  // Unix seconds, as signed documents contain them.
  /(?<=")1[789]\d{8}(?=")|(?<=, until )1[789]\d{8}(?=\.)|(?<=":)1[789]\d{8}(?=[,}])/g,
];

/**
 * @param known names for things of this service by their spelling, such as the hosts of the service and its chains
 * @param played whether a time must be the same on both sides; it is then left unchanged
 */
export function faceOf(
  known: ReadonlyMap<string, string>,
  played: (at: number) => boolean = () => false,
): {
  text(raw: string): string;
  json(raw: unknown): string;
} {
  const text = (raw: string): string => {
    const seen = new Map<string, string>();
    let told = raw.replaceAll(SIGNED, (_, said: string) => Buffer.from(said, 'base64url').toString('utf8'));
    for (const [exact, name] of known) told = told.replaceAll(new RegExp(exact, 'gi'), name);
    for (const time of TIMES)
      told = told.replaceAll(time, (found) => (played(Date.parse(found)) ? found : '(time)'));
    return (
      told
        .replaceAll(RANDOM, (found) => {
          const key = found.toLowerCase();
          const prefix = /^[a-z]+_|^0x/.exec(key)?.[0] ?? '';
          if (!seen.has(key)) seen.set(key, `(${prefix}${key.length} #${seen.size})`);
          return seen.get(key)!;
        })
        .replaceAll(/0x[0-9a-fA-F]{6}…[0-9a-fA-F]{6}/g, '(shortened)')
        // Made of what is compared beside it, but for the ages of sources.
        .replaceAll(/(?<=confidence\W{1,5})\d+/gi, '(n)')
        // How long ago it was differs from one reading to the next.
        .replaceAll(/(<time [^>]*>)[^<]+(?=<\/time>)/g, '$1(time)')
        .replaceAll(/\bblock \d+|\bblocks \d+ to \d+|(?<=\beip155:\d+ at )\d+/g, 'block (n)')
    );
  };
  const sorted = (items: unknown[]): unknown[] =>
    items
      .map((item) => [text(JSON.stringify(item)), item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item);
  const stillMember = (key: string, value: unknown): unknown => {
    if (MOMENTARY.has(key)) return '(of the moment)';
    if (ofAddresses(value)) return value.map((item) => text(item)).sort();
    return still(value);
  };
  const still = (value: unknown): unknown => {
    if (Array.isArray(value)) return aboutAddresses(value) ? sorted(value.map(still)) : value.map(still);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, stillMember(key, of)]));
  };
  return { text, json: (raw) => text(JSON.stringify(still(raw))) };
}
