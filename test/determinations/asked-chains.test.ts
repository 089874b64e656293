import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { type Devnet, startDevnet } from '../../chain/devnet/devnet.ts';
import { knownChains } from '../../chain/known-chains.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { askedReaders } from '../../runtime/chain-readers.ts';
import { readConfig } from '../../runtime/config/config.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { NO_SPANS } from '../../runtime/telemetry/spans.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { lyingRpc } from './lying-rpc.ts';

/** A chain on which nothing of this service stands is asked about by its RPC URL alone. */

const BASE = 8453;
const DEPTHS: readonly Depth[] = ['1-of-1', '2-of-2', 'superconsensus'];
const address = (n: number): `0x${string}` => `0x${n.toString(16).padStart(40, '0')}`;
const [WHO, DELEGATED, LISTED, FROZEN] = [0xa11ce, 0xde1e, 0xbad, 0xf0f0].map(address) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];

let home: Awaited<ReturnType<typeof testChain>>;
let base: Devnet;
let second: Awaited<ReturnType<typeof lyingRpc>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
const dataDir = mkdtempSync(join(tmpdir(), 'asked-chains-'));

beforeAll(async () => {
  [home, database, base] = await Promise.all([
    testChain(1002),
    testDatabase(),
    startDevnet({ chainId: BASE, dataDir }),
  ]);
  second = await lyingRpc(base.rpcUrl);
  const known = await knownChains([BASE]);
  const usdc = known.get(BASE)!.dollars[0]!.token;
  await ask(base.rpcUrl, 'anvil_setCode', [DELEGATED, `0xef0100${LISTED.slice(2)}`]);
  // Answers whether the argument is FROZEN, as `isBlacklisted` does.
  await ask(base.rpcUrl, 'anvil_setCode', [usdc, `0x60043573${FROZEN.slice(2)}1460005260206000f3`]);
  await ask(base.rpcUrl, 'evm_mine', []);
  await ask(home.url, 'evm_mine', []);
  for (const [register, key] of [
    ['sanctions', address(1)],
    ['known-scam', LISTED],
  ] as const) {
    const rows = (async function* () {
      yield { key, detail: {} };
    })();
    await importRegister(database.db, { register, source: 't', asOf: new Date(), mode: 'replace', rows });
  }
  const { askedRpcUrls, ...config } = readConfig({
    RPC_URL_8453: `${base.rpcUrl},${second.url}`,
    HEAD_AGE_8453: '86400',
    HEAD_AGE_1002: '86400',
  });
  const around = { config, spans: NO_SPANS, now: () => new Date() };
  deps = {
    db: database.db,
    readers: new Map([
      ...askedReaders(new Map([[1002, [home.url]]]), known, around),
      ...askedReaders(askedRpcUrls, known, around),
    ]),
    deployments: new Map([[1002, home.deployment]]),
    known,
    now: () => new Date(),
    seatTimeoutMs: 60_000,
  };
});
afterEach(() => second?.lie((_, result) => result));
afterAll(async () => {
  await second?.stop();
  await base?.stop();
  await database?.drop();
  await home?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function on(who: string, chainId: number | undefined = BASE, depth: Depth = '2-of-2') {
  const { record, hardFlags } = await determineWallet(deps, { address: who, chainId, depth });
  return { ...record, hardFlags, chains: Object.keys(record.evidence.panel.block).sort() };
}

describe('a chain that is configured by its RPC URL alone', () => {
  it.each(DEPTHS)('can be asked about at depth %s, beside the chains of the service', async (depth) => {
    const found = await on(WHO, BASE, depth);
    expect([found.verdict, found.chainId]).toEqual(['CLEAN', BASE]);
    expect(found.chains).toEqual(['eip155:1002', 'eip155:8453']);
    expect(found.evidence.checks.map((c) => [c.id, c.outcome])).toContainEqual([
      'chain-activity:8453',
      'PASS',
    ]);
  });

  it('is read where it is named or no chain is, and not for a question about another', async () => {
    expect((await on(WHO, 1002)).chains).toEqual(['eip155:1002']);
    const { record } = await determineWallet(deps, { address: WHO, depth: '2-of-2' });
    expect(Object.keys(record.evidence.panel.block).sort()).toEqual(['eip155:1002', 'eip155:8453']);
  });

  it('has its code and the freeze list of its published dollar token judged', async () => {
    expect(await on(DELEGATED)).toMatchObject({ verdict: 'FLAGGED', hardFlags: ['eip7702-delegation'] });
    expect((await on(DELEGATED, 1002)).verdict).toBe('CLEAN');
    expect(await on(FROZEN)).toMatchObject({ verdict: 'FLAGGED', hardFlags: ['issuer-freeze'] });
  });

  it('is not CLEAN when one of its two nodes hides what the other shows', async () => {
    second.lie(({ method }, result) => (method === 'eth_getCode' ? '0x' : result));
    expect((await on(DELEGATED)).verdict).toBe('FLAGGED');
    second.lie(({ method }, result) => (method === 'eth_chainId' ? '0x1' : result));
    expect((await on(WHO)).verdict).toBe('FLAGGED');
  });
});
