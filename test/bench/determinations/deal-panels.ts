import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../../runtime/determinations/deps.ts';
import { determineTier, type TierFacts } from '../../../runtime/determinations/determine-tier.ts';
import { determineWallet } from '../../../runtime/determinations/determine-wallet.ts';
import { type DealStage, dealStage } from '../../determinations/deal-stage.ts';
import { withDatabase } from '../database.ts';
import type { BenchRow } from '../row.ts';
import { time } from '../timing.ts';
import { bare, bareStatements, requestsOf, statementsOf } from './bare-reads.ts';
import { followToTheEnd } from './wallet-history.ts';

const GOAL = 2.5;
const EFFORT = { rounds: 9, single: 10, many: 0, callers: 1 };

type Determine = (deps: EvidenceDeps) => Promise<unknown>;

/**
 * Each of the five determinations of a deal at 2-of-2, and the wallet's, against all that it reads, of nodes and of the
 * database, asked bare and at once.
 */
export async function benchDealPanels(): Promise<BenchRow[]> {
  return await withDatabase(16, async (db) => {
    const stage = await dealStage({ url: '', db, drop: async () => {} });
    try {
      const all = await subjects(stage);
      await followToTheEnd(stage.deps, [stage.chain]);
      const rows: BenchRow[] = [];
      for (const [name, determine] of Object.entries(all))
        rows.push(...(await rowsOf(stage, name, determine)));
      return rows;
    } finally {
      await stage.stop();
    }
  });
}

/** The determinations, asked one by one about an open deal. */
async function subjects({ chain, database, agent, deal }: DealStage): Promise<Record<string, Determine>> {
  const { alice, bob } = chain.accounts;
  const buyer = await agent('buyer', alice);
  const seller = await agent('seller', bob);
  const asked = await deal('buyer', { handle: 'seller', agent: seller, owner: bob });
  const listing = await database.db.selectFrom('listings').selectAll().executeTakeFirstOrThrow();
  const [, contract = '', tokenId = ''] = /erc721:(0x[0-9a-f]+)\/([0-9]+)$/.exec(listing.asset_key) ?? [];
  const asset = { chainId: 1002, contract, tokenId };
  const tier = (facts: TierFacts, of: 'tier2' | 'tier3' = 'tier2') => {
    const request = { tier: of, category: 'digital-products', depth: '2-of-2', facts } as const;
    return (deps: EvidenceDeps) => determineTier(deps, request);
  };
  const lotRef = listing.listing_ref;
  const proposal = { side: 'buy', category: 'digital-products', priceUsd: 100, chainId: 1002 } as const;
  return {
    wallet: (deps) => determineWallet(deps, { address: buyer.account, chainId: 1002, depth: '2-of-2' }),
    'shill bidding and collusion': tier({ lotRef, seller: 'seller' }),
    'double pledge': tier({ asset, listingRef: lotRef }),
    'provenance and stolen goods': tier({ subject: asset }, 'tier3'),
    'mandate compliance': tier({ handle: 'buyer', proposal }),
    'price intelligence, with double pledge': tier({ priceUsd: 100, asset }),
    'all of a deal, one side': (deps) => asked(deps),
  };
}

async function rowsOf(stage: DealStage, name: string, determine: Determine): Promise<BenchRow[]> {
  const { chain, deps } = stage;
  const requests = await requestsOf([chain], (urlOf) => {
    const options = { rpcUrl: urlOf(chain), chainId: chain.chainId };
    const readers = { viem: viemReader(options), ethers: ethersReader(options) };
    const recorded = { ...deps, readers: new Map([[chain.chainId, readers]]) };
    const act = async () => void (await determine(recorded));
    return { warmUp: act, run: act };
  });
  const statements = await statementsOf(() => determine(deps));
  const reads = async (): Promise<void> => {
    await Promise.all([bare(requests), bareStatements(deps.db, statements)]);
  };
  const [alone, whole] = await time([reads, () => determine(deps)], EFFORT);
  const ratio = whole!.p50Ms / alone!.p50Ms;
  const { perSecond: _, ...bareTimes } = alone!;
  const { perSecond: __, ...times } = whole!;
  return [
    { name: `${name}: its ${requests.length} calls and ${statements.length} statements, bare`, ...bareTimes },
    { name: `${name}, 2-of-2`, ...times, ratio, goal: `at most ${GOAL}`, ok: ratio <= GOAL },
  ];
}
