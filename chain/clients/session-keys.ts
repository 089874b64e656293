import { HDKey } from '@scure/bip32';
import { bytesToHex, type Hex, hexToBytes } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

/** The session keys of all agents, derived from one seed. Nothing here is ever logged or written. */
export interface SessionKeys {
  /** The key of an agent: BIP-32 path m/44'/60'/0'/0/index. @throws RangeError for an index outside 0 … 2^31-1 */
  at(index: number): PrivateKeyAccount;
}

const PARENT = "m/44'/60'/0'/0";

/** @throws RangeError unless the seed has 32 to 64 bytes */
export function sessionKeys(seed: Hex): SessionKeys {
  const bytes = hexToBytes(seed);
  if (bytes.length < 32 || bytes.length > 64)
    throw new RangeError('the session key seed must have 32 to 64 bytes');
  const parent = HDKey.fromMasterSeed(bytes).derive(PARENT);
  return {
    at(index) {
      if (!Number.isInteger(index) || index < 0 || index > 0x7fffffff) {
        throw new RangeError('a session key index is a whole number from 0 to 2147483647');
      }
      const { privateKey } = parent.deriveChild(index);
      if (privateKey === null) throw new RangeError(`there is no key at index ${index}`);
      return privateKeyToAccount(bytesToHex(privateKey));
    },
  };
}
