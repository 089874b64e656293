import { keccak256, toHex } from 'viem';
import type { Asset } from '../../agents/assets.ts';
import { mandateHash } from '../../agents/mandate/terms/hash.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { mandateTerms } from '../../agents/mandate/terms/terms.ts';
import { type MintedAgent, mintAgent } from '../../chain/clients/agents.ts';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { fundWallet } from '../../chain/devnet/dev-wallets.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineDeal } from '../../runtime/determinations/determine-deal.ts';
import { type TestAccount, type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { assetThrough, hand, listOf, salesOf, signerOf } from './goods-stage.ts';
import { lyingRpc } from './lying-rpc.ts';

const DEPTHS = ['2-of-2', 'superconsensus'] as const;
type DealDepth = (typeof DEPTHS)[number];

/** Agents minted on a real chain, a deal of theirs in a real database, and a node beside the chain that may lie. */
export interface DealStage {
  readonly chain: TestChain;
  readonly database: TestDatabase;
  readonly liar: Awaited<ReturnType<typeof lyingRpc>>;
  /** Both clients ask the chain itself. */
  readonly deps: EvidenceDeps;
  /**
   * One client asks the liar.
   * @param liarMs how long it waits for an answer: less, where there will be none
   */
  through(client: 'viem' | 'ethers', liarMs?: number): EvidenceDeps;
  /** @param change what the chain is told beside what the mandate says */
  agent(
    handle: string,
    owner: TestAccount,
    change?: Partial<ReturnType<typeof mandateTerms>['caps']>,
  ): Promise<MintedAgent>;
  /** Matches over a token that the seller's account holds. @returns what one side determines on it */
  deal(
    buyer: string,
    seller: { readonly handle: string; readonly agent: MintedAgent; readonly owner: TestAccount },
  ): Promise<
    (deps: EvidenceDeps, depth?: DealDepth, side?: 'buyer' | 'seller') => ReturnType<typeof determineDeal>
  >;
  stop(): Promise<void>;
}

/** Whoever answers is waited for, whatever the machine is busy with. */
const PATIENCE_MS = 60_000;
const USD = 1_000_000n;
const EXPIRES = new Date(Math.floor(Date.now() / 1000) * 1000 + 30 * 86_400_000);

/** Both ways, up to 500 dollars a deal. */
const MANDATE: Mandate = {
  side: 'both',
  currency: 'USDC',
  expires_at: EXPIRES.toISOString().replace('.000Z', 'Z'),
  cap_per_deal: '500',
  categories_allow: ['digital-products'],
};

/** @param given a migrated database of the caller's own */
export async function dealStage(given?: TestDatabase): Promise<DealStage> {
  const [chain, database] = await Promise.all([testChain(), given ?? testDatabase()]);
  const liar = await lyingRpc(chain.url);
  const { db } = database;
  const market = marketStage(db);
  market.tick(Date.now() - market.now().getTime());
  const { deployment, accounts } = chain;
  const operator = signerOf(chain, accounts.operator);
  const keys = sessionKeys(`0x${'de'.repeat(32)}`);
  let minted = 0;
  const over = (viem: string, ethers: string, liarMs = PATIENCE_MS): EvidenceDeps => {
    const options = { chainId: 1002, retries: 0, deadlineMs: PATIENCE_MS };
    const to = (rpcUrl: string) => ({
      ...options,
      rpcUrl,
      timeoutMs: rpcUrl === liar.url ? liarMs : PATIENCE_MS,
    });
    const readers = { viem: viemReader(to(viem)), ethers: ethersReader(to(ethers)) };
    return {
      db,
      readers: new Map([[1002, readers]]),
      deployments: new Map([[1002, deployment]]),
      now: () => new Date(),
      seatTimeoutMs: PATIENCE_MS,
    };
  };
  for (const register of ['stolen', 'recalled'] as const) await listOf(db, register, [], new Date());
  for (const register of ['sanctions', 'known-scam'] as const)
    await listOf(db, register, [`0x${'ff'.padStart(40, '0')}`], new Date());
  await salesOf(db, deployment.assets, new Date());

  return {
    chain,
    database,
    liar,
    deps: over(chain.url, chain.url),
    through: (client, liarMs) =>
      client === 'viem' ? over(liar.url, chain.url, liarMs) : over(chain.url, liar.url, liarMs),

    async agent(handle, owner, change = {}) {
      const key = keys.at(minted++).address;
      const terms = mandateTerms(MANDATE);
      const agent = await mintAgent(operator, deployment, {
        to: owner.address,
        tier: 1,
        paymentRef: keccak256(toHex(handle)),
        key,
        keyValidUntil: terms.expiry,
        uri: `http://127.0.0.1/agent/${handle}`,
        terms: { ...terms, caps: { ...terms.caps, ...change } },
      });
      const dev = { rpcUrl: chain.url, deployment, operatorPrivateKey: accounts.operator.privateKey };
      await fundWallet(dev, agent.account, 1_000n * USD);
      await market.agent(handle, owner.address.toLowerCase());
      await db
        .updateTable('agents')
        .set({
          token_id: agent.tokenId,
          account: agent.account.toLowerCase(),
          session_key: key.toLowerCase(),
          contract: deployment.agentNft.toLowerCase(),
        })
        .where('handle', '=', handle)
        .execute();
      await db
        .insertInto('mandates')
        .values({
          handle,
          version: 1,
          text: 'as its owner signed it',
          structured: JSON.stringify(MANDATE),
          hash: mandateHash(MANDATE),
          status: 'active',
          tx: null,
        })
        .execute();
      return agent;
    },

    async deal(buyer, seller) {
      const tokenId = await assetThrough(chain, [seller.owner]);
      await hand(chain, deployment.assets, tokenId, seller.owner, seller.agent.account);
      const contract = deployment.assets.toLowerCase() as `0x${string}`;
      const asset: Asset = { kind: 'token', chainId: 1002, contract, tokenId: tokenId.toString() };
      const owner = seller.owner.address.toLowerCase();
      const listingRef = market.fresh('listing');
      const lot = await market.list(seller.handle, { asset, owner, listingRef });
      const { match } = await market.order(buyer, lot, { limit: 100n * USD, owner: `0xowner-of-${buyer}` });
      const { dealId } = match!;
      return (deps, depth = '2-of-2', side = 'buyer') =>
        determineDeal(deps, {
          dealId,
          side,
          buyer,
          seller: seller.handle,
          asset,
          listingRef,
          category: 'digital-products',
          price: 100n * USD,
          depth,
          performer: 'AGENT',
        });
    },

    async stop() {
      await liar.stop();
      await chain.stop();
      await database.drop();
    },
  };
}
