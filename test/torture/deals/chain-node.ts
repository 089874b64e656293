import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, processIdentity, spawnAnvil } from '../../../chain/devnet/devnet-process.ts';
import { exitStateFile, readRecord, writeRecord } from '../../../chain/devnet/devnet-state.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { until } from '../../../runtime/cli/demo/client.ts';

const PATIENCE_MS = 120_000;

/** The process of a chain's node, for a signal. @throws Error when none runs */
export function nodeOf(dataDir: string, chainId: number): number {
  return recordOf(dataDir, chainId).pid;
}

/** Ends a chain's node, and starts it again at its address with all of its blocks. @param away for how long it is gone */
export async function restartNode(
  dataDir: string,
  chainId: number,
  away: () => Promise<void>,
): Promise<void> {
  const folder = join(dataDir, `chain-${chainId}`);
  const record = recordOf(dataDir, chainId);
  const [, ...args] = readFileSync(`/proc/${record.pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  await endProcess(record.pid, record.identity, PATIENCE_MS);
  await away();
  const loaded = args.indexOf('--load-state');
  if (loaded >= 0) args.splice(loaded, 2);
  const pid = await spawnAnvil([...args, '--load-state', exitStateFile(folder)], join(folder, 'anvil.log'));
  const { instanceId } = await until(
    `the node of chain ${chainId}`,
    () =>
      rpc<{ instanceId: string }>(`http://127.0.0.1:${record.port}`, 'anvil_metadata', []).catch(() => null),
    { timeoutMs: PATIENCE_MS, everyMs: 20 },
  );
  // The next API that starts here takes this node over, and the end of the stage ends it.
  writeRecord(folder, { ...record, pid, identity: processIdentity(pid) ?? '', instanceId });
}

function recordOf(dataDir: string, chainId: number) {
  const record = readRecord(join(dataDir, `chain-${chainId}`));
  if (record === null) throw new Error(`no node of chain ${chainId} runs`);
  return record;
}
