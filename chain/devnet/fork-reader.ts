import { CannotSimulate, type ChainReader, ReaderError, type SimulationQuery } from '../rpc/reader.ts';
import type { Forks } from './forks.ts';

/** Less than a seat has for a chain, so that a slow fork leaves the rest of a reading as it is. */
const PATIENCE_MS = 4_000;

interface Forking {
  readonly forks: Forks;
  readonly rpcUrl: string;
  /** A reader of the same client over a fork. */
  readonly open: (url: string) => ChainReader;
  /** For all of one simulation. */
  readonly patienceMs?: number;
}

/**
 * Wraps a reader so that what its node does not simulate is simulated by an anvil which forks that same node at the pinned
 * block. The outcomes say so. A simulation without a block's hash is not forked.
 * @throws CannotSimulate from `simulate()` when no fork can be made in time
 */
export function withForks(reader: ChainReader, forking: Forking): ChainReader {
  return {
    ...reader,
    async simulate(query) {
      try {
        return await reader.simulate(query);
      } catch (error) {
        if (!(error instanceof CannotSimulate)) throw error;
        return await forked(reader, query, forking);
      }
    },
  };
}

async function forked(
  { chainId }: ChainReader,
  query: SimulationQuery,
  { forks, rpcUrl, open, patienceMs = PATIENCE_MS }: Forking,
): ReturnType<ChainReader['simulate']> {
  const { block } = query;
  if (typeof block === 'bigint') throw new CannotSimulate(undefined, 'a fork needs the hash of its block');
  const simulated = forks.use({ rpcUrl, chainId, block }, async (url) => {
    const outcomes = await open(url).simulate(query);
    return outcomes.map((outcome) => ({ ...outcome, fork: true as const }));
  });
  simulated.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it was not ready within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([simulated, late]);
  } catch (error) {
    if (error instanceof ReaderError && error.kind !== 'slow') throw error;
    throw new CannotSimulate(error, `a fork of it failed: ${error instanceof Error ? error.message : error}`);
  } finally {
    clearTimeout(timer);
  }
}
