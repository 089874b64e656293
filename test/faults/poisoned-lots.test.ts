import { type Address, encodeFunctionData, erc721Abi, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lowerAddress } from '../../agents/ids.ts';
import { agentAccountAbi } from '../../chain/abi/agent-account.ts';
import { type MintedAgent, mintAgent } from '../../chain/clients/agents.ts';
import { setListed } from '../../chain/clients/asset-listings.ts';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { type DevChain, mintDemoAsset } from '../../chain/devnet/dev-wallets.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../chain/tx/signer.ts';
import { transact } from '../../chain/tx/transact.ts';
import { followAssets } from '../../runtime/market/listings/follow-assets.ts';
import type { Services } from '../../runtime/services.ts';
import { readCursor } from '../../store/certificates/certificates.ts';
import { listQuarantine } from '../../store/durable/quarantine.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import { type TestChain, testChain } from '../fixtures/chain/anvil.ts';
import { ARMS, type Arm, type HostileToken, hostileToken } from '../fixtures/chain/hostile-tokens.ts';
import { type Conduct, type WaywardRpc, waywardRpc } from '../fixtures/chain/wayward-rpc.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../fixtures/quiet-quarantine.ts';

let chain: TestChain;
let dev: DevChain;
let database: Awaited<ReturnType<typeof testDatabase>>;
let market: ReturnType<typeof marketStage>;
let node: WaywardRpc;
let owner: Signer;
let mallory: Signer;
let agent: MintedAgent;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  node = await waywardRpc(chain.url);
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  dev = { rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey };
  owner = createSigner({ rpcUrl, chainId, privateKey: accounts.alice.privateKey });
  mallory = createSigner({ rpcUrl, chainId, privateKey: accounts.bob.privateKey });
  const until = Math.floor(Date.now() / 1000) + 10 * 86_400;
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
  await Promise.all([chain?.stop(), database?.drop(), node?.stop()]);
});
beforeEach(async () => {
  node.behave((_, honest) => honest());
  await database.db.deleteFrom('quarantine').execute();
});

/** A process that starts now: it has nothing of an earlier one but the database. */
function process(over: Partial<ChainReader> = {}): () => Promise<number> {
  const reader = viemReader({ rpcUrl: node.url, chainId: chain.chainId, backoffMs: 1 });
  const services = {
    db: database.db,
    quarantine: quietQuarantine(database.db),
    home: { readers: { viem: { ...reader, ...over } }, deployment: chain.deployment },
    now: market.now,
    log: { info() {} },
  } as unknown as Services;
  return () => followAssets(services);
}

async function list(contract: Address, tokenId: bigint): Promise<string> {
  const sale = { agentId: agent.tokenId, asset: lowerAddress(contract), tokenId };
  await setListed(owner, chain.deployment, sale, 1n);
  return await market.list('seller', {
    owner: lowerAddress(owner.address),
    asset: { kind: 'token', chainId: 1002, contract: lowerAddress(contract), tokenId: String(tokenId) },
  });
}

interface Honest {
  readonly lot: string;
  leave(): Promise<void>;
}

async function honest(): Promise<Honest> {
  const contract = lowerAddress(chain.deployment.assets);
  const tokenId = await mintDemoAsset(dev, agent.account);
  const lot = await list(contract, tokenId);
  const args = [agent.account, owner.address, tokenId] as const;
  const data = encodeFunctionData({ abi: erc721Abi, functionName: 'transferFrom', args });
  return {
    lot,
    leave: async () =>
      void (await transact(owner, {
        to: agent.account,
        abi: agentAccountAbi,
        functionName: 'execute',
        args: [contract, 0n, data, 0],
        gas: 1_000_000n,
      })),
  };
}

async function poisoned(): Promise<HostileToken & { readonly lot: string }> {
  const token = await hostileToken(chain.url, mallory, agent.account);
  return { ...token, lot: await list(token.address, token.tokenId) };
}

const isListed = async (lot: string): Promise<boolean> => (await liveListingOf(database.db, lot)) !== null;
const listed = (lots: readonly { readonly lot: string }[]) => Promise.all(lots.map((l) => isListed(l.lot)));
const head = async () => BigInt(await rpc<string>(chain.url, 'eth_blockNumber'));
const aside = async () =>
  (await listQuarantine(database.db)).map(({ kind, item, failures }) => ({ kind, item, failures }));
/** Fails for calls to one contract, and for nothing else. */
const against =
  (address: string, way: Conduct): Conduct =>
  (call, honestly) =>
    call.method === 'eth_call' && JSON.stringify(call.params).toLowerCase().includes(address.toLowerCase())
      ? way(call, honestly)
      : honestly();

describe('a token that answers with', () => {
  it.each(Object.keys(ARMS) as Arm[])('%s does not hide that another lot has left', async (arm) => {
    const [token, stays, leaves] = [await poisoned(), await honest(), await honest()];
    const round = process();
    await round();
    expect(await listed([token, stays, leaves])).toEqual([true, true, true]);
    await token.arm(arm);
    await leaves.leave();
    await round();
    expect(await listed([stays, leaves])).toEqual([true, false]);
    // It is the token's own fault, and an answer: a lot that cannot show that it is with its seller is not.
    if (!('sometimes' in ARMS[arm])) expect(await isListed(token.lot)).toBe(false);
    expect(await aside()).toEqual([]);
    expect(await readCursor(database.db, 'assets')).toBe(await head());
  });
});

describe('poisoned tokens', () => {
  it('hide nothing, however many there are, not even from a process that starts after them', async () => {
    const arms = (Object.keys(ARMS) as Arm[]).filter((arm) => !('sometimes' in ARMS[arm]));
    const tokens: Awaited<ReturnType<typeof poisoned>>[] = [];
    for (const _ of arms) tokens.push(await poisoned());
    const [stays, leaves, leavesLater] = [await honest(), await honest(), await honest()];
    for (const [i, token] of tokens.entries()) await token.arm(arms[i]!);
    await leaves.leave();
    await process()();
    expect(await listed([stays, leaves, leavesLater])).toEqual([true, false, true]);
    expect(await listed(tokens)).toEqual(tokens.map(() => false));
    await leavesLater.leave();
    await process()();
    expect(await listed([stays, leavesLater])).toEqual([true, false]);
  });

  it('hide nothing when no node lists their transfers, and their own lots are read one by one', async () => {
    const [token, leaves] = [await poisoned(), await honest()];
    await process()();
    const flooded = token.address.toLowerCase();
    node.behave((call, honestly) =>
      call.method === 'eth_getLogs' && JSON.stringify(call.params).toLowerCase().includes(flooded)
        ? { error: { code: -32005, message: 'query returned more than 10000 results' } }
        : honestly(),
    );
    await leaves.leave();
    await token.arm('a revert below some gas', 50);
    await process()();
    expect(await listed([token, leaves])).toEqual([true, false]);
    expect(await aside()).toEqual([{ kind: 'collection', item: flooded, failures: 1 }]);
    expect(await readCursor(database.db, 'assets')).toBe(await head());
    await token.give(owner.address);
    await pausesOver(database.db);
    await process()();
    expect(await isListed(token.lot)).toBe(false);
    // None of its lots is left to be read.
    await pausesOver(database.db);
    await process()();
    expect(await aside()).toEqual([]);
  });
});

describe('a node', () => {
  const DOWN: Readonly<Record<string, Conduct>> = {
    'is broken (HTTP 503)': () => ({ status: 503, body: 'Sorry' }),
    'cuts connections': () => 'cut',
    'is overrun': () => ({ error: { code: -32005, message: 'request rate limited' } }),
    'answers no JSON': () => ({ status: 200, body: '<html>' }),
  };

  it.each(Object.entries(DOWN))(
    'that %s causes no lot to leave the market, and nothing to go into quarantine',
    async (_, down) => {
      const [token, stays, leaves] = [await poisoned(), await honest(), await honest()];
      await process()();
      const before = await readCursor(database.db, 'assets');
      await token.arm('an invalid opcode');
      await leaves.leave();
      node.behave(down);
      await expect(process()()).rejects.toMatchObject({ name: 'ReaderError' });
      // The node also fails in the middle, after it has reported the transfers.
      node.behave((call, honestly) =>
        call.method === 'eth_getLogs' || asksHead(call) ? honestly() : down(call, honestly),
      );
      let heads = 0;
      function asksHead({ method }: { method: string }): boolean {
        if (method === 'eth_chainId') return true;
        return method === 'eth_getBlockByNumber' && heads++ < 1;
      }
      await expect(process()()).rejects.toMatchObject({ name: 'ReaderError' });
      expect(await listed([token, stays, leaves])).toEqual([true, true, true]);
      expect(await aside()).toEqual([]);
      expect(await readCursor(database.db, 'assets')).toBe(before);
      node.behave((_call, honestly) => honestly());
      await process()();
      expect(await listed([token, stays, leaves])).toEqual([false, true, false]);
    },
  );

  it.each(Object.entries(DOWN))(
    'that %s for a single lot causes only that lot to go into quarantine and to be retried',
    async (_, down) => {
      const [silent, leaves, later] = [await poisoned(), await honest(), await honest()];
      await process()();
      node.behave(against(silent.address, down));
      await silent.arm('a revert below some gas');
      await leaves.leave();
      await process()();
      expect(await listed([silent, leaves, later])).toEqual([true, false, true]);
      expect(await aside()).toEqual([{ kind: 'lot', item: silent.lot, failures: 1 }]);
      expect(await readCursor(database.db, 'assets')).toBe(await head());
      // Until its backoff is over it costs nothing, and everything else continues, even in another process.
      await later.leave();
      await process()();
      expect(await isListed(later.lot)).toBe(false);
      expect(await aside()).toEqual([{ kind: 'lot', item: silent.lot, failures: 1 }]);
      await pausesOver(database.db);
      await process()();
      expect(await aside()).toEqual([{ kind: 'lot', item: silent.lot, failures: 1 }]);
      // It is retried without anything new on chain, and a transfer in the meantime is seen.
      await silent.give(owner.address);
      await process()();
      node.behave((_call, honestly) => honestly());
      await pausesOver(database.db);
      await process()();
      expect(await isListed(silent.lot)).toBe(false);
      expect(await aside()).toEqual([]);
    },
  );

  it('that reports an unknown error for one contract, and answers for others, leaves the blame with that contract', async () => {
    const [token, stays] = [await poisoned(), await honest()];
    await process()();
    await token.arm('a revert below some gas');
    node.behave(
      against(token.address, (call) => ({ error: { code: -32099, message: `frobnicated ${call.id}` } })),
    );
    await process()();
    expect(await listed([token, stays])).toEqual([false, true]);
    node.behave((call, honestly) =>
      call.method === 'eth_call' ? { error: { code: -32099, message: 'frobnicated' } } : honestly(),
    );
    const other = await honest();
    await other.leave();
    await process()();
    // If all contracts answer so, the node is to blame.
    expect(await isListed(other.lot)).toBe(true);
    expect(await aside()).toContainEqual({ kind: 'lot', item: other.lot, failures: 1 });
  });
});

describe('an error of the program itself', () => {
  it('in one lot does not hide any other', async () => {
    const [odd, leaves] = [await poisoned(), await honest()];
    await process()();
    await odd.arm('a revert below some gas');
    await leaves.leave();
    const reader = viemReader({ rpcUrl: chain.url, chainId: chain.chainId });
    const round = process({
      read: (call) => {
        if (call.address.toLowerCase() === odd.address.toLowerCase())
          throw new TypeError('x is not a function');
        return reader.read(call);
      },
    });
    await round();
    expect(await listed([odd, leaves])).toEqual([true, false]);
    expect(await aside()).toEqual([{ kind: 'lot', item: odd.lot, failures: 1 }]);
  });
});
