import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AssetInput } from '../../agents/assets.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { Depth, Determination } from '../../agents/determinations/panel/types.ts';
import { NOBODY } from '../../agents/ids.ts';
import { certificatesAbi } from '../../chain/abi/certificates.ts';
import { mintAgent } from '../../chain/clients/agents.ts';
import { certificateOf, issueCertificate } from '../../chain/clients/certificates.ts';
import { tokenLife } from '../../chain/indexer/token-custody.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { transact } from '../../chain/tx/transact.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineTier, type TierAnswer } from '../../runtime/determinations/determine-tier.ts';
import { goodsLookup } from '../../runtime/determinations/evidence/provenance/goods-lookup.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { assetThrough, hand, listOf, sharesOn, signerOf, walletOn } from './goods-stage.ts';
import { lyingRpc, SILENCE } from './lying-rpc.ts';

const NOW = new Date();
const VIN = '1HGCM82633A004352';
const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus'] as const;
/** Whoever answers is waited for, whatever the machine is busy with. */
const PATIENCE_MS = 60_000;
const stops: (() => Promise<unknown> | unknown)[] = [];

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let second: Awaited<ReturnType<typeof lyingRpc>>;
let deps: EvidenceDeps;
let asset: AssetInput;
let shares: Awaited<ReturnType<typeof sharesOn>>;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(), testDatabase()]);
  second = await lyingRpc(chain.url);
  deps = {
    db: database.db,
    readers: readers(),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => NOW,
    seatTimeoutMs: PATIENCE_MS,
  };
  shares = await sharesOn(chain);
  const { alice, bob, carol } = chain.accounts;
  const tokenId = await assetThrough(chain, [alice, bob, alice, carol]);
  asset = { chainId: 1002, contract: chain.deployment.assets, tokenId: tokenId.toString() };
});

/** viem asks the chain itself; ethers asks it over another URL, which may lie, or say nothing for ever. */
function readers(secondMs = PATIENCE_MS): EvidenceDeps['readers'] {
  const options = { chainId: 1002, retries: 0, deadlineMs: PATIENCE_MS };
  const pair = {
    viem: viemReader({ ...options, timeoutMs: PATIENCE_MS, rpcUrl: chain.url }),
    ethers: ethersReader({ ...options, timeoutMs: secondMs, rpcUrl: second.url }),
  };
  return new Map([[1002, pair]]);
}

beforeEach(async () => {
  for (const register of ['stolen', 'recalled'] as const) await listOf(database.db, register, [], NOW);
  for (const register of ['sanctions', 'known-scam'] as const)
    await listOf(database.db, register, ['0x00000000000000000000000000000000000000ff'], NOW);
});

afterEach(async () => {
  second.lie((_, result) => result);
  for (const stop of stops.splice(0)) await stop();
});

afterAll(async () => {
  await second?.stop();
  await chain?.stop();
  await database?.drop();
});

async function traced(
  subject: AssetInput,
  depth: Depth = '2-of-2',
  over: Partial<EvidenceDeps> = {},
): Promise<{ answer: TierAnswer; found: Determination; outcomes: Record<string, string> }> {
  const request = { tier: 'tier3', category: 'real-world-assets', facts: { subject }, depth } as const;
  const answer = await determineTier({ ...deps, ...over }, request);
  const found = answer.record.determinations.find((d) => d.id === 'provenance')!;
  expect(recompute(answer.evidence).verdict).toBe(answer.record.verdict);
  return { answer, found, outcomes: Object.fromEntries(found.checks.map((c) => [c.id, c.outcome])) };
}

const lower = (who: 'alice' | 'bob' | 'carol'): string => chain.accounts[who].address.toLowerCase();

/** Bob's new agent; carol has its session key. */
async function agentOfBob(named: string) {
  const { bob, carol, operator } = chain.accounts;
  const name = toHex(named, { size: 32 });
  const expiry = Math.floor(Date.now() / 1000) + 86_400;
  return await mintAgent(signerOf(chain, operator), chain.deployment, {
    ...{
      to: bob.address,
      tier: 1,
      paymentRef: name,
      key: carol.address,
      keyValidUntil: expiry,
      uri: 'http://x',
    },
    terms: {
      ...{ mandateHash: name, validAfter: 0, expiry, sides: 3, allowlistOnly: false },
      ...{ categories: 0n, allow: [], deny: [], offChain: [] },
      caps: { perDeal: 1_000n, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
    },
  });
}

describe('the provenance of a token', () => {
  it.each(DEPTHS)('is walked from its mint to now through every hand, at depth %s', async (depth) => {
    const { answer, found, outcomes } = await traced(asset, depth);
    expect(outcomes['chain-of-custody']).toBe('PASS');
    expect(answer.record).toMatchObject({ verdict: 'CLEAN', inconclusive: [] });
    const moves = (found.trace ?? []).filter((s) => s.seat === 'rules/viem' && s.claim.startsWith('block '));
    expect(moves.map((s) => s.claim.split(' to ')[1])).toEqual(
      ['alice', 'bob', 'alice', 'carol'].map((w) => lower(w as 'bob')),
    );
    expect(found.panel.votes.map((v) => v.vote)).toEqual(found.panel.votes.map(() => 'CLEAN'));
  });

  it.each(['sanctions', 'known-scam'] as const)(
    'is a hard flag when a former holder is on %s',
    async (register) => {
      await listOf(database.db, register, [lower('bob')], NOW);
      for (const depth of DEPTHS) {
        const { answer, outcomes } = await traced(asset, depth);
        expect([answer.record.verdict, outcomes[`custody-${register}`]]).toEqual(['FLAGGED', 'FLAG']);
        expect(answer.hardFlags).toEqual([`provenance/custody-${register}`]);
      }
    },
  );

  it('is a hard flag when it is reported stolen or recalled itself, in any spelling', async () => {
    const key = `eip155:1002/erc721:${chain.deployment.assets.toLowerCase()}/${asset.tokenId}`;
    const spelled = {
      ...asset,
      contract: (asset.contract ?? '').toUpperCase().replace('0X', '0x'),
      tokenId: `00${asset.tokenId}`,
    };
    for (const register of ['stolen', 'recalled'] as const) {
      await listOf(database.db, register, [key], NOW);
      expect((await traced(spelled)).answer.hardFlags).toContain(`provenance/list-${register}`);
    }
  });

  it('is held against whoever owned the account that holds it when it came there, and whoever owns it now', async () => {
    const { alice, bob, carol } = chain.accounts;
    const agent = await agentOfBob('an agent');
    const tokenId = await assetThrough(chain, [alice]);
    const thing = { ...asset, tokenId: tokenId.toString() };
    await hand(chain, chain.deployment.assets, tokenId, alice, agent.account);
    expect((await traced(thing)).outcomes).toMatchObject({
      'custody-principals': 'PASS',
      'custody-sanctions': 'PASS',
    });
    // The agent is sold, and what its account holds goes with it.
    await hand(chain, chain.deployment.agentNft, agent.tokenId, bob, carol.address);
    const told = async () => {
      const { answer, outcomes } = await traced(thing);
      return [answer.hardFlags, outcomes['custody-sanctions']];
    };
    expect(await told()).toEqual([[], 'PASS']);
    await listOf(database.db, 'sanctions', [lower('bob')], NOW);
    expect(await told()).toEqual([['provenance/custody-sanctions'], 'FLAG']);
    await listOf(database.db, 'sanctions', [lower('carol')], NOW);
    expect(await told()).toEqual([['provenance/custody-sanctions'], 'FLAG']);
  });

  it('is held against whoever owned the wallet that owned the account, as against whoever owns a wallet', async () => {
    const { alice, bob, carol } = chain.accounts;
    const agent = await agentOfBob('an agent of a wallet');
    const wallet = await walletOn(chain, `0x${'7'.repeat(64)}`);
    const upper = await walletOn(chain, `0x${'8'.repeat(64)}`);
    await upper.call('add', [carol.address]);
    await wallet.call('add', [upper.address]);
    await hand(chain, chain.deployment.agentNft, agent.tokenId, bob, wallet.address);
    for (const holder of [agent.account, wallet.address, upper.address]) {
      await listOf(database.db, 'sanctions', [lower('carol')], NOW);
      const tokenId = await assetThrough(chain, [alice]);
      await hand(chain, chain.deployment.assets, tokenId, alice, holder);
      const thing = { ...asset, tokenId: tokenId.toString() };
      for (const depth of DEPTHS)
        expect((await traced(thing, depth)).answer.hardFlags).toEqual(['provenance/custody-sanctions']);
      await listOf(database.db, 'sanctions', [`0x${'f'.repeat(40)}`], NOW);
      expect((await traced(thing)).answer.record.verdict).toBe('CLEAN');
    }
  });

  it.each(['agent', 'agent of an agent'])(
    'is held against whoever owned the %s only while it lay in the account',
    async (what) => {
      const { alice, bob, carol } = chain.accounts;
      const agent = await agentOfBob(`a stolen ${what}`);
      const upper = await agentOfBob(`above a stolen ${what}`);
      const { agentNft, assets } = chain.deployment;
      if (what !== 'agent') await hand(chain, agentNft, agent.tokenId, bob, upper.account);
      const { tokenId: sold } = what === 'agent' ? agent : upper;
      const tokenId = await assetThrough(chain, [alice]);
      const thing = { ...asset, tokenId: tokenId.toString() };
      await hand(chain, agentNft, sold, bob, carol.address);
      await hand(chain, agentNft, sold, carol, bob.address);
      await hand(chain, assets, tokenId, alice, agent.account);
      await listOf(database.db, 'sanctions', [lower('carol')], NOW);
      // Who owned it before never had the thing by it.
      expect((await traced(thing)).answer.record.verdict).toBe('CLEAN');
      await hand(chain, agentNft, sold, bob, carol.address);
      await hand(chain, agentNft, sold, carol, alice.address);
      for (const depth of DEPTHS)
        expect((await traced(thing, depth)).answer.hardFlags).toEqual(['provenance/custody-sanctions']);
    },
  );

  it('is held against the owner of an agent whose account owns the wallet', async () => {
    const { alice, carol, bob } = chain.accounts;
    const agent = await agentOfBob('an agent that owns a wallet');
    const wallet = await walletOn(chain, `0x${'9'.repeat(64)}`);
    await wallet.call('add', [agent.account]);
    const tokenId = await assetThrough(chain, [alice]);
    await hand(chain, chain.deployment.assets, tokenId, alice, wallet.address);
    await wallet.call('pass', [chain.deployment.assets, alice.address, tokenId]);
    await hand(chain, chain.deployment.agentNft, agent.tokenId, bob, carol.address);
    const thing = { ...asset, tokenId: tokenId.toString() };
    // Who buys the agent afterwards never had the thing by it.
    await listOf(database.db, 'sanctions', [lower('carol')], NOW);
    expect((await traced(thing)).answer.record.verdict).toBe('CLEAN');
    await listOf(database.db, 'sanctions', [lower('bob')], NOW);
    expect((await traced(thing)).answer.hardFlags).toEqual(['provenance/custody-sanctions']);
  });

  it('is not held against whoever owns the wallet of an agent later, where the node keeps no state of then', async () => {
    const { alice, bob, carol } = chain.accounts;
    const agent = await agentOfBob('an agent of a wallet of long ago');
    const wallet = await walletOn(chain, `0x${'6'.repeat(64)}`);
    await hand(chain, chain.deployment.agentNft, agent.tokenId, bob, wallet.address);
    const tokenId = await assetThrough(chain, [alice]);
    await hand(chain, chain.deployment.assets, tokenId, alice, agent.account);
    await wallet.call('pass', [chain.deployment.agentNft, bob.address, agent.tokenId]);
    await wallet.call('add', [carol.address]);
    await listOf(database.db, 'sanctions', [lower('carol')], NOW);
    const thing = { ...asset, tokenId: tokenId.toString() };
    expect((await traced(thing)).answer.record.verdict).toBe('CLEAN');
    await chain.restart();
    const { answer, found } = await traced(thing);
    expect([found.verdict, answer.hardFlags]).toEqual(['INCONCLUSIVE', []]);
  });

  it('is judged as before by nodes that keep no state of before, as after a restart', async () => {
    const { alice, bob, carol } = chain.accounts;
    const agent = await agentOfBob('another agent');
    const tokenId = await assetThrough(chain, [alice]);
    await hand(chain, chain.deployment.assets, tokenId, alice, agent.account);
    await hand(chain, chain.deployment.agentNft, agent.tokenId, bob, carol.address);
    await shares.call('move', [NOBODY, bob.address, 5n, 10n]);
    await shares.call('move', [bob.address, carol.address, 5n, 10n]);
    await chain.restart();
    const held = { ...asset, tokenId: tokenId.toString() };
    for (const subject of [held, { ...asset, contract: shares.address, tokenId: '5' }]) {
      const { outcomes } = await traced(subject);
      expect(outcomes).toMatchObject({ 'chain-of-custody': 'PASS', 'custody-principals': 'PASS' });
      await listOf(database.db, 'sanctions', [lower('bob')], NOW);
      expect((await traced(subject)).answer.hardFlags).toEqual(['provenance/custody-sanctions']);
      await listOf(database.db, 'sanctions', [`0x${'f'.repeat(40)}`], NOW);
    }
  });

  it('is pledged while a lending contract holds it, as an imported table tells', async () => {
    const ask = async () => {
      const request = {
        tier: 'tier2',
        category: 'real-world-assets',
        facts: { asset },
        depth: '2-of-2',
      } as const;
      const { record, evidence } = await determineTier(deps, request);
      expect(recompute(JSON.parse(JSON.stringify(evidence))).verdict).toBe(record.verdict);
      return [record.verdict, record.determinations[0]?.checks.find((c) => c.id === 'token-held')?.outcome];
    };
    const lenders = async (kind: string, keys: readonly string[]): Promise<void> => {
      async function* rows() {
        for (const key of keys) yield { key, detail: { kind } };
      }
      const list = { register: 'labels', source: 'lenders', asOf: NOW, mode: 'replace' } as const;
      await importRegister(database.db, { ...list, rows: rows() });
    };
    // It lay at bob's before, and lies at carol's.
    await lenders('lender', [lower('bob')]);
    expect(await ask()).toEqual(['CLEAN', 'PASS']);
    await lenders('exchange', [lower('carol')]);
    expect(await ask()).toEqual(['CLEAN', 'PASS']);
    await lenders('lender', [lower('carol')]);
    expect(await ask()).toEqual(['FLAGGED', 'FLAG']);
  });

  it('is INCONCLUSIVE when one node leaves a move out, and the record names the dispute', async () => {
    second.lie(({ method }, result) =>
      method === 'eth_getLogs' ? (result as unknown[]).filter((_, i) => i !== 1) : result,
    );
    for (const depth of ['2-of-2', 'superconsensus'] as const) {
      const { answer, found, outcomes } = await traced(asset, depth);
      expect([answer.record.verdict, found.verdict]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
      expect(outcomes['readings-agree']).toBe('INCONCLUSIVE');
      expect(found.panel.dissent.join(' ')).toContain('out of balance');
    }
  });

  it('is INCONCLUSIVE when a node tells another holder than the moves do', async () => {
    const stranger = toHex(0xbad, { size: 32 });
    second.lie(({ method, params }, result) =>
      method === 'eth_call' && JSON.stringify(params).includes('6352211e') ? stranger : result,
    );
    expect((await traced(asset)).found.verdict).toBe('INCONCLUSIVE');
  });

  it('is INCONCLUSIVE while one reader is silent, and FLAGGED still when the other sees a listed hand', async () => {
    second.lie(({ method }, result) => (method === 'eth_getLogs' ? SILENCE : result));
    const hasty = { readers: readers(1_000) };
    expect((await traced(asset, '2-of-2', hasty)).found.verdict).toBe('INCONCLUSIVE');
    await listOf(database.db, 'known-scam', [lower('alice')], NOW);
    expect((await traced(asset, '2-of-2', hasty)).found.verdict).toBe('FLAGGED');
  });

  it('is INCONCLUSIVE without an RPC, with an empty list, or with one past its age', async () => {
    expect((await traced(asset, '2-of-2', { readers: new Map() })).found.verdict).toBe('INCONCLUSIVE');
    expect((await traced({ ...asset, chainId: 5 })).found.verdict).toBe('INCONCLUSIVE');
    await listOf(database.db, 'stolen', [], new Date(NOW.getTime() - 31 * 86_400_000));
    expect((await traced(asset)).outcomes).toMatchObject({ 'list-stolen': 'INCONCLUSIVE' });
  });

  it('is INCONCLUSIVE for a contract that is no token, and for a token that was never minted', async () => {
    for (const subject of [
      { ...asset, contract: chain.deployment.ledger },
      { ...asset, tokenId: '987654' },
    ]) {
      const { found, outcomes } = await traced(subject);
      expect([found.verdict, outcomes['chain-of-custody']]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    }
  });

  it('is walked in narrower ranges where a node refuses wide ones, and says so where it stops looking', async () => {
    await rpc(chain.url, 'anvil_mine', [toHex(60)]);
    const token = { address: chain.deployment.assets, tokenId: BigInt(asset.tokenId ?? '') };
    const widths: number[] = [];
    // A node of its own: others are asked by whoever looked before and was waited for no longer.
    const own = await lyingRpc(chain.url);
    stops.push(() => own.stop());
    own.lie(({ method, params }, result) => {
      if (method !== 'eth_getLogs') return result;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      widths.push(Number(toBlock) - Number(fromBlock) + 1);
      return widths.at(-1)! > 12 ? null : result;
    });
    const reader = ethersReader({ chainId: 1002, retries: 0, timeoutMs: PATIENCE_MS, rpcUrl: own.url });
    const { number } = await reader.head();
    const limits = { span: 16n, widest: 64n, narrowest: 4n, requests: 200, moves: 100 };
    const whole = await tokenLife(reader, token, number, null, limits);
    expect([whole.moves.length, whole.hole]).toEqual([4, null]);
    expect([widths[0], Math.max(...widths.slice(1))]).toEqual([16, 8]);
    const short = await tokenLife(reader, token, number, null, { ...limits, requests: 3 });
    expect([short.moves.length, short.hole]).toEqual([
      0,
      expect.stringContaining('nobody looked further back'),
    ]);
    const many = await tokenLife(reader, token, number, null, { ...limits, moves: 1 });
    expect(many.hole).toContain('moved more than 1 times');
  });

  it('holds ERC-1155 to what everybody holds, single moves and batches', async () => {
    const [nobody, alice, bob, carol] = [`0x${'0'.repeat(40)}`, lower('alice'), lower('bob'), lower('carol')];
    await shares.call('move', [nobody, alice, 7n, 10n]);
    await shares.call('moveMany', [alice, bob, [8n, 7n, 7n], [0n, 3n, 1n]]);
    await shares.call('move', [bob, carol, 7n, 4n]);
    const subject = { chainId: 1002, contract: shares.address, tokenId: '7' };
    const { found } = await traced(subject);
    expect(found.verdict).toBe('CLEAN');
    const facts = found.evidence.seats[0]?.facts as {
      custody: { moves: { amount: string }[]; holders: unknown }[];
    };
    expect(facts.custody[0]?.moves.map((m) => m.amount)).toEqual(['10', '4', '4']);
    expect(facts.custody[0]?.holders).toEqual(
      [
        { address: alice, amount: '6' },
        { address: carol, amount: '4' },
      ].sort((a, b) => (a.address < b.address ? -1 : 1)),
    );
    // What Carol has went through Bob's hands, and what Alice has did not.
    await listOf(database.db, 'sanctions', [bob], NOW);
    expect((await traced(subject)).found.verdict).toBe('INCONCLUSIVE');
    await listOf(database.db, 'sanctions', [alice], NOW);
    expect((await traced(subject)).found.verdict).toBe('FLAGGED');
    second.lie(({ method }, result) =>
      method === 'eth_getLogs' ? (result as unknown[]).slice(0, -1) : result,
    );
    await listOf(database.db, 'sanctions', [], NOW);
    expect((await traced(subject)).found.verdict).toBe('INCONCLUSIVE');
  });

  it('is judged, of an edition, by what passed through listed hands, and not by a unit that was sent there', async () => {
    const { alice, bob, carol } = chain.accounts;
    const listed = '0x00000000000000000000000000000000000000ff';
    await shares.call('move', [NOBODY, alice.address, 77n, 100n]);
    await shares.call('move', [alice.address, bob.address, 77n, 50n]);
    await shares.call('move', [bob.address, listed, 77n, 1n]);
    const subject = { ...asset, contract: shares.address, tokenId: '77' };
    for (const depth of DEPTHS) {
      const { answer, found } = await traced(subject, depth);
      expect([found.verdict, answer.hardFlags]).toEqual(['CLEAN', []]);
      expect(JSON.stringify(found.checks)).toContain(`${listed} is on known-scam/test`);
    }
    await shares.call('move', [listed, carol.address, 77n, 1n]);
    for (const depth of DEPTHS) {
      const { answer, found } = await traced(subject, depth);
      expect([found.verdict, answer.hardFlags]).toEqual(['INCONCLUSIVE', []]);
    }
    await listOf(database.db, 'known-scam', [lower('alice')], NOW);
    expect((await traced(subject)).answer.hardFlags).toEqual(['provenance/custody-known-scam']);
  });
});

describe('the provenance of a serial', () => {
  it('is CLEAN where no certificate ever stood for it, and a wrong check digit is not', async () => {
    const { found, outcomes } = await traced({ serial: '1M8GDM9AXKP042788' });
    expect(outcomes).toMatchObject({ 'serial-form': 'PASS', 'chain-of-custody': 'PASS' });
    expect(found.verdict).toBe('CLEAN');
    expect(JSON.stringify(found.checks)).toContain('not a search of national police databases');
    expect((await traced({ serial: '1M8GDM9AYKP042788', serialKind: 'vin' })).found.verdict).toBe('FLAGGED');
    expect((await traced({ serial: 'WVWZZZ1JZ3W386752' })).found.verdict).toBe('INCONCLUSIVE');
  });

  it('is not CLEAN while a list names its number, whoever is said to have made it', async () => {
    const stolen = ['serial:generic:TREK:WTU123', 'serial:imei:490154203237518', `serial:vin:${VIN}`];
    await listOf(database.db, 'stolen', stolen, NOW);
    const asked = [
      ...[
        { serial: 'WTU123' },
        { serial: 'WTU123', maker: 'Trek Inc.' },
        { serial: '49015420323751', maker: 'Acme' },
      ],
      ...[
        { serial: '490154203237518', maker: 'Acme' },
        { serial: `Honda: ${VIN}` },
        { serial: `${VIN} (car)` },
      ],
    ];
    const verdicts = [];
    for (const subject of asked) verdicts.push((await traced(subject)).found.verdict);
    expect(verdicts).toEqual([...Array(3).fill('INCONCLUSIVE'), ...Array(3).fill('FLAGGED')]);
    const other = await traced({ serial: 'WTU124', maker: 'Trek' });
    expect(other.outcomes['list-stolen']).toBe('PASS');
  });

  it('is INCONCLUSIVE, and nobody is accused, where a letter is written for a digit of a listed number', async () => {
    await listOf(database.db, 'stolen', ['serial:generic:WTU0123', 'serial:generic:TREK:WTUO321'], NOW);
    const verdicts = [];
    for (const serial of ['WTUO123', 'Trek: WTUO123', 'WTU0321', 'Giant: WTU0321'])
      verdicts.push((await traced({ serial })).found.verdict);
    expect(verdicts).toEqual(Array(4).fill('INCONCLUSIVE'));
  });

  it('walks every certificate that it ever had, whichever of its spellings is asked about', async () => {
    const { deployment, accounts } = chain;
    const operator = signerOf(chain, accounts.operator);
    const key = `serial:vin:${VIN}`;
    await issueCertificate(operator, deployment, { to: accounts.bob.address, serial: key, approve: false });
    const reader = deps.readers.get(1002)!.viem;
    const live = async () =>
      (await certificateOf(reader, deployment, key, (await reader.head()).number)).live!;
    const first = await live();
    const call = { to: deployment.certificates, abi: certificatesAbi, functionName: 'retire', gas: 300_000n };
    await transact(operator, { ...call, args: [first, 'lost'] });
    await issueCertificate(operator, deployment, { to: accounts.alice.address, serial: key, approve: false });
    const now = await live();
    await hand(chain, deployment.certificates, now, accounts.alice, accounts.carol.address);
    const token = { chainId: 1002, contract: deployment.certificates };
    const spellings = [
      { serial: '1hgc m826-33a004352' },
      { ...token, tokenId: first.toString() },
      { ...token, tokenId: toHex(now) },
    ];
    for (const subject of spellings) {
      const { found, outcomes } = await traced(subject);
      // The first is void and was bob's; the second is alice's by right, until somebody asks about the first itself.
      const isFirst = subject === spellings[1];
      expect(found.verdict).toBe(isFirst ? 'FLAGGED' : 'CLEAN');
      expect(outcomes['certificate-standing']).toBe(isFirst ? 'FLAG' : 'PASS');
      const { custody } = found.evidence.seats[1]!.facts as { custody: { moves: unknown[] }[] };
      // The issuer marked the first void: it never left its holder.
      expect(custody.map((c) => c.moves.length)).toEqual([1, 2]);
    }
    await listOf(database.db, 'known-scam', [lower('bob')], NOW);
    for (const subject of spellings) expect((await traced(subject)).found.verdict).toBe('FLAGGED');
  });
});

describe('a register of goods that others keep', () => {
  async function leader(answer: RequestListener, options: { perMinute?: number; timeoutMs?: number } = {}) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    const template = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{kind}/{serial}?token=secret`;
    const lookups = (['stolen', 'recalled'] as const).map((register) =>
      goodsLookup({ register, template, now: () => NOW, timeoutMs: PATIENCE_MS, ...options }),
    );
    return { asked, lookups };
  }
  const says =
    (body: unknown): RequestListener =>
    (_, response) =>
      response.end(JSON.stringify(body));

  it('is asked by kind and serial, and its word counts beside the lists', async () => {
    const { asked, lookups } = await leader(says({ listed: false }));
    expect((await traced({ serial: VIN }, '2-of-2', { lookups })).found.verdict).toBe('CLEAN');
    expect(asked).toEqual([`/vin/${VIN}?token=secret`, `/vin/${VIN}?token=secret`]);
    const listed = await leader(says({ listed: true, reference: 'case 7' }));
    const { answer, found } = await traced({ serial: VIN }, '2-of-2', { lookups: listed.lookups });
    expect(answer.hardFlags).toEqual(['provenance/list-stolen', 'provenance/list-recalled']);
    expect(JSON.stringify(found)).toContain('case 7');
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  const silence: RequestListener = () => {};
  it.each<[string, RequestListener]>([
    ['is silent', silence],
    ['fails', (_, response) => response.writeHead(500).end('{"listed":false}')],
    ['knows nothing of it', (_, response) => response.writeHead(404).end('{"listed":false}')],
    ['sends elsewhere', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['answers no JSON', (_, response) => response.end('<html>not listed</html>')],
    ['does not say', says({ found: false })],
    ['says it in another form', says({ listed: 'false' })],
    [
      'breaks off',
      (_, response) => response.writeHead(200, { 'content-length': 99 }).end('{"listed":false}'),
    ],
    ['never stops', (_, response) => response.end(`{"listed":false,"x":"${'x'.repeat(70_000)}"}`)],
    ['dates it in no time', says({ listed: false, asOf: 'never' })],
    ['dates it years ago', says({ listed: false, asOf: '2015-01-01' })],
    ['dates it in the future', says({ listed: false, asOf: new Date(NOW.getTime() + 86_400_000) })],
  ])('that %s is INCONCLUSIVE, never "not listed"', async (_, listener) => {
    const { lookups } = await leader(listener, listener === silence ? { timeoutMs: 300 } : {});
    const { found, outcomes } = await traced({ serial: VIN }, '2-of-2', { lookups });
    expect(outcomes).toMatchObject({ 'list-stolen': 'INCONCLUSIVE', 'list-recalled': 'INCONCLUSIVE' });
    expect(found.verdict).not.toBe('CLEAN');
  });

  it('reports what it lists, however long ago that was, and its silence as of a date that is not too old', async () => {
    const old = await leader(says({ listed: true, asOf: '2015-01-01' }));
    const { answer } = await traced({ serial: VIN }, '2-of-2', { lookups: old.lookups });
    expect(answer.hardFlags).toEqual(['provenance/list-stolen', 'provenance/list-recalled']);
    const fresh = await leader(says({ listed: false, asOf: new Date(NOW.getTime() - 3_600_000) }));
    expect((await traced({ serial: VIN }, '2-of-2', { lookups: fresh.lookups })).found.verdict).toBe('CLEAN');
  });

  it('is not asked more often in a minute than it allows, and then nothing is "not listed"', async () => {
    const { asked, lookups } = await leader(says({ listed: false }), { perMinute: 1 });
    const ask = async () =>
      (await traced({ serial: '1M8GDM9AXKP042788' }, '1-of-1', { lookups })).found.verdict;
    expect([await ask(), await ask()]).toEqual(['CLEAN', 'INCONCLUSIVE']);
    expect(asked).toHaveLength(2);
  });
});
