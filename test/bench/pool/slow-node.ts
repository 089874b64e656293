import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A chain's node that is far away: what passes takes so much longer. */
export interface SlowNode {
  readonly url: string;
  stop(): Promise<void>;
}

export async function slowNode(upstream: string, delayMs: number): Promise<SlowNode> {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      await sleep(delayMs);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(upstream, { method: 'POST', headers, body: Buffer.concat(chunks) });
      response.writeHead(answer.status, headers).end(await answer.text());
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
