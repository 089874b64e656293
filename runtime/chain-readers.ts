import { withForks } from '../chain/devnet/fork-reader.ts';
import type { Forks } from '../chain/devnet/forks.ts';
import type { KnownChain } from '../chain/known-chains.ts';
import { provenEthersReader } from '../chain/rpc/ethers/proven-reader.ts';
import { ethersReader } from '../chain/rpc/ethers/reader.ts';
import { headAgeOf, withFreshHead } from '../chain/rpc/fresh-head.ts';
import type { ChainReader, ReaderOptions } from '../chain/rpc/reader.ts';
import { inTurns, simulationTurns } from '../chain/rpc/simulation-turns.ts';
import { viemReader } from '../chain/rpc/viem/reader.ts';
import type { Config } from './config/config.ts';
import type { ChainReaders } from './determinations/deps.ts';
import { type Spans, spanned } from './telemetry/spans.ts';

interface ReadersOf {
  readonly chainId: number;
  /** The second is the independent reader's; one URL serves both. */
  readonly rpcUrls: readonly [string, ...string[]];
  /** Null where the chain is not the service's own, and grows by itself. */
  readonly freshen: ReaderOptions['freshen'] | null;
  readonly known: ReadonlyMap<number, KnownChain>;
}

interface Around {
  readonly config: Pick<Config, 'headAge' | 'stateProofs'>;
  readonly spans: Spans;
  readonly now: () => Date;
  /** Simulate where a node does not. Left out: nothing does. */
  readonly forks?: Forks;
}

/** How old a head may be, in seconds; null where there is no limit. */
export function maxHeadAge(
  { chainId, freshen, known }: Pick<ReadersOf, 'chainId' | 'freshen' | 'known'>,
  { headAge }: Pick<Config, 'headAge'>,
): number | null {
  const usual = freshen === null ? headAgeOf(known.get(chainId)?.blockSeconds ?? null) : null;
  return headAge.get(chainId) ?? usual;
}

/** Both readers of a chain, whose heads are recent. */
export function chainReaders(
  { chainId, rpcUrls, freshen, known }: ReadersOf,
  { config, spans, now, forks }: Around,
): ChainReaders {
  const [first, second = first] = rpcUrls;
  const maxAgeSeconds = maxHeadAge({ chainId, freshen, known }, config);
  const fresh = (reader: ChainReader) =>
    spanned(spans, `chain ${chainId} ${reader.client}`, withFreshHead(reader, { maxAgeSeconds, now }));
  const options = { chainId, ...(freshen ? { freshen } : {}) };
  const turns = new Map(rpcUrls.map((rpcUrl) => [rpcUrl, simulationTurns()]));
  const simulating = (rpcUrl: string, read: (options: ReaderOptions) => ChainReader) => {
    const reader = inTurns(read({ ...options, rpcUrl }), turns.get(rpcUrl)!);
    if (forks === undefined) return reader;
    const open = (url: string) => read({ chainId, rpcUrl: url, retries: 0 });
    return withForks(reader, { forks, rpcUrl, open });
  };
  return {
    viem: fresh(simulating(first, viemReader)),
    ethers: fresh(simulating(second, config.stateProofs.has(chainId) ? provenEthersReader : ethersReader)),
  };
}

/** The readers of the chains on which nothing of this service stands, by chain id. */
export function askedReaders(
  asked: Config['askedRpcUrls'],
  known: ReadonlyMap<number, KnownChain>,
  around: Around,
): [number, ChainReaders][] {
  return [...asked].map(([chainId, urls]) => {
    const rpcUrls = urls as [string, ...string[]];
    return [chainId, chainReaders({ chainId, rpcUrls, freshen: null, known }, around)];
  });
}
