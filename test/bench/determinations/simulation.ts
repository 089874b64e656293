import { encodeFunctionData, toHex } from 'viem';
import { askedTransaction } from '../../../agents/determinations/transaction/transaction-request.ts';
import { testUsdcAbi } from '../../../chain/abi/test-usdc.ts';
import { fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../../runtime/determinations/deps.ts';
import { determineWallet } from '../../../runtime/determinations/determine-wallet.ts';
import { readSimulation } from '../../../runtime/determinations/evidence/simulation/simulation.ts';
import type { Database } from '../../../store/database.ts';
import { testChain } from '../../fixtures/chain/anvil.ts';
import { withDatabase } from '../database.ts';
import type { BenchRow } from '../row.ts';
import { time } from '../timing.ts';

const GOAL = 2.5;
const EFFORT = { rounds: 7, single: 40, many: 40, callers: 1 };
const SENDER = '0x2f00000000000000000000000000000000000a11';
const FRIEND = '0x2f00000000000000000000000000000000000b0b';

/**
 * A payment in dollars, called as wallets do (`eth_call`) and simulated: once as it is, and whole, with five changed
 * conditions, what tokens tell before and after, and the code of who takes part. Then what it adds for the caller of a
 * determination, whose two seats both simulate it in one process.
 */
export async function benchSimulation(): Promise<BenchRow[]> {
  return await withDatabase(8, simulations);
}

async function simulations(db: Database): Promise<BenchRow[]> {
  const chain = await testChain(1002);
  try {
    const { deployment, accounts } = chain;
    const operatorPrivateKey = accounts.operator.privateKey;
    await fundWallet({ rpcUrl: chain.url, deployment, operatorPrivateKey }, SENDER, 1_000_000_000n);
    const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [FRIEND, 5n] });
    const tx = askedTransaction({ to: deployment.usdc, data, from: SENDER }, 1002);
    const call = { from: SENDER, to: deployment.usdc, data };
    const viem = viemReader({ rpcUrl: chain.url, chainId: 1002 });
    const ethers = ethersReader({ rpcUrl: chain.url, chainId: 1002 });
    const head = await viem.head();
    const bare = async () => void (await rpc(chain.url, 'eth_call', [call, toHex(head.number)]));
    const preview = async () => {
      const calls = [{ from: SENDER, to: deployment.usdc, data, value: 0n, gas: 15_000_000n } as const];
      const next = { number: head.number + 1n, time: head.timestamp + 12n };
      const [done] = await viem.simulate({ block: head, ...next, calls });
      if (done?.ok !== true) throw new Error('the payment was not simulated');
    };
    const whole = (reader: ChainReader) => async () => {
      const { outcome, changes } = await readSimulation(reader, tx, head);
      if (outcome !== 'success' || changes.length !== 2) throw new Error('the payment was not simulated');
    };
    const deps: EvidenceDeps = {
      ...{ db, readers: new Map([[1002, { viem, ethers }]]), now: () => new Date() },
      deployments: new Map([[1002, deployment]]),
    };
    const asked = { address: FRIEND, chainId: 1002, depth: '2-of-2' } as const;
    const determined = (transaction?: { to: string; data: string; from: string }) => async () => {
      const { record } = await determineWallet(deps, { ...asked, transaction });
      if (record.simulation?.outcome !== (transaction && 'success')) throw new Error('it was not simulated');
    };
    const named = { to: deployment.usdc, data, from: SENDER };
    const subjects = [bare, preview, whole(viem), whole(ethers), determined(), determined(named)];
    const times = await time(subjects, EFFORT);
    const ratio = (i: number) => times[i]!.p50Ms / times[0]!.p50Ms;
    const measured = (i: number) => ({
      ...{ ...times[i]!, ratio: ratio(i) },
      ...{ goal: `at most ${GOAL}`, ok: ratio(i) <= GOAL },
    });
    const added = times[5]!.p50Ms - times[4]!.p50Ms;
    return [
      { name: 'a bare eth_call', ...times[0]! },
      { name: 'the same, simulated', ...measured(1) },
      { name: 'with all conditions, by viem', ...measured(2) },
      { name: 'with all conditions, by ethers', ...measured(3) },
      { name: 'a wallet determination, 2-of-2', ...times[4]! },
      { name: 'the same, with the transaction', ...times[5]! },
      { name: '… what the transaction adds', p50Ms: added, ratio: added / times[0]!.p50Ms },
    ];
  } finally {
    await chain.stop();
  }
}
