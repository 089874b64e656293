import type { TokenAsset } from '../../../../agents/certificates/certificates.ts';
import type { TokenCustody } from '../../../../agents/determinations/provenance/custody.ts';
import { type Address, sameAddress } from '../../../../agents/ids.ts';
import { isVoidCertificate } from '../../../../chain/clients/certificates.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import { tokenLife } from '../../../../chain/indexer/token-custody.ts';
import { blockNumberOf, type ChainReader, type Place } from '../../../../chain/rpc/reader.ts';
import { caip2 } from '../../deps.ts';
import { principalsOfHolders, readingsOf } from './custody-principals.ts';

/** The reader of a token's chain, the block at which it reads, and what stands there of this service. */
export interface LifeReader {
  readonly reader: ChainReader;
  readonly block: Place;
  readonly deployment: Deployment | undefined;
  /** Contracts that the operator named as nobody's wallets; lower case. */
  readonly labelled?: readonly string[];
  /** Whether the logs of a collection are believed; left out: of the service's own agents alone. */
  readonly believes?: (contract: string) => Promise<boolean>;
}

/**
 * Every move of a token from its mint to the pinned block, who holds it, who stood behind its holders, and of a
 * certificate whether it is void.
 * @param since the token had no move before this block; null when that is unknown
 * @throws ReaderError
 */
export async function lifeOf(
  from: LifeReader,
  { contract, tokenId }: Pick<TokenAsset, 'contract' | 'tokenId'>,
  since: bigint | null = null,
): Promise<TokenCustody> {
  const { reader, block, deployment, labelled = [], believes = ownAgents(deployment) } = from;
  const isOf = (address: string | undefined): boolean =>
    address !== undefined && sameAddress(address, contract);
  const own = [deployment?.certificates, deployment?.assets, deployment?.agentNft].some(isOf);
  const floor = own ? BigInt(deployment?.deployedAtBlock ?? 0) : since;
  const [life, isVoid] = await Promise.all([
    tokenLife(reader, { address: contract, tokenId: BigInt(tokenId) }, block, floor),
    deployment !== undefined && isOf(deployment.certificates)
      ? isVoidCertificate(reader, deployment, BigInt(tokenId), block)
      : undefined,
  ]);
  const known = {
    labelled: new Set([...ownContracts(deployment), ...labelled]),
    moves: life.moves,
    believes,
  };
  const readings = readingsOf(life.moves, life.holders, blockNumberOf(block));
  return {
    chain: caip2(reader.chainId),
    contract: contract.toLowerCase(),
    tokenId,
    standard: life.standard,
    fromBlock: life.fromBlock.toString(),
    moves: life.moves.map((m) => ({ ...m, block: m.block.toString(), amount: m.amount.toString() })),
    holders: life.holders
      .map((h) => ({ address: h.address.toLowerCase(), amount: h.amount.toString() }))
      .sort((a, b) => (a.address < b.address ? -1 : 1)),
    principals: await principalsOfHolders(reader, readings, block, known),
    ...(isVoid === undefined ? {} : { void: isVoid }),
    fault: life.hole,
  };
}

function ownAgents(deployment: Deployment | undefined): (contract: string) => Promise<boolean> {
  return async (contract) =>
    deployment !== undefined && sameAddress(deployment.agentNft, contract as Address);
}

/** What of this service may hold a thing in passing. */
function ownContracts(deployment: Deployment | undefined): string[] {
  if (deployment === undefined) return [];
  const { settlement, vault, ledger, certificates, agentNft } = deployment;
  return [settlement, vault, ledger, certificates, agentNft].map((address) => address.toLowerCase());
}
