import {
  type Address,
  type Hex,
  hashTypedData,
  parseAbi,
  recoverAddress,
  size,
  type TypedDataDefinition,
} from 'viem';
import { type ChainReader, ReaderError } from '../rpc/reader.ts';

const MAGIC = '0x1626ba7e';
const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);

/** An EIP-712 document as it is transmitted: large numbers are text. */
export interface TypedDocument {
  readonly domain: object;
  readonly types: object;
  readonly primaryType: string;
  readonly message: object;
}

/**
 * True when a signature over an EIP-712 document is the wallet's, by recovery for accounts with a key, by the wallet's
 * own answer (ERC-1271) for a contract wallet.
 * @throws ReaderError when a contract wallet cannot be asked
 */
export async function isSignedBy(
  reader: ChainReader,
  wallet: Address,
  document: TypedDocument,
  signature: Hex,
): Promise<boolean> {
  const hash = hashTypedData(document as TypedDataDefinition);
  if (size(signature) === 65) {
    const signer = await recoverAddress({ hash, signature }).catch(() => null);
    if (signer !== null && signer.toLowerCase() === wallet.toLowerCase()) return true;
  }
  const { number: block } = await reader.head();
  if ((await reader.code(wallet, block)) === '0x') return false;
  try {
    const args = [hash, signature];
    const answer = await reader.read({
      address: wallet,
      abi: ERC1271,
      functionName: 'isValidSignature',
      args,
      block,
    });
    return answer === MAGIC;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return false;
    throw error;
  }
}
