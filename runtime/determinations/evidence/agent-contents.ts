import { type Asset, assetKey, parseAssetKey } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import type { AgentContents } from '../../../agents/determinations/pledge/pledge-evidence.ts';
import { lowerAddress, sameAddress } from '../../../agents/ids.ts';
import { readAgentAccount } from '../../../chain/clients/agents.ts';
import { readAssetOwner } from '../../../chain/clients/assets.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { tokensReceived } from '../../../chain/indexer/token-custody.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../deps.ts';

/** So many tokens in one account are read, and judged each by itself. */
const MOST_RECEIVED = 200;
const MOST_HELD = 12;

/**
 * The tokens in the account of an agent, which whoever buys the agent buys with it: what is stolen or pledged is not made
 * good by an agent around it. Both clients are asked, and what either tells is looked at.
 * @returns null for an asset that is no agent
 */
export async function contentsOf(deps: EvidenceDeps, asset: Asset): Promise<AgentContents | null> {
  if (asset.kind !== 'token') return null;
  const deployment = deps.deployments.get(asset.chainId);
  if (deployment === undefined || !sameAddress(deployment.agentNft, asset.contract)) return null;
  const readers = deps.readers.get(asset.chainId);
  if (readers === undefined)
    return { held: [], fault: `no RPC URL is configured for ${caip2(asset.chainId)}` };
  const read = (reader: ChainReader) =>
    within(
      heldIn(reader, deployment, asset),
      chainTimeoutMs(deps),
      `what is in the account over ${reader.client}`,
    ).catch((error: unknown) => ({ held: [], fault: faultOf(error) }));
  const told = await Promise.all([read(readers.viem), read(readers.ethers)]);
  const held = [...new Set(told.flatMap((one) => one.held))].sort();
  const many =
    held.length > MOST_HELD ? `${held.length} tokens are in it, of which ${MOST_HELD} were looked at` : null;
  return {
    held: held.slice(0, MOST_HELD),
    fault: told.find(({ fault }) => fault !== null)?.fault ?? many,
  };
}

/** The tokens among the contents of an agent. */
export function tokensIn(contents: AgentContents | null): TokenAsset[] {
  return (contents?.held ?? []).map((key) => parseAssetKey(key)).filter((asset) => asset.kind === 'token');
}

/** @throws ReaderError */
async function heldIn(
  reader: ChainReader,
  deployment: Deployment,
  { chainId, tokenId }: TokenAsset,
): Promise<Pick<AgentContents, 'held' | 'fault'>> {
  const { number: block } = await reader.head();
  const account = await readAgentAccount(reader, deployment, BigInt(tokenId), block);
  const floor = BigInt(deployment.deployedAtBlock ?? 0);
  const { tokens, hole } = await tokensReceived(reader, account, { block, floor, most: MOST_RECEIVED });
  const held = await Promise.all(
    tokens.map(async ({ contract, tokenId: id }) => {
      if (id === null) return [];
      const owner = await readAssetOwner(reader, contract, id, block);
      if (owner === null || !sameAddress(owner, account)) return [];
      return [assetKey({ kind: 'token', chainId, contract: lowerAddress(contract), tokenId: id.toString() })];
    }),
  );
  const shared = tokens.find((token) => token.tokenId === null);
  const unread = shared === undefined ? null : `shares of ${shared.contract} (ERC-1155) came to it`;
  return { held: held.flat(), fault: hole ?? unread };
}
