import { type Asset, assetKey, parseAssetKey } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import type { AgentContents } from '../../../agents/determinations/pledge/pledge-evidence.ts';
import { lowerAddress, sameAddress } from '../../../agents/ids.ts';
import { readAgentAccount } from '../../../chain/clients/agents.ts';
import { readAssetOwner } from '../../../chain/clients/assets.ts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { holdsShares, type Received, tokensReceived } from '../../../chain/indexer/token-custody.ts';
import type { Address, ChainReader } from '../../../chain/rpc/reader.ts';
import { knownTokens } from '../../../store/registers/known-tokens.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../deps.ts';
import { contractTable } from './lineage/contracts.ts';

/** So many that came to one account are looked up at once. Of more, those are kept that are known here, and a few others. */
const MOST_RECEIVED = 20_000;
/** Of those that nobody here knows, so many are read, and as many as are left of those that are judged. */
const MOST_READ = 200;
/** So many tokens are judged each by itself. */
const MOST_HELD = 12;
/** So many of those that are not looked at are named. */
const MOST_NAMED = 5;

/** A token that came to the account. */
interface Arrival extends Received {
  readonly key: string;
  /** It may be what a deal must not sell: it is looked at, however many others came. */
  readonly isKnown: boolean;
}

/** What one client tells; null where it did not. */
interface Told<T> {
  readonly found: T | null;
  readonly fault: string | null;
}

/**
 * The tokens in the account of an agent, which whoever buys the agent buys with it: what is stolen or pledged is not made
 * good by an agent around it. Both clients are asked, and what either tells is looked at.
 *
 * Any contract can say of any account that it holds its tokens. So of those of which nothing is known here only so many
 * are judged, and the others are named; one of which something is known is judged, or keeps the agent from CLEAN.
 * @returns null for an asset that is no agent
 */
export async function contentsOf(deps: EvidenceDeps, asset: Asset): Promise<AgentContents | null> {
  if (asset.kind !== 'token') return null;
  const { chainId } = asset;
  const deployment = deps.deployments.get(chainId);
  if (deployment === undefined || !sameAddress(deployment.agentNft, asset.contract)) return null;
  const readers = deps.readers.get(chainId);
  if (readers === undefined) return { held: [], fault: `no RPC URL is configured for ${caip2(chainId)}` };
  const both = [readers.viem, readers.ethers];
  const came = await Promise.all(
    both.map((reader) => tell(deps, reader, () => receivedIn(deps, reader, deployment, asset))),
  );
  const received = came.flatMap(({ found }) => found?.tokens ?? []);
  const arrivals = await arrivalsOf(deps, deployment, chainId, received);
  const unknown = arrivals.filter((one) => !one.isKnown);
  const asked = [...arrivals.filter((one) => one.isKnown), ...unknown.slice(0, MOST_READ)];
  const read = await Promise.all(
    both.map((reader, i) => {
      const at = came[i]!.found;
      return at === null ? SILENT : tell(deps, reader, () => heldOf(reader, at, asked));
    }),
  );
  const faults = [...came.map(({ found, fault }) => fault ?? found?.hole), ...read.map((r) => r.fault)];
  const isIn = (part: keyof InAccount) => (one: Arrival) => read.some((r) => r.found?.[part].has(one.key));
  return judgedOf({
    held: asked.filter(isIn('held')),
    shares: asked.filter(isIn('shares')),
    unread: unknown.slice(MOST_READ),
    dropped: Math.max(...came.map(({ found }) => found?.dropped ?? 0)),
    fault: faults.find((fault) => fault != null) ?? null,
  });
}

const SILENT: Told<InAccount> = { found: null, fault: null };

/** Which of the tokens are judged, and which are only named. */
function judgedOf({
  held,
  shares,
  unread,
  dropped,
  fault,
}: Record<'held' | 'shares' | 'unread', readonly Arrival[]> &
  Pick<AgentContents, 'fault'> & { readonly dropped: number }): AgentContents {
  const [known, others] = [held.filter((one) => one.isKnown), held.filter((one) => !one.isKnown)];
  const judged = [...known, ...others].slice(0, MOST_HELD);
  const left = [...others.slice(judged.length - Math.min(known.length, MOST_HELD)), ...unread];
  const passedOver = [...shares.filter((one) => !one.isKnown && !held.includes(one)), ...left];
  const share = shares.find((one) => one.isKnown);
  const open = [
    ...(known.length > MOST_HELD
      ? [`${known.length} tokens that are known here are in it, of which ${MOST_HELD} were looked at`]
      : []),
    ...(share === undefined ? [] : [`shares of ${share.contract} (ERC-1155) are in it`]),
  ];
  return {
    held: judged.map(({ key }) => key).sort(),
    fault: fault ?? open[0] ?? null,
    ...(passedOver.length + dropped === 0
      ? {}
      : {
          notLookedAt: {
            count: passedOver.length + dropped,
            some: passedOver.slice(0, MOST_NAMED).map(({ key }) => key),
          },
        }),
  };
}

/** The tokens among the contents of an agent. */
export function tokensIn(contents: AgentContents | null): TokenAsset[] {
  return (contents?.held ?? []).map((key) => parseAssetKey(key)).filter((asset) => asset.kind === 'token');
}

async function tell<T>(deps: EvidenceDeps, reader: ChainReader, read: () => Promise<T>): Promise<Told<T>> {
  const what = `what is in the account over ${reader.client}`;
  return await within(read(), chainTimeoutMs(deps), what).then(
    (found) => ({ found, fault: null }),
    (error: unknown) => ({ found: null, fault: faultOf(error) }),
  );
}

interface Came {
  readonly account: Address;
  readonly block: bigint;
  readonly tokens: readonly Received[];
  readonly hole: string | null;
  /** Of so many nothing is known here, and they were not kept. */
  readonly dropped: number;
}

/** @throws ReaderError */
async function receivedIn(
  deps: EvidenceDeps,
  reader: ChainReader,
  deployment: Deployment,
  agent: TokenAsset,
): Promise<Came> {
  const { number: block } = await reader.head();
  const account = await readAgentAccount(reader, deployment, BigInt(agent.tokenId), block);
  const floor = BigInt(deployment.deployedAtBlock ?? 0);
  const worthwhile = async (tokens: readonly Received[]): Promise<readonly Received[]> => {
    const arrivals = await arrivalsOf(deps, deployment, agent.chainId, tokens);
    const unknown = arrivals.filter((one) => !one.isKnown);
    return [...arrivals.filter((one) => one.isKnown), ...unknown.slice(0, MOST_READ)];
  };
  return {
    ...{ account, block },
    ...(await tokensReceived(reader, account, { block, floor, most: MOST_RECEIVED, worthwhile })),
  };
}

/** Keys of the tokens that are in the account. */
interface InAccount {
  readonly held: ReadonlySet<string>;
  readonly shares: ReadonlySet<string>;
}

/** @throws ReaderError */
async function heldOf(
  reader: ChainReader,
  { account, block }: Came,
  asked: readonly Arrival[],
): Promise<InAccount> {
  const [held, shares] = [new Set<string>(), new Set<string>()];
  await Promise.all(
    asked.map(async (token) => {
      const owner = await readAssetOwner(reader, token.contract, token.tokenId, block);
      if (owner !== null && sameAddress(owner, account)) held.add(token.key);
      else if (token.asShares && (await holdsShares(reader, token, account, block))) shares.add(token.key);
    }),
  );
  return { held, shares };
}

/** The tokens that came, by either client, in the order of their keys. */
async function arrivalsOf(
  deps: EvidenceDeps,
  deployment: Deployment,
  chainId: number,
  received: readonly Received[],
): Promise<Arrival[]> {
  const byKey = new Map<string, Received>();
  for (const token of received) {
    const { contract, tokenId } = token;
    const asset = {
      kind: 'token',
      chainId,
      contract: lowerAddress(contract),
      tokenId: `${tokenId}`,
    } as const;
    const key = assetKey(asset);
    byKey.set(key, { ...token, asShares: token.asShares || (byKey.get(key)?.asShares ?? false) });
  }
  if (byKey.size === 0) return [];
  const [known, contracts] = await Promise.all([
    knownTokens(deps.db, [...byKey.keys()]),
    knownContracts(deps, deployment, chainId),
  ]);
  return [...byKey]
    .map(([key, token]) => ({
      ...{ ...token, key },
      isKnown: known.has(key) || contracts.has(lowerAddress(token.contract)),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Contracts whose tokens stand for others, which may be stolen or pledged under keys of their own. */
async function knownContracts(
  deps: EvidenceDeps,
  { agentNft, certificates, namesA, namesB }: Deployment,
  chainId: number,
): Promise<ReadonlySet<string>> {
  const { contracts } = await contractTable(deps.db, chainId);
  const listed = contracts.filter((c) => c.chainId === chainId).flatMap((c) => [c.contract, c.at]);
  const own = [agentNft, certificates, namesA, namesB, ...(deps.nameTokens?.values() ?? [])];
  return new Set([...listed, ...own].map((address) => address.toLowerCase()));
}
