import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RpcSilence, rpc } from '../rpc/json-rpc.ts';
import { type Devnet, endLeftDevnet, startDevnet } from './devnet.ts';

const WALLET = '0x00000000000000000000000000000000000000aa';
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'devnet-'));
  undo.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function start(
  dataDir: string,
  options: Partial<Parameters<typeof startDevnet>[0]> = {},
): Promise<Devnet> {
  const devnet = await startDevnet({ chainId: 1002, dataDir, ...options });
  undo.push(() => devnet.stop());
  return devnet;
}

async function give(rpcUrl: string, wei: number): Promise<void> {
  await rpc(rpcUrl, 'anvil_setBalance', [WALLET, `0x${wei.toString(16)}`]);
  await rpc(rpcUrl, 'evm_mine');
}

const balance = (rpcUrl: string, block = 'latest') => rpc<string>(rpcUrl, 'eth_getBalance', [WALLET, block]);
const height = async (rpcUrl: string) => Number(await rpc<string>(rpcUrl, 'eth_blockNumber'));

/** Starts the chain in a separate process, which prints where it is and waits to be killed. */
async function startElsewhere(
  dataDir: string,
): Promise<{ child: ChildProcess; rpcUrl: string; pid: number }> {
  const code = `
    const { startDevnet } = await import(${JSON.stringify(new URL('./devnet.ts', import.meta.url).href)});
    const { rpcUrl, pid } = await startDevnet({ chainId: 1002, dataDir: ${JSON.stringify(dataDir)} });
    process.stdout.write(JSON.stringify({ rpcUrl, pid }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  undo.push(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout!, 'data');
  return { child, ...JSON.parse(String(said)) };
}

describe('a local chain', () => {
  it('keeps its state and its port over a clean stop', async () => {
    const dataDir = folder();
    const first = await start(dataDir);
    await give(first.rpcUrl, 7);
    await first.stop();
    await expect(rpc(first.rpcUrl, 'eth_chainId')).rejects.toThrow(RpcSilence);

    const second = await start(dataDir);
    expect(second.rpcUrl).toBe(first.rpcUrl);
    expect(await balance(second.rpcUrl)).toBe('0x7');
    expect(await height(second.rpcUrl)).toBe(1);
    expect(second.adopted).toBe(false);
  });

  it('serves every block of its life at the state it had then', async () => {
    const { rpcUrl } = await start(folder());
    for (let wei = 1; wei <= 40; wei++) await give(rpcUrl, wei);
    // A balance that was set between two blocks belongs to the state of the earlier block.
    for (const block of [1, 20, 39]) {
      expect(Number(await balance(rpcUrl, `0x${block.toString(16)}`))).toBe(block + 1);
    }
  });

  it('survives the kill -9 of its parent and is taken over with everything it had', async () => {
    const dataDir = folder();
    const { child, rpcUrl, pid } = await startElsewhere(dataDir);
    await give(rpcUrl, 9);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await give(rpcUrl, 10);

    const next = await start(dataDir);
    expect(next).toMatchObject({ adopted: true, pid, rpcUrl });
    expect(await balance(next.rpcUrl)).toBe('0xa');
    await next.stop();
    await expect(rpc(rpcUrl, 'eth_chainId')).rejects.toThrow(RpcSilence);
  });

  it('moves to the wanted port when it takes over, without losing a block', async () => {
    const dataDir = folder();
    const { child, rpcUrl } = await startElsewhere(dataDir);
    await give(rpcUrl, 11);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const port = await unusedPort();
    const next = await start(dataDir, { port });
    expect(next).toMatchObject({ adopted: false, rpcUrl: `http://127.0.0.1:${port}` });
    expect(await balance(next.rpcUrl)).toBe('0xb');
  });

  it('continues from the last checkpoint when anvil itself was killed, whatever was half-written', async () => {
    const dataDir = folder();
    const lines: string[] = [];
    const first = await start(dataDir, { checkpointMs: 50 });
    await give(first.rpcUrl, 12);
    const checkpoint = join(dataDir, 'chain-1002', 'checkpoint.json');
    await expect
      .poll(() => JSON.parse(readFileSync(checkpoint, 'utf8')).best_block_number, { timeout: 60_000 })
      .toBe(1);
    process.kill(first.pid, 'SIGKILL');
    writeFileSync(join(dataDir, 'chain-1002', 'exit-state.json'), '{"best_block_number": 99, "blo');

    const second = await start(dataDir, { log: (line) => lines.push(line) });
    expect(await balance(second.rpcUrl)).toBe('0xc');
    expect(lines[0]).toBe('chain 1002 did not end cleanly: it continues from block 1');
  });

  it('refuses a folder that another living process uses, by its number', async () => {
    const dataDir = folder();
    const { child, rpcUrl } = await startElsewhere(dataDir);
    await expect(startDevnet({ chainId: 1002, dataDir })).rejects.toThrow(
      `process ${child.pid} is using ${join(dataDir, 'chain-1002')}: stop it, or choose another DATA_DIR`,
    );
    expect(await height(rpcUrl)).toBe(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // Waits until anvil is gone, because it writes its state into the folder as it ends.
    await endLeftDevnet(dataDir, 1002);
  });

  it('that a dead process left can be ended without starting anything; one in use is left alone', async () => {
    const dataDir = folder();
    const { child, rpcUrl } = await startElsewhere(dataDir);
    await give(rpcUrl, 13);
    await endLeftDevnet(dataDir, 1002);
    expect(await balance(rpcUrl)).toBe('0xd');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await endLeftDevnet(dataDir, 1002);
    await expect(rpc(rpcUrl, 'eth_chainId')).rejects.toThrow(RpcSilence);
    expect(await balance((await start(dataDir)).rpcUrl)).toBe('0xd');
  });

  it('names a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    undo.push(() => server.close());
    const { port } = server.address() as { port: number };
    await expect(startDevnet({ chainId: 84532, dataDir: folder(), port })).rejects.toThrow(
      `port ${port} of the local chain 84532 is taken: end what listens there, or choose another port`,
    );
  });

  it('takes another port where its last one is taken meanwhile', async () => {
    const dataDir = folder();
    const first = await start(dataDir);
    await first.stop();
    const server = createServer();
    undo.push(() => server.close());
    // Another process of this machine may have the port for a moment, and let go of it before the chain asks.
    const listen = async (): Promise<unknown> => {
      server.listen(Number(new URL(first.rpcUrl).port), '127.0.0.1');
      return await once(server, 'listening');
    };
    await vi.waitFor(listen, { timeout: 10_000 });
    const second = await start(dataDir);
    expect(second.rpcUrl).not.toBe(first.rpcUrl);
    expect(await height(second.rpcUrl)).toBe(0);
  });

  it('names a data folder that cannot be written', async () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'file'), '');
    await expect(startDevnet({ chainId: 1002, dataDir: join(dataDir, 'file') })).rejects.toThrow(
      /data folder .* cannot be written: choose another DATA_DIR/,
    );
  });

  it('leaves alone a process that has the number of its old anvil', async () => {
    const dataDir = folder();
    const first = await start(dataDir);
    const record = join(dataDir, 'chain-1002', 'process.json');
    const stranger = spawn('sleep', ['60']);
    undo.push(() => stranger.kill());
    const written = JSON.parse(readFileSync(record, 'utf8'));
    await first.stop();
    writeFileSync(record, JSON.stringify({ ...written, pid: stranger.pid }));
    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('mines an empty block when its head is old, and only then', async () => {
    let now = Date.now();
    const { rpcUrl, freshen } = await start(folder(), { now: () => now });
    const head = BigInt(Math.floor(now / 1000));
    expect(await freshen(head)).toBe(false);
    now += 16_000;
    expect(await freshen(head)).toBe(true);
    expect(await height(rpcUrl)).toBe(1);
  });

  it('reads a checkpoint that was cut short as none', async () => {
    const dataDir = folder();
    const first = await start(dataDir);
    await give(first.rpcUrl, 5);
    await first.stop();
    truncateSync(join(dataDir, 'chain-1002', 'checkpoint.json'), 100);
    const second = await start(dataDir);
    expect(await balance(second.rpcUrl)).toBe('0x5');
  });
});

/** A port below those that the system gives out at random, so that nobody else gets it before the chain listens. */
async function unusedPort(): Promise<number> {
  for (let port = 29_000 + (process.pid % 3_000); ; port++) {
    const server = createServer().listen(port, '127.0.0.1');
    const taken = await once(server, 'listening').then(
      () => false,
      () => true,
    );
    if (taken) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
