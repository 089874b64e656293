import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedTransaction } from '../../agents/determinations/transaction/transaction-request.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import type { ChainReader, SimulationQuery } from '../../chain/rpc/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { readSimulation } from '../../runtime/determinations/evidence/simulation/simulation.ts';
import { AUTHOR } from '../../runtime/determinations/evidence/simulation/simulation-conditions.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { drawn } from '../fixtures/wallets/wallet-stage.ts';

/** What the node has to execute for one question about a transaction that is written to keep it busy. */

const MILLION = 1_000_000n;
const SENDER = drawn('sender of costly transactions');
/** Logs until its gas is gone. */
const LOGS = '60006000a05b60006000a06113885a11600557';
/** Takes 26 gas as often as it is told to. */
const burns = (times: number) => `62${times.toString(16).padStart(6, '0')}5b6001900380600457`;
const CODES = {
  logging: `0x${LOGS}00`,
  /** Burns 1.2 million, and logs if it has 5 million left. */
  loggingLater: `0x${burns(46_080)}624c4b405a1160175700${'5b60006000a06113885a116017570000'}`,
  heavy: `0x${burns(115_200)}00`,
  /** Fails with less than 3 million. */
  demanding: '0x622dc6c05a11600c575f5ffd5b00',
  /** Keeps what it gets where it has more than 3 million, and gives it back where it has less. */
  keepingWithMuch: '0x622dc6c05a116012575f5f5f5f34335af1005b00',
  /** The other way round. */
  keepingWithLittle: '0x622dc6c05a106012575f5f5f5f34335af1005b00',
  /** Logs to the end of its gas where it is mined. */
  loggingAtHome: `0x4173${AUTHOR.slice(2)}14601b57005b60006000a06113885a11601b5700`,
} as const;
const at = (name: keyof typeof CODES) => drawn(`contract that is ${name}`);

let chain: Awaited<ReturnType<typeof testChain>>;
let readers: readonly ChainReader[];

beforeAll(async () => {
  chain = await testChain(1002);
  const options = { rpcUrl: chain.url, chainId: 1002, retries: 0, timeoutMs: 60_000 };
  readers = [viemReader(options), ethersReader(options)];
  for (const name of Object.keys(CODES) as (keyof typeof CODES)[])
    await rpc(chain.url, 'anvil_setCode', [at(name), CODES[name]]);
  await rpc(chain.url, 'anvil_setBalance', [SENDER, '0xde0b6b3a7640000']);
  await rpc(chain.url, 'anvil_mine', ['0x1']);
}, 120_000);
afterAll(() => chain?.stop());

/** Reads one simulation, and counts the gas of what is asked. */
async function read(i: number, name: keyof typeof CODES, value = '0') {
  const asked: bigint[] = [];
  let [large, mostLarge] = [0, 0];
  const reader = readers[i]!;
  const counting: ChainReader = {
    ...reader,
    async simulate(query: SimulationQuery) {
      const gas = query.calls.reduce((sum, call) => sum + call.gas, 0n);
      const isLarge = gas >= 10n * MILLION ? 1 : 0;
      asked.push(gas);
      large += isLarge;
      mostLarge = Math.max(mostLarge, large);
      try {
        return await reader.simulate(query);
      } finally {
        large -= isLarge;
      }
    },
  };
  const tx = askedTransaction({ to: at(name), data: '0x12345678', value, from: SENDER }, 1002);
  const seen = await readSimulation(counting, tx, await reader.head());
  const all = asked.reduce((sum, gas) => sum + gas, 0n);
  return { seen, all, mostLarge, ofLarge: asked.filter((gas) => gas >= 10n * MILLION).length };
}

describe.each([0, 1])('a transaction (reader %i)', (i) => {
  it('that does nothing but log costs the node less than two of its kind may, and is left open', async () => {
    const { seen, all, ofLarge } = await read(i, 'logging');
    expect([seen.outcome, seen.reason]).toEqual(['not-simulated', 'it logs more than 500 entries']);
    expect(ofLarge).toBe(0);
    expect(all).toBeLessThan(30n * MILLION);
  });

  it('that logs only where it has much gas is tried with it once', async () => {
    const { seen, ofLarge } = await read(i, 'loggingLater');
    expect(seen.outcome).toBe('not-simulated');
    expect(seen.reason).toMatch(/^it (?:logs|does) more than/);
    expect(ofLarge).toBe(1);
  });

  it('that needs much gas gets it, for one condition after another', async () => {
    for (const name of ['heavy', 'demanding'] as const) {
      const { seen, mostLarge, ofLarge } = await read(i, name);
      expect([seen.outcome, seen.conditions.map((c) => c.outcome)]).toEqual([
        'success',
        Array(5).fill('same'),
      ]);
      expect(mostLarge).toBe(1);
      expect(ofLarge).toBeGreaterThan(1);
    }
  });

  it('that takes more with much gas than with what is usual is shown with much', async () => {
    const { seen } = await read(i, 'keepingWithMuch', '1000');
    expect(seen.changes).toContainEqual(expect.objectContaining({ party: SENDER, delta: '-1000' }));
  });

  it('that takes more with what is usual than with much is told to be worse than it shows', async () => {
    const { seen } = await read(i, 'keepingWithLittle', '1000');
    const shown = seen.changes.some(({ party, delta }) => party === SENDER && delta === '-1000');
    const worse = seen.conditions.flatMap((c) => c.worse);
    expect(shown || worse.includes('1000 of the native currency leave')).toBe(true);
  });

  it('that logs without end under a condition is left open there, and tried no further', async () => {
    const { seen, ofLarge } = await read(i, 'loggingAtHome');
    expect([seen.outcome, seen.conditions[0]]).toMatchObject([
      'success',
      { condition: 'execution', outcome: 'not-simulated' },
    ]);
    expect(ofLarge).toBeLessThan(2);
  });
});
