import { randomBytes } from 'node:crypto';
import type { Address } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { fundGas } from '../../../chain/devnet/dev-wallets.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning, type RunningService } from '../../../runtime/embedded/running.ts';
import { serviceFolder } from '../../fixtures/service.ts';
import { ANY_SIGNATURE, type Burns, burners } from '../../fixtures/wallets/burner-wallets.ts';
import {
  ask,
  ethersPayment,
  freshAuthorization,
  paymentHeader,
  send,
} from '../../fixtures/wallets/payers.ts';
import { type BenchRow, quantile } from '../row.ts';
import { queryOf } from './query.ts';

const FAILING = 200;
const AT_ONCE = 2;
const WARM_UP = 20;
const ALONE = 80;
const GOAL = 1.25;
const WAYS: readonly Burns[] = ['tx.gasprice', 'little gas', 'block.timestamp', 'always'];
const NOBODY: Address = '0x0000000000000000000000000000000000000001';

/**
 * What payers with plain keys wait for a paid determination, one at a time: alone, beside others who pay, and beside as
 * many wallets of contracts, whose payments approve when asked and burn gas when carried to the chain, another wallet of
 * another code each time. Those who fail may cost the others no more than those who pay.
 */
export async function benchPayers(): Promise<BenchRow[]> {
  const folder = await serviceFolder({ guarded: false });
  try {
    const { baseUrl } = await folder.start();
    const { chains } = findRunning(folder.dataDir) as RunningService;
    const rpcUrl = chains['1002']!.rpcUrl;
    const key = `0x${randomBytes(32).toString('hex')}` as const;
    await fund({ DATA_DIR: folder.dataDir }, privateKeyToAccount(key).address, '1000');
    const challenge = await ask(baseUrl + queryOf(0));
    const accepted = challenge.accepts.find(({ network }) => network === 'eip155:1002')!;

    const deployer = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`).address;
    await fundGas(rpcUrl, deployer, 10n ** 21n);
    const evil = burners({ rpcUrl, facilitator: NOBODY, deployer });
    const wallets: Address[] = [];
    for (let n = 0; n < FAILING; n++) wallets.push(await evil.wallet(WAYS[n % WAYS.length]!, BigInt(n)));
    for (const wallet of wallets) await fund({ DATA_DIR: folder.dataDir }, wallet, '1');

    let asked = 1;
    const honest = async (): Promise<number> => {
      const headers = paymentHeader(await ethersPayment(key, challenge));
      const start = performance.now();
      const response = await fetch(baseUrl + queryOf(asked++), { headers });
      await response.text();
      if (response.status !== 200) throw new Error(`an honest payment was answered ${response.status}`);
      return performance.now() - start;
    };
    for (let n = 0; n < WARM_UP; n++) await honest();
    const alone: number[] = [];
    for (let n = 0; n < ALONE; n++) alone.push(await honest());

    /** Honest payments one at a time, for as long as `work` is done by so many others at once. */
    const beside = async (work: () => Promise<void>): Promise<number[]> => {
      let over = false;
      const others = Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => {
        over = true;
      });
      const times: number[] = [];
      while (!over) times.push(await honest());
      await others;
      return times;
    };
    let left = FAILING;
    const paying = await beside(async () => {
      while (left-- > 0) await honest();
    });
    const codes = new Map<string, number>();
    const failing = await beside(async () => {
      for (let wallet = wallets.pop(); wallet !== undefined; wallet = wallets.pop()) {
        const authorization = freshAuthorization(wallet, accepted);
        const payment = { x402Version: 2, accepted, payload: { signature: ANY_SIGNATURE, authorization } };
        const { status, code } = await send(baseUrl + queryOf(asked++), payment);
        const what = `${status} ${code ?? ''}`.trim();
        codes.set(what, (codes.get(what) ?? 0) + 1);
      }
    });
    const row = (name: string, times: readonly number[]) => ({
      name,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
    });
    const ratio = quantile(failing, 0.5) / quantile(paying, 0.5);
    const said = [...codes].map(([what, n]) => `${n} × ${what}`).join(', ');
    return [
      row('paid determination by a key, alone', alone),
      row(`the same, beside ${FAILING} payments that pay`, paying),
      {
        ...row(`the same, beside ${FAILING} of contracts (${said})`, failing),
        ratio,
        goal: `p50 at most ${GOAL} of beside those who pay`,
        ok: ratio <= GOAL,
      },
    ];
  } finally {
    await folder.remove();
  }
}
