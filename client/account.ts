import { privateKeyToAccount as viemAccount } from 'viem/accounts';

/** A wallet that pays and signs: a viem account, or anything with these members. */
export interface Account {
  readonly address: `0x${string}`;
  /** EIP-712; payments are signed by it. */
  // biome-ignore lint/suspicious/noExplicitAny: viem types it by each document's own types
  signTypedData(data: any): Promise<`0x${string}`>;
  /** EIP-191 `personal_sign`; owners' acts are signed by it. */
  signMessage?(given: { message: string }): Promise<`0x${string}`>;
}

/** A token that may be paid with, beside the dollars that x402 knows: `network` by CAIP-2, `asset` by address. */
export interface PayAsset {
  readonly network: `${string}:${string}`;
  readonly asset: string;
  /** 6 when left out. */
  readonly decimals?: number;
}

/**
 * An account of a private key, for programs without viem. A key in a program's memory is as safe as the program.
 * @throws Error for what is no private key
 */
export function privateKeyToAccount(key: string | undefined): Required<Account> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(key ?? ''))
    throw new Error('a private key is 0x and 64 hex digits: is PAYER_PRIVATE_KEY set?');
  return viemAccount(key as `0x${string}`);
}
