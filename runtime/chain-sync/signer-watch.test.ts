import { describe, expect, it } from 'vitest';
import type { Signer } from '../../chain/tx/signer.ts';
import { signerWatch } from './signer-watch.ts';

const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;

/** A key whose balance and chain the test decides. */
function key(options: { balance?: bigint; gasPrice?: bigint } = {}) {
  const state = {
    balance: options.balance ?? ETHER,
    gasPrice: options.gasPrice ?? GWEI,
    reads: 0,
    down: false,
  };
  const signer = {
    address: '0x00000000000000000000000000000000000000Aa',
    chainId: 1002,
    maxFeePerGas: 10n * GWEI,
    maxPriorityFeePerGas: 1n,
    async funds() {
      state.reads++;
      if (state.down) throw new Error('down');
      return { balance: state.balance, gasPrice: state.gasPrice };
    },
  } as unknown as Signer;
  return { state, signer };
}

function watch(operator: Signer) {
  const warned: unknown[] = [];
  const time = { now: 0 };
  const ask = signerWatch({
    signers: { operator, facilitator: null },
    log: { warn: (...line: unknown[]) => warned.push(line) } as never,
    clock: () => time.now,
  });
  return { ask, warned, time };
}

/** Lets what was started without being waited for come to its end. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the watch over the keys that pay for gas', () => {
  it('shows role, address and balance of every key that is held', async () => {
    const { ask, warned } = watch(key({ balance: (ETHER * 5n) / 4n }).signer);
    expect(await ask()).toEqual([
      {
        role: 'operator',
        address: '0x00000000000000000000000000000000000000Aa',
        balance: '1.25',
        low: false,
      },
    ]);
    expect(warned).toEqual([]);
  });

  it('calls a key low that cannot pay for fifty settlements at the present gas price', async () => {
    const dear = 30n * GWEI;
    const enough = 50n * 300_000n * dear;
    expect(await watch(key({ balance: enough, gasPrice: dear }).signer).ask()).toMatchObject([
      { low: false },
    ]);
    expect(await watch(key({ balance: enough - 1n, gasPrice: dear }).signer).ask()).toMatchObject([
      { low: true },
    ]);
  });

  it('calls a key low that a node would take no settlement from, however cheap gas is', async () => {
    const upFront = 700_000n * 10n * GWEI;
    expect(await watch(key({ balance: upFront, gasPrice: 1n }).signer).ask()).toMatchObject([{ low: false }]);
    expect(await watch(key({ balance: upFront - 1n, gasPrice: 1n }).signer).ask()).toMatchObject([
      { low: true },
    ]);
  });

  it('warns once when a key becomes low, and again only after it had enough', async () => {
    const { state, signer } = key();
    const { ask, warned, time } = watch(signer);
    for (const balance of [ETHER, 0n, 0n, ETHER, 0n]) {
      state.balance = balance;
      time.now += 6_000;
      await ask();
      await settle();
    }
    expect(warned).toHaveLength(2);
  });

  it('reads at most once in five seconds, and answers without waiting for the reading', async () => {
    const { state, signer } = key();
    const { ask, time } = watch(signer);
    await ask();
    time.now = 4_999;
    await ask();
    expect(state.reads).toBe(1);
    time.now = 5_000;
    state.balance = 0n;
    expect(await ask()).toMatchObject([{ low: false }]);
    await settle();
    expect(await ask()).toMatchObject([{ low: true }]);
    expect(state.reads).toBe(2);
  });

  it('keeps the last reading while the chain does not answer, and has none to give before the first', async () => {
    const { state, signer } = key();
    const { ask, time } = watch(signer);
    state.down = true;
    await expect(ask()).rejects.toThrow('down');
    state.down = false;
    await ask();
    state.down = true;
    time.now = 10_000;
    expect(await ask()).toHaveLength(1);
  });
});
