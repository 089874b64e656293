import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFunctionData, recoverTransactionAddress, type TransactionSerializedLegacy } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { spendPolicyAbi } from '../../chain/abi/spend-policy.ts';
import { deployPlan, soleOperator } from '../../chain/deploy/deploy-plan.ts';
import { CREATE2_FACTORY_ORIGIN } from '../../chain/deploy/rollout/factory.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { createSigner } from '../../chain/tx/signer.ts';
import { type BareAnvil, bareAnvil } from '../fixtures/chain/bare-anvil.ts';
import { type FaultyProxy, faultyProxy } from '../fixtures/servers/faulty-proxy.ts';
import { DeployDesk, freshKey, type Run } from './commands.ts';

const TRANSACTIONS = 14;
const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

// Each command is a process of its own, which loads the whole program.
vi.setConfig({ testTimeout: 180_000 });

describe('a deployment whose process is killed', () => {
  let chain: BareAnvil;
  let proxy: FaultyProxy;
  let desk: DeployDesk;
  let clean: string;
  const deployer = freshKey();

  beforeAll(async () => {
    chain = await bareAnvil(1002);
    await chain.fund(deployer.address);
    proxy = await faultyProxy(chain.url);
  });
  beforeEach(async () => {
    clean = await rpc<string>(chain.url, 'evm_snapshot');
    desk = new DeployDesk();
  });
  afterEach(async () => {
    desk.remove();
    await rpc(chain.url, 'anvil_setAutomine', [true]);
    await rpc(chain.url, 'evm_revert', [clean]);
  });
  afterAll(async () => {
    await proxy.stop();
    await chain.stop();
  });

  const start = () => desk.start(['--rpc', proxy.url, '--chain', '1002'], deployer);

  /** Ends the run at the n-th request of a kind, before that request arrives or after. */
  function killAt(run: () => Run, method: string, n: number, arrives: boolean): void {
    let seen = 0;
    proxy.fault((_, body) => {
      if (!body.includes(`"${method}"`) || ++seen !== n) return 'pass';
      run().child.kill('SIGKILL');
      return arrives ? 'lose-answer' : 'cut';
    });
  }

  it.each([
    ['before its first transaction arrives', 'eth_sendRawTransaction', 1, false],
    ['after its first transaction arrived', 'eth_sendRawTransaction', 1, true],
    ['between two contracts', 'eth_sendRawTransaction', 6, false],
    ['after the policy was bound', 'eth_sendRawTransaction', TRANSACTIONS, true],
    ['while all is read back, before the file is written', 'eth_getLogs', 1, true],
  ] as const)(
    '%s goes on where it ended: every contract once, every role right',
    async (_, method, n, arrives) => {
      const first = start();
      killAt(() => first, method, n, arrives);
      expect(await first.ended).toBe('SIGKILL');
      expect(desk.deployment(1002)).toBeNull();
      proxy.fault(() => 'pass');

      const second = start();
      expect(await second.ended, second.output()).toBe(0);
      expect(await chain.sent(deployer.address)).toBe(TRANSACTIONS);
      expect(desk.deployment(1002)).toMatchObject({ operator: deployer.address });
      expect(second.output()).not.toMatch(/^NO /m);
      expect(second.output()).not.toMatch(/first given to|roles have moved/);
    },
  );

  it('waits for what it left unmined, and does not send it again', async () => {
    await rpc(chain.url, 'anvil_setAutomine', [false]);
    const first = start();
    killAt(() => first, 'eth_sendRawTransaction', 1, true);
    await first.ended;
    proxy.fault(() => 'pass');
    expect(await chain.sent(deployer.address)).toBe(0);

    const second = start();
    await expect
      .poll(second.output, { timeout: 120_000 })
      .toContain(`waiting for 1 transaction(s) of ${deployer.address} that are on their way`);
    await rpc(chain.url, 'anvil_setAutomine', [true]);
    await rpc(chain.url, 'evm_mine');
    expect(await second.ended, second.output()).toBe(0);
    expect(await chain.sent(deployer.address)).toBe(TRANSACTIONS);
  });

  it('is not completed under other roles than it was begun with', async () => {
    const first = start();
    killAt(() => first, 'eth_sendRawTransaction', 3, false);
    await first.ended;
    proxy.fault(() => 'pass');
    const { address } = freshKey();
    const other = await desk.run(['--rpc', proxy.url, '--chain', '1002', '--treasury', address], deployer);
    expect(other.output).toContain(
      `a deployment was begun with treasury ${deployer.address}, not ${address}: give the same again to complete it`,
    );
    expect(other.code).toBe(1);
    expect(await chain.sent(deployer.address)).toBe(2);
  });

  it('stops where the policy serves others for good, and writes no file', async () => {
    const first = start();
    killAt(() => first, 'eth_sendRawTransaction', TRANSACTIONS, false);
    await first.ended;
    proxy.fault(() => 'pass');
    const { deployment } = deployPlan(soleOperator(deployer.address, deployer.address));
    const signer = createSigner({ rpcUrl: chain.url, chainId: 1002, privateKey: deployer.privateKey });
    const data = encodeFunctionData({
      abi: spendPolicyAbi,
      functionName: 'bind',
      args: [deployment.agentNft, deployment.ledger, deployment.certificates],
    });
    await signer.receipt(await signer.send({ to: deployment.policy, data, gas: 200_000n }));

    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(
      `SpendPolicy at ${deployment.policy} serves AgentNFT ${deployment.agentNft} and Settlement ${deployment.ledger} for good, not ${deployment.agentNft} and ${deployment.settlement}: deploy with the roles of those, or from another key\n`,
    );
    expect(desk.deployment(1002)).toBeNull();
  });
});

describe('a chain without the CREATE2 factory', () => {
  let chain: BareAnvil;
  let desk: DeployDesk;
  const deployer = freshKey();

  beforeEach(async () => {
    chain = await bareAnvil(1002, ['--disable-default-create2-deployer']);
    await chain.fund(deployer.address);
    desk = new DeployDesk();
  });
  afterEach(async () => {
    desk.remove();
    await chain.stop();
  });

  it('is given it by the transaction that nobody signed, which leads to its address on every chain', async () => {
    expect(
      await recoverTransactionAddress({
        serializedTransaction: CREATE2_FACTORY_ORIGIN.transaction as TransactionSerializedLegacy,
      }),
    ).toBe(CREATE2_FACTORY_ORIGIN.signer);
    const { code, output } = await desk.run(['--rpc', chain.url, '--chain', '1002'], deployer);
    expect(code, output).toBe(0);
    expect(output).toContain(`the CREATE2 factory stands at ${FACTORY}`);
    expect(output).toMatch(/^16\/16 {2}bind SpendPolicy/m);
    expect(await chain.sent(CREATE2_FACTORY_ORIGIN.signer)).toBe(1);
    // Twelve, and the coin for that signer.
    expect(await chain.sent(deployer.address)).toBe(TRANSACTIONS + 1);
    expect(await chain.code('0x000000006551c19487814612e58FE06813775758')).not.toBe('0x');
  });

  it('and whose node takes no such transaction is told exactly what must be done', async () => {
    const strict = await strictNode(chain.url);
    try {
      const { code, output } = await desk.run(['--rpc', strict.url, '--chain', '1002'], deployer);
      expect(output).toContain('only replay-protected (EIP-155) transactions allowed over RPC');
      expect(output).toContain(`have this transaction mined by a node that takes it`);
      expect(output).toContain(CREATE2_FACTORY_ORIGIN.transaction);
      expect(code).toBe(1);
      expect(desk.deployment(1002)).toBeNull();
    } finally {
      strict.server.close();
    }
  });

  it('and whose pre-signed transaction was spent in vain, or with other code there, is refused before anything is paid', async () => {
    await rpc(chain.url, 'anvil_setNonce', [CREATE2_FACTORY_ORIGIN.signer, '0x1']);
    const spent = await desk.run(['--rpc', chain.url, '--chain', '1002'], deployer);
    expect(spent.output).toMatch(
      /^chain 1002 has no CREATE2 factory, and its one pre-signed transaction was spent/,
    );
    await rpc(chain.url, 'anvil_setCode', [FACTORY, '0x6000']);
    const other = await desk.run(['--rpc', chain.url, '--chain', '1002'], deployer);
    expect(other.output).toMatch(/^at 0x4e59\w+ stands other code than the CREATE2 factory's/);
    expect([spent.code, other.code]).toEqual([1, 1]);
    expect(await chain.sent(deployer.address)).toBe(0);
  });
});

/** A node with the setting that most public ones have. */
async function strictNode(upstream: string): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = { 'content-type': 'application/json' };
    if (body.includes(CREATE2_FACTORY_ORIGIN.transaction)) {
      const message = 'only replay-protected (EIP-155) transactions allowed over RPC';
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } }));
      return;
    }
    response.end(await (await fetch(upstream, { method: 'POST', headers, body })).text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
