import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFunctionData, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askedTransaction } from '../../agents/determinations/transaction/transaction-request.ts';
import { testUsdcAbi } from '../../chain/abi/test-usdc.ts';
import { fundWallet } from '../../chain/devnet/dev-wallets.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { readSimulation } from '../../runtime/determinations/evidence/simulation/simulation.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { drawn } from '../fixtures/wallets/wallet-stage.ts';

/** How often a simulation asks the node: each exchange costs its caller as much as a bare call. */

const [SENDER, FRIEND, CONTRACT, GATE, TARGET] = [
  drawn('sender'),
  drawn('friend'),
  drawn('contract wallet that takes nothing'),
  drawn('gate'),
  drawn('where the gate pays'),
];

let chain: Awaited<ReturnType<typeof testChain>>;
let counting: Server;
let exchanges = 0;
let readers: readonly ReturnType<typeof viemReader>[];

beforeAll(async () => {
  chain = await testChain(1002);
  counting = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    exchanges += 1;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(chain.url, { method: 'POST', headers, body: Buffer.concat(parts) });
    response.writeHead(200, headers).end(await answer.text());
  });
  await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve));
  const rpcUrl = `http://127.0.0.1:${(counting.address() as AddressInfo).port}`;
  readers = [viemReader({ rpcUrl, chainId: 1002 }), ethersReader({ rpcUrl, chainId: 1002 })];
  const { deployment, accounts } = chain;
  const funding = { rpcUrl: chain.url, deployment, operatorPrivateKey: accounts.operator.privateKey };
  await fundWallet(funding, SENDER, 1_000_000n);
  await rpc(chain.url, 'anvil_setCode', [CONTRACT, '0x5f5ffd']);
  await rpc(chain.url, 'anvil_setBalance', [CONTRACT, toHex(10n ** 18n)]);
  // Pays what it got to another one, if its caller has more than 5,000 of the native currency.
  const gate = `0x69${(5_000n * 10n ** 18n).toString(16).padStart(20, '0')}333110601257005b5f5f5f5f3473${TARGET.slice(2)}5af100`;
  await rpc(chain.url, 'anvil_setCode', [GATE, gate]);
  await rpc(chain.url, 'anvil_mine', ['0x1']);
}, 120_000);
afterAll(async () => {
  counting?.closeAllConnections();
  counting?.close();
  await chain?.stop();
});
beforeEach(() => {
  exchanges = 0;
});

describe('a simulation with all its conditions', () => {
  it.each([0, 1])('is one exchange where the effects are what the data says (reader %i)', async (i) => {
    const { usdc } = chain.deployment;
    const payment = encodeFunctionData({
      ...{ abi: testUsdcAbi, functionName: 'transfer' },
      args: [FRIEND, 5n],
    });
    const approval = encodeFunctionData({
      ...{ abi: testUsdcAbi, functionName: 'approve' },
      args: [FRIEND, 5n],
    });
    const block = await readers[i]!.head();
    for (const data of [payment, approval]) {
      exchanges = 0;
      const seen = await readSimulation(
        readers[i]!,
        askedTransaction({ to: usdc, data, from: SENDER }, 1002),
        block,
      );
      expect(seen.outcome).toBe('success');
      expect(seen.conditions.map((c) => c.outcome)).toEqual(['same', 'same', 'same', 'same', 'same']);
      expect(seen.changes.length + seen.approvals.length).toBeGreaterThan(0);
      expect(exchanges).toBe(1);
    }
  });

  it.each([0, 1])(
    'makes a contract wallet richer that takes no money from anybody (reader %i)',
    async (i) => {
      const tx = askedTransaction({ to: GATE, data: '0x', value: '1000', from: CONTRACT }, 1002);
      const seen = await readSimulation(readers[i]!, tx, await readers[i]!.head());
      const richer = seen.conditions.find((c) => c.condition === 'richer');
      expect([seen.outcome, richer?.outcome]).toEqual(['success', 'differs']);
    },
  );
});
