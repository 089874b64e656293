import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiParameters } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keccak } from '../../agents/canonical.ts';
import { agentNftAbi } from '../../chain/abi/agent-nft.ts';
import { type ChainReader, ReaderError } from '../../chain/rpc/reader.ts';
import { chainWatch } from '../../runtime/chain-sync/watch-chain.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { pausesOver, quietQuarantine } from '../fixtures/quiet-quarantine.ts';

/** After the chain went back, every booked mint is read again, until it is seen to stand. */

const AGAIN_MS = 10_000;

let database: Awaited<ReturnType<typeof testDatabase>>;
let market: ReturnType<typeof marketStage>;
let look: () => Promise<void>;
let wentBack = false;
/** By the payment: where its mint stands; it is nowhere when left out. */
const mints = new Map<Hex, { tokenId: bigint; account: Hex; tx: Hex }>();
const dark = new Set<Hex>();
let asked: Hex[] = [];

const mintOf = (tokenId: bigint) => [...mints].find(([, mint]) => mint.tokenId === tokenId)!;
const reader = {
  chainId: 1002,
  head: async () => ({ number: 9n, hash: '0x09', timestamp: 9n }),
  async read({ functionName, args }: { functionName: string; args: readonly [never] }) {
    if (functionName === 'accountOf') return mintOf(args[0])[1].account;
    asked.push(args[0]);
    if (dark.has(args[0])) throw new ReaderError('down', 'the node does not answer');
    return mints.get(args[0])?.tokenId ?? 0n;
  },
  async logs({ topics }: { topics: readonly Hex[] }) {
    const [paymentRef, { tokenId: agentId, account, tx }] = mintOf(BigInt(topics[1]!));
    const named = { agentId, account, owner: account };
    const indexed = encodeEventTopics({ abi: agentNftAbi, eventName: 'AgentMinted', args: named });
    const data = encodeAbiParameters(parseAbiParameters('uint8, bytes32'), [1, paymentRef]);
    return [{ topics: indexed, data, transactionHash: tx, blockNumber: 3n, logIndex: 0, address: account }];
  },
} as unknown as ChainReader;

const hex = (n: number, bytes: number): Hex => `0x${n.toString(16).padStart(bytes * 2, '0')}`;

/** An agent as it is booked, whose mint stands there. */
async function minted(n: number): Promise<Hex> {
  const handle = await market.agent(`minted-${n}`);
  const mint = { tokenId: BigInt(n), account: hex(n, 20), tx: hex(n, 32) };
  const { tokenId: token_id, account, tx: mint_tx } = mint;
  const set = { token_id, account, mint_tx, since: market.now() };
  await database.db.updateTable('agents').set(set).where('handle', '=', handle).execute();
  const payment = keccak((await findAgent(database.db, handle))!.checkout_id);
  mints.set(payment, mint);
  return payment;
}

/** What is asked about which mints in the next look. */
async function looked(): Promise<Hex[]> {
  market.tick(AGAIN_MS);
  await pausesOver(database.db);
  asked = [];
  await look();
  wentBack = false;
  return [...asked].sort();
}

beforeAll(async () => {
  database = await testDatabase();
  market = marketStage(database.db);
  const { db } = database;
  const services = {
    db,
    quarantine: quietQuarantine(db),
    home: {
      chainId: 1002,
      deployment: { agentNft: hex(0xa9, 20), deployedAtBlock: 0 },
      readers: { viem: reader },
      minter: { underWay: async () => true },
    },
    now: market.now,
    log: { info() {}, warn() {}, error() {} },
  } as unknown as Services;
  look = chainWatch(services, async () => ({ head: 9n, wentBack }));
});
afterAll(() => database?.drop());

it('reads each mint until it stands as booked, and then not before the chain goes back again', async () => {
  const [one, other] = [await minted(501), await minted(502)].sort() as [Hex, Hex];
  wentBack = true;
  expect(await looked()).toEqual([one, other]);
  // What was booked by who had its receipt in hand is read, too.
  const third = await minted(503);
  expect(await looked()).toEqual([third]);
  expect(await looked()).toEqual([]);

  const gone = mints.get(one)!;
  mints.delete(one);
  dark.add(other);
  wentBack = true;
  expect(await looked()).toEqual([one, other, third].sort());
  expect(await looked()).toEqual([one, other].sort());
  dark.clear();
  expect(await looked()).toEqual([one, other].sort());
  // It comes back in another transaction: it is booked anew, and then read once more.
  mints.set(one, { ...gone, tx: hex(777, 32) });
  expect([await looked(), await looked(), await looked()]).toEqual([[one], [one], []]);
  expect((await findAgent(database.db, `minted-${gone.tokenId}`))!.mint_tx).toBe(hex(777, 32));
});
