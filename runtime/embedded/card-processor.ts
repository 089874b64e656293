import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './card/doors.ts';
import { createProcessor } from './card/processor.ts';
import { openCardState } from './card/state.ts';

export interface CardProcessorOptions {
  readonly dataDir: string;
  /** When left out: the port of the last run if it is free, otherwise any port. */
  readonly port?: number;
  /** Must begin with `sk_test_`. */
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly webhookUrl: string;
  readonly clock: () => Date;
  readonly log: { warn(fields: object, message: string): void };
  /** The wait before the second delivery of a webhook, which doubles each time; one second when left out. */
  readonly retryBaseMs?: number;
}

/**
 * A card processor for one machine. It implements the part of the Stripe API that checkout needs, shows a payment page
 * that takes test cards, and delivers signed webhooks until they are acknowledged. Its state is kept in
 * `card-processor.json` of the data folder, so a restart delivers what was pending.
 * @throws Error for a live key: whoever sets one expects the real processor
 */
export async function startCardProcessor(
  options: CardProcessorOptions,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (!options.secretKey.startsWith('sk_test_')) {
    throw new Error(
      'the local card processor never starts with a live key: its key must begin with sk_test_',
    );
  }
  const db = await openCardState(options.dataDir);
  const server = createServer();
  await listen(server, options.port, db.data.port);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const processor = createProcessor({
    ...options,
    db,
    baseUrl: url,
    retryBaseMs: options.retryBaseMs ?? 1_000,
  });
  server.on('request', (request, response) => {
    void answer({ processor, url, options }, request, response);
  });
  db.data.port = port;
  await db.write();
  processor.run();
  return {
    url,
    async stop() {
      server.close();
      server.closeAllConnections();
      await processor.stop();
    },
  };
}

async function listen(server: Server, port: number | undefined, last: number): Promise<void> {
  const tryPort = (p: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(p, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  if (port !== undefined) return await tryPort(port);
  await tryPort(last).catch(() => tryPort(0));
}
