import { keccak256, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { Depth, RecordEvidence } from '../../agents/determinations/panel/types.ts';
import { makeRecord } from '../../agents/records/record.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { walletDraft, withRecorded } from '../../runtime/determinations/drafts.ts';
import { insertRecord, loadRecord } from '../../store/records/records.ts';
import { importRegister } from '../../store/registers/registers.ts';
import type { RegisterName } from '../../store/tables.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { dealings } from '../fixtures/dealings.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { lyingRpc, SILENCE } from './lying-rpc.ts';

const NOW = new Date();
const address = (n: number): `0x${string}` => `0x${n.toString(16).padStart(40, '0')}`;
const PLAIN = address(0xa11ce);
const DELEGATED = address(0xde1e);
const DRAINER = address(0xbad);
const LISTED = address(0x5ca3);

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let second: Awaited<ReturnType<typeof lyingRpc>>;
let deps: EvidenceDeps;

/** Whoever answers is waited for, whatever the machine is busy with; who may be silent for ever, no longer than this. */
const PATIENCE_MS = 60_000;
const HASTE_MS = 1_000;
const options = { chainId: 1002, retries: 0, deadlineMs: PATIENCE_MS };

/** viem asks the chain itself; ethers asks it over another URL, which may lie. */
function readers(ethersUrl: string, timeoutMs = PATIENCE_MS): EvidenceDeps['readers'] {
  const pair = {
    viem: viemReader({ ...options, timeoutMs: PATIENCE_MS, rpcUrl: chain.url }),
    ethers: ethersReader({ ...options, timeoutMs, rpcUrl: ethersUrl }),
  };
  return new Map([[1002, pair]]);
}

const rpc = (method: string, ...params: unknown[]) => ask(chain.url, method, params);

/** The other way round: viem asks what may lie. */
function swapped(timeoutMs = PATIENCE_MS): EvidenceDeps['readers'] {
  const pair = {
    viem: viemReader({ ...options, timeoutMs, rpcUrl: second.url }),
    ethers: ethersReader({ ...options, timeoutMs: PATIENCE_MS, rpcUrl: chain.url }),
  };
  return new Map([[1002, pair]]);
}

async function list(
  register: RegisterName,
  keys: readonly string[],
  asOf = NOW,
  source = 'test',
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  const rows = (async function* () {
    for (const key of keys) yield { key, detail };
  })();
  await importRegister(database.db, { register, source, asOf, mode: 'replace', rows });
}

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(1002), testDatabase()]);
  second = await lyingRpc(chain.url);
  await rpc('anvil_setNonce', PLAIN, '0x5');
  await rpc('anvil_setCode', DELEGATED, `0xef0100${DRAINER.slice(2)}`);
  await rpc('anvil_mine', '0x1');
  deps = {
    db: database.db,
    readers: readers(second.url),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => NOW,
    seatTimeoutMs: PATIENCE_MS,
  };
  await list('sanctions', [address(1)]);
  await list('known-scam', [LISTED, DRAINER]);
});

afterEach(() => {
  second?.lie((_, result) => result);
  second?.meanwhile(async () => {});
});

afterAll(async () => {
  await second?.stop();
  await database?.drop();
  await chain?.stop();
});

const on = (
  who: string,
  depth: Depth = '2-of-2',
  chainId: number | undefined = 1002,
  with_: EvidenceDeps = deps,
) => determineWallet(with_, { address: who, chainId, depth });

const hasty = (): EvidenceDeps => ({ ...deps, readers: readers(second.url, HASTE_MS) });

describe('a wallet determination on a real chain', () => {
  it.each(['1-of-1', '2-of-2', 'superconsensus'] as const)(
    'is CLEAN at depth %s for a plain wallet on no list',
    async (depth) => {
      const { record, filing } = await on(PLAIN, depth);
      expect(record.reasons.join('\n')).toContain('nonce 5');
      expect([record.verdict, filing]).toEqual(['CLEAN', 'file']);
      expect(Object.keys(record.evidence.panel.block)).toEqual(['eip155:1002']);
    },
  );

  it('reads by two clients over two URLs, and says so when there is only one', async () => {
    const sources = (r: Awaited<ReturnType<typeof on>>) => r.record.evidence.panel.votes.map((v) => v.source);
    const two = await on(PLAIN);
    expect(sources(two)).toEqual([
      `viem over ${new URL(chain.url).host}`,
      `ethers over ${new URL(second.url).host}`,
    ]);
    expect(JSON.stringify(two.record)).not.toContain('share one RPC URL');
    const one = await on(PLAIN, '2-of-2', 1002, { ...deps, readers: readers(chain.url) });
    expect(one.record.verdict).toBe('CLEAN');
    expect(JSON.stringify(one.record.evidence.checks)).toContain('share one RPC URL');
  });

  it('is FLAGGED for a listed address and for a delegation to one', async () => {
    expect((await on(LISTED)).hardFlags).toEqual(['list-known-scam']);
    const delegated = await on(DELEGATED);
    expect(delegated.hardFlags).toEqual(['eip7702-delegation']);
    expect(delegated.record.evidence.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
  });

  it('files by the chain that was named, and reads nothing of one it has no RPC for', async () => {
    const nowhere = await on(PLAIN, '2-of-2', 777);
    expect(nowhere.record.evidence.checks.find((c) => c.id === 'chain-activity:777')?.outcome).toBe(
      'INCONCLUSIVE',
    );
    expect([nowhere.record.verdict, nowhere.filing]).toEqual(['FLAGGED', 'file']);
    const filing = async (chainId: number | undefined) =>
      (await determineWallet(deps, { address: PLAIN, chainId, depth: '1-of-1' })).filing;
    expect(await filing(undefined)).toBe('chain-not-named');
    expect(await filing(9_007_199_254_740_991)).toBe('chain-not-known');
    const solana = await determineWallet(deps, { address: '1'.repeat(32), depth: '2-of-2' });
    expect([solana.record.verdict, solana.record.chainId, solana.filing]).toEqual(['FLAGGED', null, 'file']);
    await expect(on('1'.repeat(32))).rejects.toMatchObject({ code: 'bad-request' });
    await expect(on('nobody')).rejects.toMatchObject({ code: 'address-malformed' });
  });

  it('gives an EXECUTOR a verdict without depth or reasoning', async () => {
    const { record } = await determineWallet(deps, {
      address: PLAIN,
      chainId: 1002,
      depth: null,
      performer: 'EXECUTOR',
    });
    expect([record.verdict, record.reasons, record.evidence.panel.depth]).toEqual(['CLEAN', [], null]);
    await expect(
      determineWallet(deps, { address: PLAIN, depth: '1-of-1', performer: 'EXECUTOR' }),
    ).rejects.toMatchObject({ code: 'bad-request' });
  });
});

describe('what a chain says of the code and the tokens of an address', () => {
  const [PROXY, BEACON_PROXY, BEACON, ADMIN, FROZEN, TOKEN] = [1, 2, 3, 4, 5, 6].map((n) =>
    address(0xc0de0 + n),
  ) as [`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`];
  const IMPLEMENTATION = address(0x1b1b);
  const slot = (name: string) => toHex(BigInt(keccak256(toHex(name))) - 1n, { size: 32 });
  const put = (who: string, name: string, held: string) =>
    rpc('anvil_setStorageAt', who, slot(name), `0x${held.slice(2).padStart(64, '0')}`);
  /** Answers any call with this word. */
  const answers = (word: string) => `0x7f${word.slice(2).padStart(64, '0')}60005260206000f3`;
  const frozen = () => ({
    ...deps,
    deployments: new Map([[1002, { ...chain.deployment, usdc: TOKEN }]]),
  });

  beforeAll(async () => {
    await rpc('anvil_setCode', PROXY, '0x6080604052');
    await put(PROXY, 'eip1967.proxy.implementation', IMPLEMENTATION);
    await put(PROXY, 'eip1967.proxy.admin', ADMIN);
    await rpc('anvil_setCode', BEACON_PROXY, '0x6080604052');
    await put(BEACON_PROXY, 'eip1967.proxy.beacon', BEACON);
    await rpc('anvil_setCode', BEACON, answers(IMPLEMENTATION));
    await rpc('anvil_setCode', IMPLEMENTATION, '0x6080604052');
    // Answers whether the argument is FROZEN, as `isBlacklisted` does.
    await rpc('anvil_setCode', TOKEN, `0x60043573${FROZEN.slice(2)}1460005260206000f3`);
    await rpc('anvil_mine', '0x1');
  });

  it('discloses who decides over a proxy: implementation, beacon and admin', async () => {
    const detail = async (who: string) => {
      const { record } = await on(who);
      expect(record.verdict).toBe('CLEAN');
      return record.evidence.checks.find((c) => c.id === 'contract-code')?.detail;
    };
    expect(await detail(PROXY)).toBe(
      `an EIP-1967 proxy on eip155:1002 to ${IMPLEMENTATION}, which ${ADMIN} may change`,
    );
    expect(await detail(BEACON_PROXY)).toBe(
      `an EIP-1967 beacon proxy on eip155:1002 to ${IMPLEMENTATION} told by the beacon ${BEACON}`,
    );
  });

  it.each([
    ['admin', PROXY, ADMIN],
    ['beacon', BEACON_PROXY, BEACON],
    ['implementation a beacon tells', BEACON_PROXY, IMPLEMENTATION],
  ] as const)('is FLAGGED by both methods when a list names the %s', async (_, who, listed) => {
    await list('known-scam', [LISTED, DRAINER, listed]);
    const { record, hardFlags } = await on(who);
    await list('known-scam', [LISTED, DRAINER]);
    // This beacon answers every call alike, so it names the same one as its owner.
    expect([record.verdict, hardFlags[0]]).toEqual(['FLAGGED', 'contract-code']);
    expect(record.evidence.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
  });

  it('is FLAGGED when the issuer of the chain’s USDC has frozen the address, and PASSes one that is not', async () => {
    const { record, hardFlags } = await on(FROZEN, '2-of-2', 1002, frozen());
    expect([record.verdict, hardFlags]).toEqual(['FLAGGED', ['issuer-freeze']]);
    expect(record.evidence.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    const other = await on(PLAIN, 'superconsensus', 1002, frozen());
    expect(other.record.verdict).toBe('CLEAN');
    const check = other.record.evidence.checks.find((c) => c.id === 'issuer-freeze');
    expect(check).toMatchObject({ outcome: 'PASS', detail: expect.stringContaining('not frozen') });
  });

  it('says that a token has no freeze list, and is INCONCLUSIVE when the list cannot be asked', async () => {
    const freeze = (r: Awaited<ReturnType<typeof on>>) =>
      r.record.evidence.checks.find((c) => c.id === 'issuer-freeze');
    expect(freeze(await on(PLAIN))).toMatchObject({
      outcome: 'PASS',
      detail: expect.stringContaining('has no freeze list'),
    });
    second.lie((call, result) => (call.method === 'eth_call' ? SILENCE : result));
    const readers = swapped(HASTE_MS);
    const silent = await on(PLAIN, '2-of-2', 1002, { ...frozen(), readers });
    expect([freeze(silent)?.outcome, silent.record.verdict]).toEqual(['INCONCLUSIVE', 'FLAGGED']);
  });

  it('is not CLEAN when one of two nodes hides the freeze', async () => {
    second.lie((call, result) => (call.method === 'eth_call' ? toHex(0, { size: 32 }) : result));
    for (const readers of [deps.readers, swapped()]) {
      expect((await on(FROZEN, '2-of-2', 1002, { ...frozen(), readers })).record.verdict).toBe('FLAGGED');
    }
  });
});

describe('when one of two data paths lies', () => {
  it('is not CLEAN and names who differs, though the lie turns no vote', async () => {
    second.lie((call, result) => (call.method === 'eth_getTransactionCount' ? '0x4' : result));
    const { record } = await on(PLAIN);
    const { panel } = record.evidence;
    expect(panel.votes.map((v) => v.vote)).toEqual(['CLEAN', 'CLEAN']);
    expect(record.verdict).toBe('FLAGGED');
    expect(panel.dissent.join()).toMatch(/rules\/viem and statistics\/ethers.*eip155:1002.*nonce/);
  });

  it('is FLAGGED by the honest seat when the other hides a delegation to a listed address', async () => {
    second.lie((call, result) => (call.method === 'eth_getCode' ? '0x' : result));
    const { record } = await on(DELEGATED);
    expect(record.evidence.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'CLEAN']);
    expect(record.verdict).toBe('FLAGGED');
    expect(record.evidence.panel.dissent.join()).toContain('statistics/ethers voted CLEAN');
  });

  it.each(['1-of-1', '2-of-2', 'superconsensus'] as const)(
    'is INCONCLUSIVE at depth %s when the two know one block by different hashes, and names both',
    async (depth) => {
      second.lie((call, result) =>
        call.method === 'eth_getBlockByNumber'
          ? { ...(result as object), hash: `0x${'66'.repeat(32)}` }
          : result,
      );
      const { record } = await on(PLAIN, depth);
      const { panel, gathered } = record.evidence;
      expect(panel.votes.map((v) => v.vote)).not.toContain('CLEAN');
      expect([record.verdict, judge(gathered).verdict === 'CLEAN']).toEqual(['FLAGGED', false]);
      expect(JSON.stringify(gathered)).toMatch(/block \d+ is 0x\w{64} over viem, and 0x66/);
    },
  );

  it('is INCONCLUSIVE when one of the two stands for another chain', async () => {
    second.lie((call, result) => (call.method === 'eth_chainId' ? '0x1' : result));
    const { record } = await on(PLAIN);
    expect(record.evidence.panel.votes.map((v) => v.vote)).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    expect(JSON.stringify(record.evidence.gathered)).toContain('answers for chain 1, not 1002');
  });

  it('reads at the lower block when one lags behind, whichever it is', async () => {
    const lag = (call: { method: string; params?: readonly unknown[] }) =>
      call.method === 'eth_getBlockByNumber' && call.params?.[0] === 'latest';
    const head = Number(await rpc('eth_blockNumber'));
    const lower = await rpc('eth_getBlockByNumber', `0x${(head - 1).toString(16)}`, false);
    second.lie((call, result) => (lag(call) ? lower : result));
    for (const readers of [deps.readers, swapped()]) {
      const { record } = await on(PLAIN, '2-of-2', 1002, { ...deps, readers });
      expect(record.evidence.panel.block['eip155:1002']?.number).toBe(String(head - 1));
      expect(record.evidence.panel.votes.map((v) => v.vote)).toEqual(['CLEAN', 'CLEAN']);
    }
  });

  it('pins and reads once more when the chain reorganised meanwhile', async () => {
    await rpc('anvil_mine', '0x3');
    let reorganised = 0;
    second.meanwhile(async (call) => {
      if (call.method !== 'eth_getBalance' || reorganised++ > 0) return;
      await rpc('anvil_reorg', 2, []);
    });
    const { record } = await on(PLAIN);
    expect(record.verdict).toBe('CLEAN');
    const pinned = record.evidence.panel.block['eip155:1002']!;
    const now = (await rpc('eth_getBlockByNumber', `0x${Number(pinned.number).toString(16)}`, false)) as {
      hash: string;
    };
    expect([now.hash, reorganised]).toEqual([pinned.hash, 2]);
  });

  it('does not wait for ever for a seat that never answers', async () => {
    second.lie(() => SILENCE);
    const { record } = await on(PLAIN, '2-of-2', 1002, hasty());
    expect(record.evidence.panel.votes.map((v) => v.vote)).toEqual(['CLEAN', 'INCONCLUSIVE']);
    expect(record.verdict).toBe('FLAGGED');
    const agreed = record.evidence.checks.find((c) => c.id === 'readings-agree');
    expect(agreed).toMatchObject({ outcome: 'INCONCLUSIVE', detail: expect.stringContaining('eip155:1002') });
    expect(agreed!.sources.map((s) => s.name)).toEqual([expect.stringMatching(/^viem over/)]);
  });

  it('is not CLEAN in superconsensus either, since two of five seats read through the liar', async () => {
    second.lie((call, result) => (call.method === 'eth_getCode' ? '0x' : result));
    expect((await on(DELEGATED, 'superconsensus')).record.verdict).toBe('FLAGGED');
    second.lie(() => SILENCE);
    const { panel } = (await on(PLAIN, 'superconsensus', 1002, hasty())).record.evidence;
    expect(panel.votes.filter((v) => v.vote === 'CLEAN').length).toBeLessThan(panel.quorum);
  });
});

describe('lists', () => {
  it('are INCONCLUSIVE when one is too old or none is there, and PASS again when refreshed', async () => {
    const outcome = async () =>
      (await on(PLAIN)).record.evidence.checks.find((c) => c.id === 'list-sanctions')?.outcome;
    await list('sanctions', [address(1)], new Date(NOW.getTime() - 30 * 86_400_000));
    expect(await outcome()).toBe('INCONCLUSIVE');
    await list('sanctions', []);
    expect(await outcome()).toBe('INCONCLUSIVE');
    await list('sanctions', [address(1)]);
    expect(await outcome()).toBe('PASS');
  });
});

describe('whom an address has dealt with here', () => {
  const DAY = 86_400_000;
  const of = (kind: '0a' | '0e' | '05', n: number) => `0x${kind}${n.toString(16).padStart(38, '0')}`;
  const exposure = async (who: string) => {
    const { record, hardFlags, evidence } = await on(who);
    const found = record.evidence.checks.find((c) => c.id === 'exposure-one-hop');
    expect([recompute(evidence).verdict, hardFlags]).toEqual([record.verdict, []]);
    return { verdict: record.verdict, votes: record.evidence.panel.votes.map((v) => v.vote), ...found! };
  };

  beforeAll(async () => {
    const { agents, deals } = dealings(database.db);
    await agents('dealer', 4, 100);
    await deals('dealer-1', ['dealer-2', 'dealer-2', 'dealer-3'], new Date(NOW.getTime() - 9 * DAY));
    await deals('dealer-1', ['dealer-4'], new Date(NOW.getTime() - 366 * DAY));
    await deals('dealer-2', ['dealer-4'], new Date(NOW.getTime() - DAY), 'stopped');
    await agents('many', 203, 1_000);
    const sellers = Array.from({ length: 202 }, (_, i) => `many-${i + 2}`);
    await deals('many-1', sellers, new Date(NOW.getTime() - 2 * DAY));
  });

  afterEach(() => list('sanctions', [address(1)]));

  /** As listed long before any of the deals. */
  const listedBefore = (keys: readonly string[]) =>
    list('sanctions', keys, NOW, 'test', { since: '2020-01-01' });

  it('is looked up for its account, owner and session key, and FLAGGED without being hard', async () => {
    for (const kind of ['0a', '0e', '05'] as const) {
      const clean = await exposure(of(kind, 101));
      expect(clean).toMatchObject({ verdict: 'CLEAN', outcome: 'PASS' });
      expect(clean.detail).toBe('no list names any of 2 counterparties in 3 dealings');
    }
    await listedBefore([of('0e', 102), of('0a', 104)]);
    for (const kind of ['0a', '0e', '05'] as const) {
      const { verdict, votes, outcome, detail } = await exposure(of(kind, 101));
      expect([verdict, votes, outcome]).toEqual(['FLAGGED', ['FLAGGED', 'FLAGGED'], 'FLAG']);
      expect(detail).toBe(
        `any sanctioned counterparty: ${of('0e', 102)} is on sanctions/test (2 of 3 dealings); of 2 counterparties in 3 dealings`,
      );
    }
    // Who dealt with neither of them in these days, and who never dealt at all.
    expect(await exposure(of('0a', 103))).toMatchObject({ verdict: 'CLEAN', outcome: 'PASS' });
    expect((await exposure(PLAIN)).detail).toContain('it has settled no deal here');
  });

  it('is the newest 200 of more, which it says, and from the other side of a deal too', async () => {
    await listedBefore([of('0a', 1_002), of('0a', 1_003)]);
    const beyond = await exposure(of('0a', 1_001));
    expect(beyond).toMatchObject({ verdict: 'CLEAN', outcome: 'PASS' });
    expect(beyond.detail).toContain('the newest 200 of 202 counterparties in 202 dealings');
    await listedBefore([of('0a', 1_004)]);
    expect((await exposure(of('0a', 1_001))).outcome).toBe('FLAG');
    await listedBefore([of('0a', 1_001)]);
    expect((await exposure(of('0e', 1_004))).outcome).toBe('FLAG');
  });

  it('is not tainted by whom a list names only after the deal, which is told', async () => {
    await list('sanctions', [of('0e', 102)]);
    const later = await exposure(of('0a', 101));
    expect(later).toMatchObject({ verdict: 'CLEAN', outcome: 'PASS' });
    expect(later.detail).toContain(`listed only after the last deal with it: ${of('0e', 102)}`);
    expect((await on(of('0e', 102))).record.verdict).toBe('FLAGGED');
    // The list says it was on it before, which nobody could see here; the deals of nine days ago were with a listed one.
    await list('sanctions', [of('0e', 102)], NOW, 'test', { listedon: '2020-01-01' });
    expect((await exposure(of('0a', 101))).outcome).toBe('FLAG');
    // The same list fetched again and again does not make the entry newer.
    await list('sanctions', [of('0e', 102)], NOW, 'test', { since: 'no date' });
    expect((await exposure(of('0a', 101))).verdict).toBe('CLEAN');
  });

  it('is judged by who owned the other agent then, not by who bought it since', async () => {
    await listedBefore([address(0xbeef)]);
    await dealings(database.db).owned('dealer-3', address(0xbeef));
    expect(await exposure(of('0a', 101))).toMatchObject({ verdict: 'CLEAN', outcome: 'PASS' });
    await dealings(database.db).owned('dealer-3', of('0e', 102 + 1));
  });
});

describe('a filed determination', () => {
  const file = async (who: string, recordId: string, with_: EvidenceDeps = deps) => {
    const answer = await determineWallet(with_, { address: who, chainId: 1002, depth: '2-of-2' });
    const { record, hash } = makeRecord(walletDraft(answer, { recordId, issuedAt: NOW }));
    const signed = { record, hash, signature: '0x00' as const, evidence: answer.evidence, handle: null };
    await database.db.transaction().execute((trx) => insertRecord(trx, signed));
    return answer;
  };

  it('is judged again to the same verdict from what the database kept', async () => {
    for (const [who, id] of [
      [PLAIN, 'rec_plain'],
      [DELEGATED, 'rec_delegated'],
    ] as const) {
      const { record } = await file(who, id);
      const stored = (await loadRecord(database.db, id))!;
      expect(recompute(stored.evidence as unknown as RecordEvidence).verdict).toBe(record.verdict);
    }
  });

  it('answers where it was filed, or why it was not', async () => {
    const filed = { recordId: 'rec_x', baseUrl: 'http://h', ledger: { chainId: 1002, contract: '0xl' } };
    expect(withRecorded(await on(PLAIN), filed).recorded).toMatchObject({
      filed: true,
      recordUrl: 'http://h/records/rec_x',
      ledger: { state: 'inscribing' },
    });
    const unnamed = await determineWallet(deps, { address: PLAIN, depth: '1-of-1' });
    expect(withRecorded(unnamed, filed).recorded).toEqual({ filed: false, reason: 'chain-not-named' });
  });

  it('clears with its list: no verdict of before, bought by whomever, is evidence for the next', async () => {
    const hard = address(0xaaa1);
    await list('known-scam', [LISTED, DRAINER, hard]);
    for (const id of ['rec_hard', 'rec_bought_by_a_stranger']) {
      expect((await file(hard, id)).record.verdict).toBe('FLAGGED');
    }
    await list('known-scam', [LISTED, DRAINER]);
    for (const depth of ['1-of-1', '2-of-2', 'superconsensus'] as const)
      expect((await on(hard, depth)).record.verdict).toBe('CLEAN');
    await list('known-scam', [LISTED, DRAINER, hard]);
    expect((await on(hard)).record.verdict).toBe('FLAGGED');
    await list('known-scam', [LISTED, DRAINER]);
  });
});
