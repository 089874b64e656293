import { hkdfSync } from 'node:crypto';

/** One version of the seed from which the service derives what its processes share. */
export interface Seed {
  readonly version: number;
  /** 32 to 64 bytes. */
  readonly bytes: Buffer;
  /** True of a version that leaked: agents' session keys rest on it still, and nothing else that it makes counts. */
  readonly onlySessionKeys: boolean;
}

/** The keys of one purpose: the one in use, and those of every version that is still held. */
export interface PurposeKeys {
  readonly version: number;
  /** 32 bytes, as those of `held`. */
  readonly key: Buffer;
  readonly held: ReadonlyMap<number, Buffer>;
}

export type SeedKeys = (purpose: string) => PurposeKeys;

/** More versions than anybody rotates through; the version is one byte of a nonce. */
const MOST_VERSION = 255;
const PART = /^(?:(\d{1,3})(s)?:)?(0x(?:[0-9a-fA-F]{2}){32,64})$/;

/**
 * Reads `SESSION_KEY_SEED`: one seed, which is version 0, or several with their versions, separated by commas, such as
 * `1:0x…,0:0x…`. The first is in use; the others are accepted, one marked as `0s:0x…` for session keys alone.
 * @returns null when the text has another form
 */
export function parseSeeds(text: string): readonly [Seed, ...Seed[]] | null {
  const seeds = text.split(',').map((part): Seed | null => {
    const [, version = '0', mark, hex] = PART.exec(part.trim()) ?? [];
    if (hex === undefined || Number(version) > MOST_VERSION) return null;
    const bytes = Buffer.from(hex.slice(2), 'hex');
    return { version: Number(version), bytes, onlySessionKeys: mark !== undefined };
  });
  const read = seeds.filter((seed) => seed !== null);
  if (read.length < seeds.length || new Set(read.map(({ version }) => version)).size < read.length)
    return null;
  if (read[0]?.onlySessionKeys) return null;
  return read as [Seed, ...Seed[]];
}

/** @throws RangeError for a text of another form; it is not repeated */
export function requireSeeds(text: string): readonly [Seed, ...Seed[]] {
  const seeds = parseSeeds(text);
  if (seeds === null)
    throw new RangeError('the seed must be 0x and 32 to 64 bytes of hex, or versions of it');
  return seeds;
}

/**
 * The text of `SESSION_KEY_SEED` with one more version.
 * @param fresh 0x and 32 to 64 bytes of hex
 * @returns `accepted`: the new seed is known and not yet used; `used`: it is in use, and the others are accepted
 */
export function withNextSeed(
  text: string,
  fresh: string,
): { version: number; accepted: string; used: string } {
  const seeds = requireSeeds(text);
  const version = Math.max(...seeds.map((seed) => seed.version)) + 1;
  const held = seeds.map(textOf);
  const next = `${version}:${fresh}`;
  return { version, accepted: [...held, next].join(','), used: [next, ...held].join(',') };
}

/** The text without a version that is not in use. @throws RangeError when it is in use, or not held */
export function withoutSeed(text: string, version: number): string {
  return formerSeeds(text, version)
    .filter((seed) => seed.version !== version)
    .map(textOf)
    .join(',');
}

/** The text with a version that is not in use held for session keys alone. @throws RangeError as `withoutSeed` */
export function withSeedForSessionKeys(text: string, version: number): string {
  return formerSeeds(text, version)
    .map((seed) => textOf(seed.version === version ? { ...seed, onlySessionKeys: true } : seed))
    .join(',');
}

function formerSeeds(text: string, version: number): readonly Seed[] {
  const seeds = requireSeeds(text);
  if (seeds[0].version === version)
    throw new RangeError(`Version ${version} is the one in use: "keys rotate-seed" first.`);
  if (!seeds.some((seed) => seed.version === version))
    throw new RangeError(`Version ${version} is not held: "keys seeds" shows those that are.`);
  return seeds;
}

const textOf = ({ version, bytes, onlySessionKeys }: Seed): string =>
  `${version}${onlySessionKeys ? 's' : ''}:0x${bytes.toString('hex')}`;

/**
 * Derives keys by purpose and version (HKDF-SHA-256, RFC 5869): nobody who learns one learns another, or the seed. A
 * version that is held for session keys alone, which are not derived here, makes none.
 * @param text as `SESSION_KEY_SEED`
 */
export function seedKeys(text: string): SeedKeys {
  const all = requireSeeds(text);
  const seeds = all.filter(({ onlySessionKeys }) => !onlySessionKeys);
  const { version } = all[0];
  return (purpose) => {
    const held = new Map(
      seeds.map(({ version, bytes }) => {
        const info = `safe-handshake ${purpose} v${version}`;
        return [version, Buffer.from(hkdfSync('sha256', bytes, '', info, 32))] as const;
      }),
    );
    return { version, key: held.get(version)!, held };
  };
}
