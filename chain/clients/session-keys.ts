import { HDKey } from '@scure/bip32';
import { bytesToHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { requireSeeds } from '../keys/seeds.ts';

/** The session keys of all agents, derived from the seed. Nothing here is ever logged or written. */
export interface SessionKeys {
  /**
   * The key of an agent: BIP-32 path m/44'/60'/0'/0/n of the seed's version, where index is version × 2^31 + n.
   * @throws RangeError for no such index, and for one of a version that is not held
   */
  at(index: number): PrivateKeyAccount;
  /** What is added to a number of the sequence to make an index of the version in use: keys given out move with it. */
  readonly base: bigint;
}

const PARENT = "m/44'/60'/0'/0";
/** How many indexes each version of the seed has. */
export const PER_VERSION = 2 ** 31;

/** @throws RangeError unless the text is one of `SESSION_KEY_SEED` */
export function sessionKeys(text: string): SessionKeys {
  const seeds = requireSeeds(text);
  const parents = new Map(
    seeds.map(({ version, bytes }) => [version, HDKey.fromMasterSeed(bytes).derive(PARENT)]),
  );
  return {
    base: BigInt(seeds[0].version) * BigInt(PER_VERSION),
    at(index) {
      if (!Number.isSafeInteger(index) || index < 0)
        throw new RangeError('a session key index is a whole number from 0 on');
      const version = Math.floor(index / PER_VERSION);
      const parent = parents.get(version);
      if (!parent) throw new RangeError(`the session keys of seed version ${version} are not held`);
      const { privateKey } = parent.deriveChild(index % PER_VERSION);
      if (privateKey === null) throw new RangeError(`there is no key at index ${index}`);
      return privateKeyToAccount(bytesToHex(privateKey));
    },
  };
}
