import { type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { type MintedAgent, mintAgent } from '../../chain/clients/agents.ts';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { createSigner } from '../../chain/tx/signer.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';

/** An agent acts for whoever stands behind it: a list that names any of them names it. */

const keys = sessionKeys(`0x${'7a'.repeat(32)}`);
const DEPTHS: readonly Depth[] = ['1-of-1', '2-of-2', 'superconsensus'];

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
/** Each owns the next: alice the first, the first's account the second, and so on. */
let line: MintedAgent[];
let alice: string;

async function list(register: 'sanctions' | 'known-scam', listed: readonly string[]): Promise<void> {
  const rows = (async function* () {
    for (const key of [`0x${'9'.repeat(40)}`, ...listed]) yield { key: key.toLowerCase(), detail: {} };
  })();
  await importRegister(database.db, { register, source: 't', asOf: new Date(), mode: 'replace', rows });
}

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(1002), testDatabase()]);
  const { accounts, deployment, url: rpcUrl, chainId } = chain;
  alice = accounts.alice.address.toLowerCase();
  const operator = createSigner({ rpcUrl, chainId, privateKey: accounts.operator.privateKey });
  const now = Math.floor(Date.now() / 1000);
  line = [];
  for (let i = 0; i < 4; i++) {
    const name = keccak256(toHex(`agent ${i}`));
    line.push(
      await mintAgent(operator, deployment, {
        to: i === 0 ? accounts.alice.address : (line[i - 1]!.account as Hex),
        ...{
          tier: 1,
          paymentRef: name,
          key: keys.at(i).address,
          keyValidUntil: now + 86_400,
          uri: 'http://x',
        },
        terms: {
          ...{ mandateHash: name, validAfter: 0, expiry: now + 86_400, sides: 3, allowlistOnly: false },
          ...{ categories: 0n, allow: [], deny: [], offChain: [] },
          caps: { perDeal: 1_000n, dayCap: 0n, weekCap: 0n, monthCap: 0n, totalCap: 0n, minPrice: 0n },
        },
      }),
    );
  }
  await database.db
    .insertInto('checkouts')
    .values({
      ...{ id: 'co_p', kind: 'agent', owner: alice, handle: 'last', tier: 'AGENT', depth: '2-of-2' },
      ...{ amount: 5_000_000n, status: 'minted', processor_session: null, checkout_url: null, details: '{}' },
      ...{ expires_at: new Date(), paid_at: new Date() },
    })
    .execute();
  await database.db
    .insertInto('agents')
    .values({
      ...{ handle: 'last', checkout_id: 'co_p', owner: line[2]!.account.toLowerCase(), tier: 'AGENT' },
      ...{ depth: '2-of-2', status: 'active', chain_id: 1002, contract: deployment.agentNft },
      ...{ token_id: line[3]!.tokenId, account: line[3]!.account.toLowerCase(), mandate_version: 1 },
      ...{
        session_key: keys.at(3).address,
        session_key_index: 3n,
        mint_tx: '0x',
        display_name: null,
        about: null,
      },
    })
    .execute();
  const options = { rpcUrl, chainId, retries: 0 };
  deps = {
    db: database.db,
    readers: new Map([[1002, { viem: viemReader(options), ethers: ethersReader(options) }]]),
    deployments: new Map([[1002, deployment]]),
    now: () => new Date(),
  };
  await rpc(rpcUrl, 'evm_mine', []);
}, 120_000);
beforeEach(async () => {
  await list('sanctions', []);
  await list('known-scam', []);
});
afterAll(async () => {
  await database?.drop();
  await chain?.stop();
});

async function on(address: string, depth: Depth) {
  const { record, hardFlags, evidence } = await determineWallet(deps, { address, chainId: 1002, depth });
  expect(recompute(JSON.parse(JSON.stringify(evidence))).verdict).toBe(record.verdict);
  const check = record.evidence.checks.find((c) => c.id === 'principals');
  return { verdict: record.verdict, hardFlags, check, votes: record.evidence.panel.votes.map((v) => v.vote) };
}

describe.each(DEPTHS)('an account at depth %s', (depth) => {
  it('is CLEAN where no list names anybody behind it, and says who stands there at what distance', async () => {
    const found = await on(line[3]!.account, depth);
    expect([found.verdict, found.check?.outcome]).toEqual(['CLEAN', 'PASS']);
    expect(found.check?.detail).toContain(`the owner at distance 4 on eip155:1002 is ${alice}`);
    expect(found.check?.detail).toContain(`its session key is ${keys.at(3).address.toLowerCase()}`);
    expect((await on(alice, depth)).check).toMatchObject({
      outcome: 'PASS',
      detail: 'nobody stands behind it on eip155:1002',
    });
  });

  it.each([
    ['its owner', () => line[2]!.account, 'its owner on eip155:1002'],
    ['an account that owns its owner', () => line[1]!.account, 'the owner at distance 2'],
    ['the person behind them all', () => alice, 'the owner at distance 4'],
    ['its session key', () => keys.at(3).address, 'its session key'],
  ] as const)('is FLAGGED, hard, where a list of either kind names %s', async (_, who, says) => {
    for (const register of ['sanctions', 'known-scam'] as const) {
      await list(register, [who()]);
      const found = await on(line[3]!.account, depth);
      expect([found.verdict, found.hardFlags]).toEqual(['FLAGGED', ['principals']]);
      expect(new Set(found.votes)).toEqual(new Set(['FLAGGED']));
      expect(found.check?.detail).toContain(says);
      expect(found.check?.detail).toContain(`${who().toLowerCase()} is on ${register}/t`);
      await list(register, []);
      expect((await on(line[3]!.account, depth)).verdict).toBe('CLEAN');
    }
  });
});

it('an account is INCONCLUSIVE where nobody is seen to hold its token', async () => {
  // The account of a token that was never minted, with the code that such an account has.
  const code = (await rpc<Hex>(chain.url, 'eth_getCode', [line[0]!.account, 'latest'])).slice(0, -64);
  const orphan = `0x${'0dd'.padStart(40, '0')}`;
  await rpc(chain.url, 'anvil_setCode', [orphan, `${code}${'ff'.padStart(64, '0')}`]);
  await rpc(chain.url, 'evm_mine', []);
  const found = await on(orphan, '2-of-2');
  expect([found.verdict, found.check?.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
  expect(found.check?.detail).toContain('nobody is seen to hold its token');
});
