import { createServer } from 'node:net';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** Fails before anything is started when the port cannot be used. @throws StartError */
export async function requireFreePort({ host, port }: Config): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, host, resolve);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} on ${host} is taken: end what listens there, or set PORT to another.`,
      );
    }
    throw new StartError(
      `The service cannot listen on ${host}:${port} (${code}): set HOST and PORT to others.`,
    );
  }
  await new Promise((resolve) => probe.close(resolve));
}
