import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tallyService } from './tally-service.ts';

/**
 * Run as a child process: a worker, and HTTP before it. `POST /{actor}/{id}` answers once the effect has begun,
 * `GET /memory` with the process's resident bytes. Arguments: the database's URL, milliseconds an effect takes, how many
 * at once. Prints its address.
 */
const [databaseUrl, effectMs = '0', parallel = '64'] = process.argv.slice(2) as [string, string?, string?];
const service = await tallyService(databaseUrl, { effectMs: Number(effectMs), parallel: Number(parallel) });
const server = createServer((request, response) => {
  const [, actor = '', id = ''] = (request.url ?? '').split('/');
  const answer = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (request.method === 'GET') answer(200, { rss: process.memoryUsage().rss });
  else
    service.send(decodeURIComponent(actor), id).then(
      () => answer(200, { id }),
      (error: unknown) => answer(500, { error: String(error) }),
    );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void service.stop();
});
