import { assetKey } from '../../../../agents/assets.ts';
import type { TokenAsset } from '../../../../agents/certificates/certificates.ts';
import { addressIn } from '../../../../agents/determinations/lineage/shape-call.ts';
import type { ChainReader, Place } from '../../../../chain/rpc/reader.ts';
import { makeCalls, thingBound } from './call.ts';
import type { ListedContract } from './contracts.ts';

/** What a twin stands for, as its contract tells. @throws ReaderError; Error where the answer has another form */
export async function originalOf(
  reader: ChainReader,
  row: ListedContract,
  twin: TokenAsset,
  block: Place,
): Promise<TokenAsset> {
  const bound = await makeCalls(reader, row.at, row.calls, thingBound(twin, row.locker), block);
  const told = bound.get('underlying');
  const contract = told === undefined ? row.underlying : addressIn(told);
  if (contract === null || (row.underlying !== null && contract !== row.underlying))
    throw new Error(`${row.at} names another contract of originals than its list`);
  const tokenId = bound.get('underlyingId') ?? BigInt(twin.tokenId);
  return token(row.underlyingChainId, contract, tokenId);
}

/** The twin of an original that is locked up. @param reader of the twin's chain @throws as {@link originalOf} */
export async function twinOf(
  reader: ChainReader,
  row: ListedContract,
  original: TokenAsset,
  block: Place,
): Promise<TokenAsset> {
  if (row.twin.length === 0) {
    if (row.underlying === null || row.calls.some((c) => c.outputs.some((o) => o.name === 'underlyingId')))
      throw new Error(`the list does not say how ${row.contract} names the twin of ${assetKey(original)}`);
    return token(row.chainId, row.contract, BigInt(original.tokenId));
  }
  const bound = await makeCalls(reader, row.at, row.twin, thingBound(original, row.locker), block);
  return token(row.chainId, row.contract, bound.get('twinId') ?? BigInt(original.tokenId));
}

/** The rows by which this token would be a twin. */
export function rowsOfTwin(contracts: readonly ListedContract[], thing: TokenAsset): ListedContract[] {
  return contracts.filter(
    (c) => c.role !== 'lender' && c.chainId === thing.chainId && c.contract === thing.contract.toLowerCase(),
  );
}

/** The rows by which a twin of this token would exist while that address holds it. */
export function rowsOfLocker(
  contracts: readonly ListedContract[],
  thing: TokenAsset,
  holder: string,
): ListedContract[] {
  return contracts.filter(
    (c) =>
      c.role !== 'lender' &&
      c.underlyingChainId === thing.chainId &&
      c.locker === holder &&
      (c.underlying === null || c.underlying === thing.contract.toLowerCase()),
  );
}

function token(chainId: number, contract: string, tokenId: bigint): TokenAsset {
  return {
    ...{ kind: 'token', chainId, tokenId: tokenId.toString() },
    contract: contract.toLowerCase() as `0x${string}`,
  };
}
