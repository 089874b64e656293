import { type Asset, assetKey, parseAssetKey } from '../../../../agents/assets.ts';
import type { TokenAsset } from '../../../../agents/certificates/certificates.ts';
import type { AgentContents } from '../../../../agents/determinations/pledge/pledge-evidence.ts';
import { NOBODY, sameAddress } from '../../../../agents/ids.ts';
import { readAgentAccount } from '../../../../chain/clients/agents.ts';
import { readAssetOwner } from '../../../../chain/clients/assets.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import { movesBetween } from '../../../../chain/indexer/token-custody.ts';
import { holdsShares, type Received, tokensReceived } from '../../../../chain/indexer/tokens-received.ts';
import type { Address, ChainReader } from '../../../../chain/rpc/reader.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, within } from '../../deps.ts';
import { codeFacts } from '../wallet/account-facts.ts';
import { readPrincipals } from '../wallet/principals.ts';
import { type Arrival, arrivalsOf, namedFirst } from './agent-arrivals.ts';
import { giftsSince } from './since-listed.ts';

/** So many that came to one account are looked up at once. Of more, those are kept that are known here, and a few others. */
const MOST_RECEIVED = 20_000;
/** Of those that nobody here knows, it is read of so many whether they are there still. */
const MOST_READ = 200;
/** So many tokens are judged each by itself. */
const MOST_HELD = 12;
/** So many of those that are not looked at are named. */
const MOST_NAMED = 5;

/** A token in the account that is judged with the agent. */
export interface HeldToken {
  readonly asset: TokenAsset;
  /** Whose claims on it count; null: everybody's. */
  readonly claimants: readonly string[] | null;
  /** Whether its custody is walked: the logs of a contract that nobody knows say whatever its author likes. */
  readonly walked: boolean;
}

/** What is in the account of an agent: as evidence keeps it, and what of it is judged. */
export interface ContentsRead {
  readonly contents: AgentContents;
  readonly judged: readonly HeldToken[];
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
 * Any contract can say of any account that it holds its tokens, that somebody listed sent them, and for a moment that they
 * are a pledger's; and its token may be one that nobody can move away again. So a contract that nobody vouched for here
 * accuses no agent: of its tokens those are judged that are on a list of goods, that the operator pledged, or that whoever
 * owns the agent pledged or listed himself, and by that alone. The others are named. So is whatever strangers sent into an
 * agent since it is for sale.
 * @returns null for an asset that is no agent
 */
export async function contentsOf(deps: EvidenceDeps, asset: Asset): Promise<ContentsRead | null> {
  if (asset.kind !== 'token') return null;
  const { chainId } = asset;
  const deployment = deps.deployments.get(chainId);
  if (deployment === undefined || !sameAddress(deployment.agentNft, asset.contract)) return null;
  const readers = deps.readers.get(chainId);
  if (readers === undefined)
    return { contents: { held: [], fault: `no RPC URL is configured for ${caip2(chainId)}` }, judged: [] };
  const both = [readers.viem, readers.ethers];
  const came = await Promise.all(
    both.map((reader) => tell(deps, reader, () => receivedIn(deps, reader, deployment, asset))),
  );
  const received = came.flatMap(({ found }) => found?.tokens ?? []);
  const owners = [...new Set(came.flatMap(({ found }) => found?.owners ?? []))].sort();
  const arrivals = await arrivalsOf(deps, { deployment, chainId, owners }, received);
  const { asked, unread } = parted(arrivals);
  const read = await Promise.all(
    both.map((reader, i) => {
      const at = came[i]!.found;
      return at === null ? SILENT : tell(deps, reader, () => heldOf(reader, at, asked));
    }),
  );
  const faults = [...came.map(({ found, fault }) => fault ?? found?.hole), ...read.map((r) => r.fault)];
  const isIn = (part: keyof InAccount) => (one: Arrival) => read.some((r) => r.found?.[part].has(one.key));
  const found = {
    held: asked.filter(isIn('held')),
    shares: asked.filter(isIn('shares')),
    unread,
    dropped: Math.max(...came.map(({ found }) => found?.dropped ?? 0)),
    fault: faults.find((fault) => fault != null) ?? null,
  };
  const judged = found.held.filter((one) => one.isKnown).slice(0, MOST_HELD);
  return {
    contents: contentsIn(found, judged),
    judged: judged.map(({ key, block, contract, isTrusted, isEntered }) => ({
      asset: parseAssetKey(key) as TokenAsset,
      // Anybody is given a certificate on his word, and pledges what it names to whom he likes.
      claimants:
        isTrusted && !sameAddress(contract, deployment.certificates)
          ? null
          : [...new Set([...owners, ...came.flatMap(({ found }) => ownersSince(found, block))])].sort(),
      walked: isTrusted || isEntered,
    })),
  };
}

/** All that is known here is asked for, and so many of the others, those first that somebody claims. */
function parted(arrivals: readonly Arrival[]): Record<'asked' | 'unread', readonly Arrival[]> {
  const unknown = namedFirst(arrivals.filter((one) => !one.isKnown));
  const asked = [...arrivals.filter((one) => one.isKnown), ...unknown.slice(0, MOST_READ)];
  return { asked, unread: unknown.slice(MOST_READ) };
}

const SILENT: Told<InAccount> = { found: null, fault: null };

/** What is in the account as evidence keeps it: what is judged, and what is only named. */
function contentsIn(
  {
    held,
    shares,
    unread,
    dropped,
    fault,
  }: Record<'held' | 'shares' | 'unread', readonly Arrival[]> &
    Pick<AgentContents, 'fault'> & { readonly dropped: number },
  judged: readonly Arrival[],
): AgentContents {
  const [known, others] = [held.filter((one) => one.isKnown), held.filter((one) => !one.isKnown)];
  // Anybody may send a unit of any edition: of shares only what is named of them says anything.
  const strange = shares.filter((one) => !one.isNamed && !held.includes(one));
  const all = namedFirst([...strange, ...others, ...unread]);
  const [late, passedOver] = [all.filter((one) => one.isLate), all.filter((one) => !one.isLate)];
  const share = shares.find((one) => one.isNamed);
  const open = [
    ...(known.length > MOST_HELD
      ? [`${known.length} tokens that are known here are in it, of which ${MOST_HELD} were looked at`]
      : []),
    ...(share === undefined ? [] : [`shares of ${share.contract} (ERC-1155) are in it`]),
  ];
  return {
    held: judged.map(({ key }) => key).sort(),
    fault: fault ?? open[0] ?? null,
    ...(late.length === 0
      ? {}
      : { cameSince: { count: late.length, some: late.slice(0, MOST_NAMED).map(({ key }) => key) } }),
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

async function tell<T>(deps: EvidenceDeps, reader: ChainReader, read: () => Promise<T>): Promise<Told<T>> {
  const what = `what is in the account over ${reader.client}`;
  return await within(read(), chainTimeoutMs(deps), what).then(
    (found) => ({ found, fault: null }),
    (error: unknown) => ({ found: null, fault: faultOf(error) }),
  );
}

interface Came {
  readonly account: Address;
  /** Who owns the agent, nearest first; lower case. */
  readonly owners: readonly string[];
  /** Who owned the agent before, and until when, since a certificate came. */
  readonly before: readonly { readonly owner: string; readonly until: bigint }[];
  readonly block: bigint;
  readonly tokens: readonly Received[];
  /** Why not all of it is known, or not all whose claims on it count. */
  readonly hole: string | null;
  /** Of so many nothing is known here, and they were not kept. */
  readonly dropped: number;
}

/** Who owned the agent before, and still had it in that block or later. */
function ownersSince(found: Came | null, block: bigint): string[] {
  return (found?.before ?? [])
    .filter(({ owner, until }) => until >= block && owner !== NOBODY)
    .map(({ owner }) => owner);
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
  const code = await codeFacts(reader, account, block, await reader.code(account, block));
  const { owners, unknown: open } = await readPrincipals(reader, account, code, block);
  const { chainId } = agent;
  const worthwhile = async (tokens: readonly Received[]): Promise<readonly Received[]> => {
    return parted(await arrivalsOf(deps, { deployment, chainId, owners }, tokens)).asked;
  };
  const arriving = await giftsSince(deps.db, reader, {
    ...{ deployment, assetKey: assetKey(agent), account, owners, floor, head: block },
  });
  const received = await tokensReceived(reader, account, {
    ...{ block, floor, most: MOST_RECEIVED, ...arriving, worthwhile },
  });
  const certificates = received.tokens
    .filter(({ contract }) => sameAddress(contract, deployment.certificates))
    .sort((a, b) => (a.block < b.block ? -1 : 1));
  const first = certificates[0]?.block ?? block;
  const token = { address: deployment.agentNft, tokenId: BigInt(agent.tokenId) };
  const moves = certificates.length === 0 ? [] : await movesBetween(reader, token, first, block);
  const before = moves.map((move) => ({ owner: move.from, until: move.block }));
  const claimants = open === null ? null : `who owns the agent is not known: ${open}`;
  return { account, owners, before, block, ...received, hole: received.hole ?? claimants };
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
