import { erc721Abi, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { lowerAddress } from '../../agents/ids.ts';
import { mandateHash } from '../../agents/mandate/terms/hash.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { type MintedAgent, mintAgent, readAgentOnChain } from '../../chain/clients/agents.ts';
import { setListed } from '../../chain/clients/asset-listings.ts';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { type DevChain, mintDemoAsset } from '../../chain/devnet/dev-wallets.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../chain/tx/signer.ts';
import { transact } from '../../chain/tx/transact.ts';
import { stopIfMoved } from '../../runtime/agent/follow-agents.ts';
import { followAssets } from '../../runtime/market/listings/follow-assets.ts';
import { whyNotControlled } from '../../runtime/market/listings/prove-control.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { quietQuarantine } from '../fixtures/quiet-quarantine.ts';

const WIDE: Mandate = {
  ...{ side: 'both', currency: 'USDC', cap_per_deal: '1000', expires_at: '2026-12-31T23:59:59Z' },
};

let chain: TestChain;
let dev: DevChain;
let database: Awaited<ReturnType<typeof testDatabase>>;
let market: ReturnType<typeof marketStage>;
let reader: ChainReader;
let owner: Signer;
let agent: MintedAgent;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  dev = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  reader = viemReader({ rpcUrl, chainId });
  owner = createSigner({ rpcUrl, chainId, privateKey: accounts.alice.privateKey });
  const until = Number((await reader.head()).timestamp) + 86_400;
  agent = await mintAgent(
    createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey }),
    deployment,
    {
      to: owner.address,
      tier: 1,
      paymentRef: keccak256(toHex('seller')),
      key: sessionKeys(`0x${'5e'.repeat(32)}`).at(0).address,
      keyValidUntil: until,
      uri: 'http://127.0.0.1/agent/seller',
      terms: {
        mandateHash: keccak256(toHex('mandate')),
        validAfter: 0,
        expiry: until,
        sides: 2,
        allowlistOnly: false,
        categories: 0n,
        caps: { perDeal: 1n, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
        allow: [],
        deny: [],
        offChain: [],
      },
    },
  );
  market = marketStage(database.db);
  await market.agent('seller', lowerAddress(owner.address));
  await database.db
    .updateTable('agents')
    .set({ token_id: agent.tokenId, account: lowerAddress(agent.account) })
    .execute();
});
afterAll(async () => {
  await Promise.all([chain?.stop(), database?.drop()]);
});

/** The parts of the service that the periodic task needs; it reads the chain through `asked`. */
const services = (asked: ChainReader): Services =>
  ({
    db: database.db,
    quarantine: quietQuarantine(database.db),
    home: { readers: { viem: asked }, deployment: chain.deployment },
    now: market.now,
    log: { info() {} },
  }) as unknown as Services;

const saleOf = (tokenId: bigint) => ({
  agentId: agent.tokenId,
  asset: lowerAddress(chain.deployment.assets),
  tokenId,
});

/** Moves a token of the owner's wallet into the agent's account, allows its sale, and lists it. @returns its lot */
async function deposited(tokenId: bigint): Promise<string> {
  const contract = lowerAddress(chain.deployment.assets);
  const args = [owner.address, agent.account, tokenId] as const;
  await transact(owner, { to: contract, abi: erc721Abi, functionName: 'transferFrom', args, gas: 300_000n });
  await setListed(owner, chain.deployment, saleOf(tokenId), 1n);
  const token = { kind: 'token', chainId: 1002, contract } as const;
  return await market.list('seller', {
    owner: lowerAddress(owner.address),
    asset: { ...token, tokenId: String(tokenId) } satisfies TokenAsset,
  });
}

describe('the periodic task that notices when assets leave', () => {
  it('keeps what was listed while it read an earlier block, and drops what is no longer for sale', async () => {
    const [first, second] = [
      await mintDemoAsset(dev, owner.address),
      await mintDemoAsset(dev, owner.address),
    ];
    await deposited(first);
    let lot: string | null = null;
    const slow: ChainReader = {
      ...reader,
      async head() {
        const head = await reader.head();
        lot ??= await deposited(second);
        return head;
      },
    };
    expect(await followAssets(services(slow))).toBe(0);
    expect(await liveListingOf(database.db, lot!)).toMatchObject({ status: 'live' });

    await setListed(owner, chain.deployment, saleOf(second), null);
    expect(await followAssets(services(reader))).toBe(1);
    expect(await liveListingOf(database.db, lot!)).toBeNull();
  });

  it('believes no node that has not seen the listing yet, and one that has', async () => {
    const token = await mintDemoAsset(dev, owner.address);
    const before = await reader.head();
    await rpc(chain.url, 'evm_increaseTime', [10]);
    const lot = await deposited(token);
    const listed_at = new Date((Number(before.timestamp) + 5) * 1_000);
    await database.db.updateTable('listings').set({ listed_at }).where('asset_key', '=', lot).execute();
    const [listing, seller] = [
      (await liveListingOf(database.db, lot))!,
      (await findAgent(database.db, 'seller'))!,
    ];
    const at = async (block: bigint) => await whyNotControlled(services(reader), listing, seller, block);
    expect(await at((await reader.head()).number)).toBeNull();
    await expect(at(before.number)).rejects.toMatchObject({ name: 'ReaderError', kind: 'down' });
    await setListed(owner, chain.deployment, saleOf(token), null);
    expect(await at((await reader.head()).number)).toContain('is not listed on chain');
  });

  it('reads on from where it was when a node is two blocks behind, and not from the deployment', async () => {
    await followAssets(services(reader));
    await rpc(chain.url, 'anvil_mine', ['0x28']);
    expect(await followAssets(services(reader))).toBe(0);
    const read: bigint[] = [];
    const seeing = (behind: bigint): ChainReader => ({
      ...reader,
      async head() {
        const { number } = await reader.head();
        const at = number - behind;
        return { ...(await reader.head()), number: at, hash: await reader.blockHash(at) };
      },
      async logs(query) {
        read.push(query.fromBlock);
        return await reader.logs(query);
      },
    });
    const { number: head } = await reader.head();
    await followAssets(services(seeing(2n)));
    await followAssets(services(seeing(0n)));
    expect(read.length).toBeGreaterThan(1);
    for (const from of read) expect(from).toBeGreaterThanOrEqual(head - 20n);
    expect(BigInt(chain.deployment.deployedAtBlock)).toBeLessThan(head - 20n);
  });
});

describe('an agent that was sold', () => {
  it('is not given back by a node that has not seen its sale, once its new owner has signed', async () => {
    const before = await reader.head();
    const { epoch } = await readAgentOnChain(reader, chain.deployment, agent.tokenId, before.number);
    const newOwner = '0xnew-owner';
    const signed = new Date((Number(before.timestamp) + 5) * 1_000);
    const { db } = database;
    await db
      .updateTable('agents')
      .set({ epoch: epoch + 1, owner: newOwner })
      .execute();
    await db
      .insertInto('mandates')
      .values({
        ...{ handle: 'seller', version: 1, text: 'as its new owner signed it', status: 'active', tx: null },
        ...{ structured: JSON.stringify(WIDE), hash: mandateHash(WIDE), created_at: signed },
      })
      .execute();
    const sold = (await findAgent(db, 'seller'))!;
    expect(await stopIfMoved(services(reader), sold, before.number)).toBe(false);
    expect(await findAgent(db, 'seller')).toMatchObject({ epoch: epoch + 1, owner: newOwner });
  });
});
