import { encodeFunctionData, type Hex, pad, parseAbi, toEventSelector, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { lyingRpc } from './lying-rpc.ts';

/** Whoever holds an approval may take what it covers, so a listed spender speaks against the account that gave it. */

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const ABI = parseAbi(['function approve(address spender, uint256 amount)']);
const address = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`;
const [DRAINER, SHOP] = [address(0xbad), address(0x540b)];

let chain: Awaited<ReturnType<typeof testChain>>;
let second: Awaited<ReturnType<typeof lyingRpc>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
let fresh = 0xa00_000;

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(1002), testDatabase()]);
  second = await lyingRpc(chain.url);
  for (const [register, key] of [
    ['sanctions', address(1)],
    ['known-scam', DRAINER],
  ] as const) {
    const rows = (async function* () {
      yield { key, detail: {} };
    })();
    await importRegister(database.db, { register, source: 't', asOf: new Date(), mode: 'replace', rows });
  }
  const options = { chainId: 1002, retries: 0 };
  deps = {
    db: database.db,
    readers: new Map([
      [
        1002,
        {
          viem: viemReader({ ...options, rpcUrl: chain.url }),
          ethers: ethersReader({ ...options, rpcUrl: second.url }),
        },
      ],
    ]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => new Date(),
    seatTimeoutMs: 60_000,
  };
});
beforeEach(() => second.lie((_, result) => result));
afterAll(async () => {
  await second?.stop();
  await database?.drop();
  await chain?.stop();
});

async function wallet(): Promise<Hex> {
  const who = address(fresh++);
  await ask(chain.url, 'anvil_setBalance', [who, toHex(10n ** 20n)]);
  await ask(chain.url, 'anvil_impersonateAccount', [who]);
  return who;
}
async function approve(who: Hex, spender: Hex, amount: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'approve', args: [spender, amount] });
  const gas = toHex(200_000);
  await ask(chain.url, 'eth_sendTransaction', [{ from: who, to: chain.deployment.usdc, data, gas }]);
}
async function on(who: string, depth: Depth = '2-of-2') {
  const { record, hardFlags } = await determineWallet(deps, { address: who, chainId: 1002, depth });
  const check = record.evidence.checks.find((c) => c.id === 'standing-grants');
  const votes = record.evidence.panel.votes.map((v) => v.vote);
  return { verdict: record.verdict, outcome: check?.outcome, detail: check?.detail, hardFlags, votes };
}

describe('an approval', () => {
  it('to a listed spender is a flag of every vote while it stands, and none once it is taken back', async () => {
    const who = await wallet();
    await approve(who, DRAINER, 2n ** 256n - 1n);
    for (const depth of ['1-of-1', '2-of-2', 'superconsensus'] as const)
      expect(await on(who, depth)).toMatchObject({ verdict: 'FLAGGED', outcome: 'FLAG' });
    expect(await on(who)).toMatchObject({ hardFlags: [], votes: ['FLAGGED', 'FLAGGED'] });
    await approve(who, DRAINER, 0n);
    expect(await on(who)).toMatchObject({ verdict: 'CLEAN', outcome: 'PASS' });
  });

  it('to anybody else is told and not held against the account', async () => {
    const who = await wallet();
    await approve(who, SHOP, 5n);
    const found = await on(who);
    expect([found.verdict, found.detail]).toEqual(['CLEAN', expect.stringContaining('1 approvals stand')]);
  });

  it('that one node hides is found by the other', async () => {
    const who = await wallet();
    await approve(who, DRAINER, 1n);
    second.lie(({ method }, result) => (method === 'eth_getLogs' ? [] : result));
    expect((await on(who)).verdict).toBe('FLAGGED');
  });

  it('that a stranger’s contract says an account gave is neither held against it nor leaves it unjudged', async () => {
    const who = await wallet();
    const [token, stranger] = [address(0xfa11), await wallet()];
    await ask(chain.url, 'anvil_setCode', [token, sayingItApproved(who)]);
    for (const spender of [DRAINER, ...Array.from({ length: 45 }, (_, n) => address(0xc000 + n))])
      await ask(chain.url, 'eth_sendTransaction', [
        { from: stranger, to: token, data: pad(spender), gas: toHex(100_000) },
      ]);
    expect(await on(who)).toMatchObject({
      verdict: 'CLEAN',
      detail: expect.stringContaining('no approval stands'),
    });
    // The same log counts once the account itself sent the transaction.
    await ask(chain.url, 'eth_sendTransaction', [
      { from: who, to: token, data: pad(DRAINER), gas: toHex(100_000) },
    ]);
    expect(await on(who)).toMatchObject({ verdict: 'FLAGGED', outcome: 'FLAG' });
  });

  it('that strangers’ contracts say a contract gave leaves it judged, however many there are', async () => {
    const [who, token, stranger] = [await wallet(), address(0xfa12), await wallet()];
    await approve(who, SHOP, 5n);
    await ask(chain.url, 'anvil_setCode', [who, '0x60006000fd']);
    await ask(chain.url, 'anvil_setCode', [token, sayingItApproved(who)]);
    await ask(chain.url, 'evm_setAutomine', [false]);
    for (let n = 0; n < 201; n++)
      await ask(chain.url, 'eth_sendTransaction', [
        { from: stranger, to: token, data: pad(address(0xd000 + n)), gas: toHex(100_000) },
      ]);
    await ask(chain.url, 'evm_mine', []);
    await ask(chain.url, 'evm_setAutomine', [true]);
    expect((await on(who)).detail).toContain('1 approvals stand');
    await ask(chain.url, 'anvil_setCode', [who, '0x']);
    expect((await on(who)).detail).toContain('more approvals');
  });

  it('by Permit2 counts until it expires', async () => {
    const who = await wallet();
    const permitted = async (until: number): Promise<string> => {
      await ask(chain.url, 'anvil_setCode', [PERMIT2, permit2(who, until)]);
      await ask(chain.url, 'eth_sendTransaction', [{ from: who, to: PERMIT2, gas: toHex(200_000) }]);
      return (await on(who)).verdict;
    };
    expect(await permitted(4_000_000_000)).toBe('FLAGGED');
    expect(await permitted(1_000_000_000)).toBe('CLEAN');
  });
});

/** Logs that the owner approved whom the data names, and tells an allowance of 1 when asked for one. */
function sayingItApproved(owner: Hex): Hex {
  const event = toEventSelector('Approval(address,address,uint256)').slice(2);
  const log = `6001600052600035${`7f${pad(owner).slice(2)}`}${`7f${event}`}60206000a3`;
  return `0x${log}60206000f3`;
}

/** Logs an approval of Permit2 to the drainer when it gets no data, and tells an allowance of 7 otherwise. */
function permit2(owner: Hex, until: number): Hex {
  const word = (value: Hex | number): string =>
    pad(typeof value === 'number' ? toHex(value) : value, { size: 32 }).slice(2);
  const event = toEventSelector('Approval(address,address,address,uint160,uint48)');
  const topics = [word(DRAINER), word(chain.deployment.usdc), word(owner), event.slice(2)];
  const told = `7f${word(7)}600052${`7f${word(until)}602052`}600060405260606000f3`;
  return `0x361561005857${told}5b${topics.map((t) => `7f${t}`).join('')}60606000a400`;
}
