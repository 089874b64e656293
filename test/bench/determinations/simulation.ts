import { encodeFunctionData, toHex } from 'viem';
import { askedTransaction } from '../../../agents/determinations/transaction/transaction-request.ts';
import { testUsdcAbi } from '../../../chain/abi/test-usdc.ts';
import { fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { readSimulation } from '../../../runtime/determinations/evidence/simulation.ts';
import { testChain } from '../../fixtures/chain/anvil.ts';
import type { BenchRow } from '../row.ts';
import { time } from '../timing.ts';

const GOAL = 2.5;
const EFFORT = { rounds: 7, single: 40, many: 40, callers: 1 };
const SENDER = '0x2f00000000000000000000000000000000000a11';
const FRIEND = '0x2f00000000000000000000000000000000000b0b';

/**
 * A payment in dollars, called as wallets do (`eth_call`) and simulated: once as it is, and whole, with five changed
 * conditions, what tokens tell before and after, and the code of who takes part.
 */
export async function benchSimulation(): Promise<BenchRow[]> {
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
    const times = await time([bare, preview, whole(viem), whole(ethers)], EFFORT);
    const ratio = (i: number) => times[i]!.p50Ms / times[0]!.p50Ms;
    const goal = { goal: `at most ${GOAL}`, ok: ratio(1) <= GOAL };
    return [
      { name: 'a bare eth_call', ...times[0]! },
      { name: 'the same, simulated', ...times[1]!, ratio: ratio(1), ...goal },
      { name: 'with all conditions, by viem', ...times[2]!, ratio: ratio(2) },
      { name: 'with all conditions, by ethers', ...times[3]!, ratio: ratio(3) },
    ];
  } finally {
    await chain.stop();
  }
}
