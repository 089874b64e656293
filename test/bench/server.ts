import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../store/embedded.ts';

/** A Postgres of the bench's own, as the service starts it: durable, nothing switched off. */
export async function benchServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'handshake-bench-'));
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, randomHex: (bytes) => randomBytes(bytes).toString('hex') });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
