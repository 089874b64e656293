import { type Abi, type Address, type Hex, parseAbi } from 'viem';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainReader, ReaderError } from '../rpc/reader.ts';
import { type CodeReader, minimalTarget, runningCode } from './running-code.ts';
import { ultimateOwner } from './ultimate-owner.ts';

/** The code that decides what a contract wallet signs. */
export interface WalletCode {
  /** The wallet's address, lower case. */
  readonly wallet: string;
  /** Keys by which its code is recognised at a fresh address, at least one: see {@link runningCode}. */
  readonly shapes: readonly Hex[];
}

const BEACON: Abi = parseAbi(['function implementation() view returns (address)']);

/**
 * Finds the code that decides a wallet's signature, so that the same wallet is recognised at a fresh address.
 * @returns null for an account without code, and for an agent's account whose owner has none
 * @throws ReaderError
 */
export async function walletCode(
  reader: ChainReader,
  { accountImplementation }: Pick<Deployment, 'accountImplementation'>,
  wallet: Address,
  block: bigint,
): Promise<WalletCode | null> {
  const code = await reader.code(wallet, block);
  if (code === '0x') return null;
  // An agent's account of this service lets its owner's signature decide. Any other contract may only claim to be bound
  // to a token.
  if (minimalTarget(code) === accountImplementation.toLowerCase()) {
    const owner = await ultimateOwner(reader, wallet, block);
    if (owner !== null && owner !== wallet.toLowerCase())
      return await walletCode(reader, { accountImplementation }, owner, block);
  }
  // No proxy's storage is trusted to name what it runs, so what it burns counts against its own code as well.
  const { shapes } = await runningCode(wallet, code, codeAt(reader, block), new Map());
  return { wallet: wallet.toLowerCase(), shapes: [...new Set(shapes)] };
}

function codeAt(reader: ChainReader, block: bigint): CodeReader {
  return {
    code: (address) => reader.code(address, block),
    slot: (address, slot) => reader.storage(address, slot, block),
    async implementation(address) {
      try {
        return (await reader.read({
          address,
          abi: BEACON,
          functionName: 'implementation',
          block,
        })) as Address;
      } catch (error) {
        if (error instanceof ReaderError && error.kind === 'reverted') return null;
        throw error;
      }
    },
  };
}
