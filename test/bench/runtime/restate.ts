import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, freePort, startChild } from '../child.ts';
import { post } from '../post.ts';

/** The peer: a Restate server as it is shipped, its log quiet, with the tally registered as a virtual object. */
export async function startRestate(): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'handshake-restate-'));
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const { resolve } = createRequire(
    createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'),
  );
  const binary = resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`);
  const server = spawn(binary, ['--base-dir', dir, '--no-logo', '--log-filter', 'off'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_PORT: String(node),
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      RESTATE_DISABLE_TELEMETRY: 'true',
    },
  });
  const endpoint = await startChild(new URL('./restate-process.ts', import.meta.url));
  const stop = async (): Promise<void> => {
    await endpoint.stop();
    await ended(server, 'SIGTERM');
    rmSync(dir, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    const registered = await fetch(`http://127.0.0.1:${admin}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri: endpoint.url }),
    }).catch(() => null);
    if (registered?.ok) break;
    if (tries > 150) {
      const why = registered ? await registered.text() : 'it does not answer';
      await stop();
      throw new Error(`the Restate server did not take the tally: ${why}`);
    }
    await new Promise((wait) => setTimeout(wait, 200));
  }
  const url = `http://127.0.0.1:${ingress}`;
  // Registered is not yet served.
  for (let tries = 0; tries < 50; tries++) {
    const answered = await post(`${url}/tally/warm/add`, { id: 'warm' }, `warm ${tries}`).catch(() => null);
    if (answered !== null) return { url, stop };
    await new Promise((wait) => setTimeout(wait, 200));
  }
  await stop();
  throw new Error('the Restate server does not serve the tally');
}
