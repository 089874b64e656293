import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import { entriesAbout } from '../../../../store/chain-sync/flows.ts';
import type { EvidenceDeps } from '../../deps.ts';
import { contractTable } from '../lineage/contracts.ts';

/** Where contracts stand. */
export interface TrustPlace {
  readonly deployment: Deployment | undefined;
  readonly chainId: number;
}

/**
 * The contracts of whose tokens the logs are believed: the service's own, and those that the operator named in the table of
 * contracts, or labelled. That a token was listed or sold here vouches for nothing: its author may do both.
 * @param asked those of which it is asked whether they are labelled; lower case
 * @returns lower case
 */
export async function trustedContracts(
  deps: Pick<EvidenceDeps, 'db' | 'nameTokens'>,
  { deployment, chainId }: TrustPlace,
  asked: readonly string[],
): Promise<ReadonlySet<string>> {
  const [{ contracts }, entries] = await Promise.all([
    contractTable(deps.db, chainId),
    entriesAbout(deps.db, asked),
  ]);
  const listed = contracts.flatMap((c) => [
    ...(c.chainId === chainId ? [c.contract, c.at] : []),
    ...(c.underlying !== null && c.underlyingChainId === chainId ? [c.underlying] : []),
  ]);
  const labelled = entries
    .filter(({ register, detail }) => register === 'labels' && detail.kind === 'collection')
    .map(({ key }) => key);
  return new Set(
    [...listed, ...labelled, ...ownCollections(deployment), ...(deps.nameTokens?.values() ?? [])].map(
      (address) => address.toLowerCase(),
    ),
  );
}

function ownCollections(deployment: Deployment | undefined): string[] {
  if (deployment === undefined) return [];
  const { agentNft, assets, certificates, namesA, namesB } = deployment;
  return [agentNft, assets, certificates, namesA, namesB];
}
