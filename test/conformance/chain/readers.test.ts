import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Abi,
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  pad,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Devnet, startDevnet } from '../../../chain/devnet/devnet.ts';
import { ethersReader } from '../../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import type { ChainReader, ReaderOptions } from '../../../chain/rpc/reader.ts';
import { viemReader } from '../../../chain/rpc/viem/reader.ts';
import { createSigner, type Signer } from '../../../chain/tx/signer.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { waywardRpc } from '../../fixtures/chain/wayward-rpc.ts';

/** Answers in every shape that the readers must agree on, and refuses in every way. */
const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
contract Shapes {
  struct Limit { address token; uint128 cap; uint48 until; bool on; }
  error TooMuch(uint256 asked, uint48 limit);
  event Kept(uint256 indexed id, address indexed by, uint256 value);
  uint256 public kept;
  function keep(uint256 value) external { kept = value; emit Kept(value, msg.sender, value * 2); }
  function one() external pure returns (uint256) { return 7; }
  function small() external pure returns (uint48) { return 1_900_000_000; }
  function negative() external pure returns (int256) { return -5; }
  function text() external pure returns (string memory) { return unicode"Zürich"; }
  function raw() external pure returns (bytes memory, bytes4) { return (hex"00ff", 0xAABBCCDD); }
  function several() external view returns (uint256 id, address account, bool live) { return (3, address(this), true); }
  function limit() external view returns (Limit memory) { return Limit(address(this), 9, 8, true); }
  function limits() external view returns (Limit[] memory all, uint8[2] memory pair) {
    all = new Limit[](2);
    all[1] = Limit(address(this), 1, 2, false);
    pair = [1, 2];
  }
  function sum(Limit calldata a, uint256[] calldata more) external pure returns (uint256 total) {
    total = a.cap;
    for (uint256 i; i < more.length; ++i) total += more[i];
  }
  function over(uint256 asked) external pure { revert TooMuch(asked, 10); }
  function worded() external pure { require(false, "not like this"); }
  function panics(uint256 by) external pure returns (uint256) { return 1 / by; }
  function silent() external pure { assembly { revert(0, 0) } }
  function nothing() external pure {}
  function asker() external view returns (address) { return msg.sender; }
}`;

const READERS = [
  ['viem', viemReader],
  ['ethers', ethersReader],
] as const satisfies [string, (options: ReaderOptions) => ChainReader][];
const dataDir = mkdtempSync(join(tmpdir(), 'readers-'));
const FUNDED: Address = '0x00000000000000000000000000000000000000Aa';
const TOPIC = keccak256(toHex('Kept(uint256,address,uint256)'));
const servers: Server[] = [];

let devnet: Devnet;
let signer: Signer;
let shapes: Address;
let abi: Abi;
/** The block in which `kept` became 1, 2, 3. */
const keptAt: bigint[] = [];

beforeAll(async () => {
  devnet = await startDevnet({ chainId: 1002, dataDir });
  const privateKey = generatePrivateKey();
  await rpc(devnet.rpcUrl, 'anvil_setBalance', [privateKeyToAddress(privateKey), toHex(10n ** 20n)]);
  await rpc(devnet.rpcUrl, 'anvil_setBalance', [FUNDED, toHex(123n)]);
  signer = createSigner({ rpcUrl: devnet.rpcUrl, chainId: 1002, privateKey });

  const compiled = compile();
  abi = compiled.abi;
  const factory: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
  const data = `${pad('0x', { size: 32 })}${compiled.bytecode}` as Hex;
  shapes = getAddress(await signer.call({ to: factory, data }));
  await signer.receipt(await signer.send({ to: factory, data, gas: 3_000_000n }));
  for (const value of [1n, 2n, 3n]) {
    const call = encodeFunctionData({ abi, functionName: 'keep', args: [value] });
    const receipt = await signer.receipt(await signer.send({ to: shapes, data: call, gas: 200_000n }));
    keptAt.push(receipt.blockNumber);
  }
}, 60_000);

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

afterAll(async () => {
  await devnet.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe.each(READERS)('the %s reader', (name, create) => {
  const reader = (options: Partial<ReaderOptions> = {}) =>
    create({ rpcUrl: devnet.rpcUrl, chainId: 1002, ...options });
  const read = async (functionName: string, args: readonly unknown[] = [], block = keptAt[2]!) =>
    reader().read({ address: shapes, abi, functionName, args, block });

  it('says who it is without the secrets of its URL', () => {
    const { client, chainId, endpoint } = reader({ rpcUrl: 'https://user:pass@rpc.example:8443/v2/api-key' });
    expect({ client, chainId, endpoint }).toEqual({
      client: name,
      chainId: 1002,
      endpoint: 'rpc.example:8443',
    });
  });

  it('reads the head, and its hash and time by number', async () => {
    const head = await reader().head();
    expect(head.number).toBe(keptAt[2]);
    expect(head.hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(Math.abs(Number(head.timestamp) - Date.now() / 1000)).toBeLessThan(3600);
    expect(await reader().blockHash(head.number)).toBe(head.hash);
    expect(await reader().timestamp(head.number)).toBe(head.timestamp);
  });

  it('reads code, nonce, balance and storage at the block it is told', async () => {
    const r = reader();
    const [before, first, last] = [keptAt[0]! - 1n, keptAt[0]!, keptAt[2]!];
    expect(await r.code(FUNDED, last)).toBe('0x');
    expect((await r.code(shapes, last)).length).toBeGreaterThan(100);
    expect(await r.nonce(signer.address, before)).toBe(1);
    expect(await r.nonce(signer.address, last)).toBe(4);
    expect(await r.balance(FUNDED, last)).toBe(123n);
    expect(await r.storage(shapes, pad('0x'), before)).toBe(pad('0x0'));
    expect(await r.storage(shapes, pad('0x'), first)).toBe(pad('0x1'));
    expect(await r.storage(shapes, pad('0x'), last)).toBe(pad('0x3'));
  });

  it('calls contracts at the block it is told', async () => {
    expect(await Promise.all(keptAt.map((block) => read('kept', [], block)))).toEqual([1n, 2n, 3n]);
  });

  it('asks as whom it is told to', async () => {
    const call = { address: shapes, abi, functionName: 'asker', block: keptAt[0]! };
    expect(await reader().read({ ...call, from: FUNDED })).toBe(getAddress(FUNDED));
    expect(await reader().read(call)).not.toBe(getAddress(FUNDED));
  });

  it('gives every shape of answer in the common form', async () => {
    expect(await read('one')).toBe(7n);
    expect(await read('small')).toBe(1_900_000_000);
    expect(await read('negative')).toBe(-5n);
    expect(await read('text')).toBe('Zürich');
    expect(await read('raw')).toEqual(['0x00ff', '0xaabbccdd']);
    expect(await read('several')).toEqual([3n, shapes, true]);
    expect(await read('limit')).toEqual({ token: shapes, cap: 9n, until: 8, on: true });
    expect(await read('limits')).toEqual([
      [
        { token: '0x0000000000000000000000000000000000000000', cap: 0n, until: 0, on: false },
        { token: shapes, cap: 1n, until: 2, on: false },
      ],
      [1, 2],
    ]);
    expect(await read('sum', [{ token: shapes, cap: 5n, until: 0, on: false }, [1n, 2n]])).toBe(8n);
    expect(await read('nothing')).toBeUndefined();
  });

  it('names a refusal with its arguments', async () => {
    await expect(read('over', [99n])).rejects.toMatchObject({
      name: 'ReaderError',
      kind: 'reverted',
      errorName: 'TooMuch',
      args: [99n, 10],
      message: 'TooMuch(99, 10)',
    });
    await expect(read('worded')).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'Error',
      args: ['not like this'],
    });
    await expect(read('panics', [0n])).rejects.toMatchObject({
      kind: 'reverted',
      errorName: 'Panic',
      args: [0x12n],
    });
    await expect(read('silent')).rejects.toMatchObject({ kind: 'reverted', errorName: undefined });
  });

  it('calls an address without a contract reverted, not zero', async () => {
    const call = { address: FUNDED, abi, functionName: 'one', block: keptAt[2]! };
    await expect(reader().read(call)).rejects.toMatchObject({ kind: 'reverted', errorName: undefined });
  });

  it('refuses a call that its ABI does not have before it asks anybody', async () => {
    const dead = reader({ rpcUrl: 'http://127.0.0.1:1' });
    const call = { address: shapes, abi, functionName: 'noSuchThing', block: 1n };
    await expect(dead.read(call)).rejects.not.toHaveProperty('kind');
  });

  it('finds logs by address, topic and range', async () => {
    const r = reader();
    const [first, , last] = keptAt as [bigint, bigint, bigint];
    const range = { address: shapes, fromBlock: first, toBlock: last };
    const all = await r.logs({ ...range, topics: [TOPIC] });
    expect(all.map((log) => log.blockNumber)).toEqual(keptAt);
    expect(all[0]).toEqual({
      address: shapes,
      topics: [TOPIC, pad('0x1'), pad(signer.address.toLowerCase() as Hex)],
      data: pad('0x2'),
      blockNumber: first,
      blockHash: await r.blockHash(first),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      logIndex: 0,
    });
    const some = await r.logs({ ...range, topics: [TOPIC, [pad('0x2'), pad('0x3')]] });
    expect(some.map((log) => log.blockNumber)).toEqual(keptAt.slice(1));
    expect(await r.logs({ ...range, topics: [null, pad('0x3')] })).toHaveLength(1);
    expect(await r.logs({ topics: [TOPIC], fromBlock: first, toBlock: first })).toHaveLength(1);
    expect(await r.logs({ ...range, address: FUNDED, topics: [] })).toEqual([]);
  });

  it('tells what the transactions of a block moved, and not what failed', async () => {
    // The other tests find the chain as it was.
    const before = await rpc<Hex>(devnet.rpcUrl, 'evm_snapshot');
    const [payer, payee] = [`0x${'7a'.repeat(20)}`, `0x${'7b'.repeat(20)}`] as const;
    await rpc(devnet.rpcUrl, 'anvil_setBalance', [payer, toHex(10n ** 20n)]);
    await rpc(devnet.rpcUrl, 'anvil_impersonateAccount', [payer]);
    const send = async (to: string | null) => {
      const gas = toHex(100_000);
      const tx = await rpc<Hex>(devnet.rpcUrl, 'eth_sendTransaction', [
        { from: payer, value: '0x5', gas, ...(to === null ? { data: '0x' } : { to }) },
      ]);
      // The node answers before the block stands.
      const mined = await until('its block', () =>
        rpc<{ blockNumber: Hex } | null>(devnet.rpcUrl, 'eth_getTransactionReceipt', [tx]),
      );
      return { tx, block: BigInt(mined.blockNumber) };
    };
    const { tx, block } = await send(payee);
    const r = reader();
    expect(await r.valueTransfers(block)).toEqual({
      ...{ number: block, hash: await r.blockHash(block), timestamp: expect.any(BigInt) },
      transfers: [{ tx, from: payer, to: payee, amount: 5n }],
      created: [],
    });
    expect(await r.receipt(tx)).toEqual({ block, from: payer, created: null });
    const made = await send(null);
    const { created, transfers } = await r.valueTransfers(made.block);
    expect(created).toEqual([
      { tx: made.tx, by: payer, contract: expect.stringMatching(/^0x[0-9a-f]{40}$/) },
    ]);
    expect(transfers).toEqual([{ tx: made.tx, from: payer, to: created[0]!.contract, amount: 5n }]);
    expect(await r.receipt(made.tx)).toEqual({
      ...{ block: made.block, from: payer },
      created: created[0]!.contract,
    });
    expect(await r.receipt(`0x${'7c'.repeat(32)}`)).toBeNull();
    // This contract takes no money.
    const failed = await send(shapes);
    expect((await r.valueTransfers(failed.block)).transfers).toEqual([]);
    expect(await r.receipt(failed.tx)).toBeNull();
    await expect(reader({ retries: 0 }).valueTransfers(block + 1_000n)).rejects.toMatchObject({
      kind: 'reorganised',
    });
    await rpc(devnet.rpcUrl, 'evm_revert', [before]);
  });

  it('says reorganised of a block that the node does not have', async () => {
    const missing = keptAt[2]! + 1_000n;
    const quick = reader({ retries: 0 });
    const asked = [
      quick.blockHash(missing),
      quick.balance(FUNDED, missing),
      quick.code(shapes, missing),
      quick.storage(shapes, pad('0x'), missing),
      quick.read({ address: shapes, abi, functionName: 'one', block: missing }),
    ];
    const kinds = await Promise.all(
      asked.map((a) =>
        a.then(
          () => 'answered',
          (e: { kind?: string }) => e.kind,
        ),
      ),
    );
    expect(kinds).toEqual(asked.map(() => 'reorganised'));
  });

  it('says reorganised of a pinned block that became another, and pins the new one at once', async () => {
    const snapshot = await rpc(devnet.rpcUrl, 'evm_snapshot');
    for (let i = 0; i < 3; i++) await rpc(devnet.rpcUrl, 'evm_mine');
    const r = reader();
    const pinned = await r.head();
    await r.confirm(pinned);
    await rpc(devnet.rpcUrl, 'anvil_reorg', [2, []]);
    await expect(r.confirm(pinned)).rejects.toMatchObject({ kind: 'reorganised' });
    const fresh = await r.head();
    expect(fresh.number).toBe(pinned.number);
    expect(fresh.hash).not.toBe(pinned.hash);
    await r.confirm(fresh);
    expect(await r.balance(FUNDED, fresh.number)).toBe(123n);
    await rpc(devnet.rpcUrl, 'evm_revert', [snapshot]);
  });

  it('has an old head freshened, and answers with the new one', async () => {
    const asked: bigint[] = [];
    const r = reader({
      async freshen(timestamp) {
        asked.push(timestamp);
        await rpc(devnet.rpcUrl, 'evm_mine');
        return true;
      },
    });
    const before = await reader().head();
    expect((await r.head()).number).toBe(before.number + 1n);
    expect(asked).toEqual([before.timestamp]);
    await rpc(devnet.rpcUrl, 'anvil_rollback', [1]);
  });

  it('says down of a dead port, after as many attempts as it was given', async () => {
    const dead = reader({ rpcUrl: 'http://127.0.0.1:1', retries: 1, backoffMs: 1 });
    await expect(dead.head()).rejects.toMatchObject({ kind: 'down' });
    const refusing = await serve((socket) => socket.destroy());
    const r = reader({ rpcUrl: refusing.url, retries: 2, backoffMs: 1 });
    await expect(r.head()).rejects.toMatchObject({ kind: 'down' });
    expect(refusing.connections()).toBe(3);
  });

  it('says slow of a server that never answers, and of one that never ends its answer', async () => {
    const hanging = await serve(() => {});
    const endless = await serve((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"jsonrpc"',
      );
    });
    for (const { url, connections } of [hanging, endless]) {
      const r = reader({ rpcUrl: url, timeoutMs: 60, retries: 1, backoffMs: 1 });
      await expect(r.head()).rejects.toMatchObject({ kind: 'slow' });
      // On a busy machine an attempt may be over before its connection stands.
      expect(connections()).toBeLessThanOrEqual(2);
    }
  });

  it('recovers when the node answers the second time', async () => {
    let broken = true;
    const flaky = await serve((socket, request) => {
      if (!broken) return forward(socket, request);
      broken = false;
      socket.destroy();
    });
    const r = reader({ rpcUrl: flaky.url, retries: 2, backoffMs: 1 });
    expect((await r.head()).number).toBe(keptAt[2]);
  });

  it('sends once what is asked several times before it leaves, and again what is asked later', async () => {
    const node = await waywardRpc(devnet.rpcUrl);
    const r = reader({ rpcUrl: node.url });
    await r.head();
    node.behave((_, honest) => honest());
    const heads = await Promise.all([r.head(), r.head(), r.head()]);
    expect(heads.map(({ number }) => number)).toEqual([keptAt[2], keptAt[2], keptAt[2]]);
    expect([...node.asked()].sort()).toEqual(['eth_chainId', 'eth_getBlockByNumber']);
    await r.head();
    expect(node.asked()).toHaveLength(4);
    await node.stop();
  });

  it('does not ask again what a contract has refused', async () => {
    const watched = await serve(forward);
    const r = reader({ rpcUrl: watched.url, retries: 5, backoffMs: 1 });
    const call = { address: shapes, abi, functionName: 'over', args: [99n], block: keptAt[2]! };
    await expect(r.read(call)).rejects.toMatchObject({ kind: 'reverted' });
    // One for the chain's number, one for the call.
    expect(watched.connections()).toBeLessThanOrEqual(2);
  });

  it('takes no reading from a node of another chain', async () => {
    const r = reader({ chainId: 84532, retries: 0 });
    await expect(r.balance(FUNDED, 1n)).rejects.toMatchObject({
      kind: 'disagreeing',
      message: 'the node answers for chain 1002, not 84532',
    });
  });

  it('says down of a server that answers something else', async () => {
    const page = await serve((socket) => {
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 4\r\nconnection: close\r\n\r\nhome',
      );
    });
    const r = reader({ rpcUrl: page.url, retries: 0 });
    await expect(r.head()).rejects.toMatchObject({ kind: 'down' });
  });
});

async function serve(
  take: (socket: Socket, request: Buffer) => void,
): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (request) => {
      connections++;
      take(socket, request);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    connections: () => connections,
  };
}

/** Passes a connection on to the real node. */
function forward(socket: Socket, request: Buffer): void {
  const upstream = connect(Number(new URL(devnet.rpcUrl).port), '127.0.0.1');
  upstream.on('error', () => socket.destroy());
  upstream.write(request);
  socket.pipe(upstream).pipe(socket);
}

function compile(): { abi: Abi; bytecode: string } {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'Shapes.sol': { content: SOURCE } },
        settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
      }),
    ),
  );
  const { abi: found, evm } = output.contracts['Shapes.sol'].Shapes;
  return { abi: found, bytecode: evm.bytecode.object };
}
