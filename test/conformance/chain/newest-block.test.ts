import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDevnet } from '../../../chain/devnet/devnet.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { chainReaders } from '../../../runtime/chain-readers.ts';
import { newestBlock } from '../../../runtime/chain-sync/newest-block.ts';
import { readConfig } from '../../../runtime/config/config.ts';
import { NO_SPANS } from '../../../runtime/telemetry/spans.ts';

it('whoever follows the blocks of a local chain makes it mine none, however old its head is', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'newest-block-'));
  let now = Date.now();
  const devnet = await startDevnet({ chainId: 1002, dataDir, now: () => now });
  try {
    const { rpcUrl, freshen } = devnet;
    const readers = chainReaders(
      { chainId: 1002, rpcUrls: [rpcUrl], freshen, known: new Map() },
      { config: readConfig({}), spans: NO_SPANS, now: () => new Date(now) },
    );
    now += 60_000;
    const before = await newestBlock({ readers, rpcUrl });
    expect(await newestBlock({ readers, rpcUrl })).toBe(before);
    expect(await rpc(rpcUrl, 'eth_blockNumber')).toBe('0x0');
    const { number, hash } = await readers.viem.head();
    expect(number).toBe(1n);
    expect(await newestBlock({ readers, rpcUrl })).toBe(hash);
  } finally {
    await devnet.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
