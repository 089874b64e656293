import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  readonly id: number | string;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** What becomes of one answer: the true result, another one, or silence for ever. */
export type Alter = (call: Call, result: unknown) => unknown;
export const SILENCE = Symbol('no answer');

/** A real RPC server that asks another one and alters what it answers: one data path of two that lies. */
export async function lyingRpc(upstream: string): Promise<{
  url: string;
  lie(alter: Alter): void;
  /** Runs before each request is passed on: the world moves while it is read. */
  meanwhile(act: (call: Call) => Promise<void>): void;
  stop(): Promise<void>;
}> {
  let alter: Alter = (_, result) => result;
  let before: (call: Call) => Promise<void> = async () => {};
  const answer = async (call: Call): Promise<unknown> => {
    await before(call);
    const response = await fetch(upstream, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    const body = (await response.json()) as { result?: unknown };
    const altered = alter(call, body.result);
    if (altered === SILENCE) return SILENCE;
    return body.result === undefined ? body : { ...body, result: altered };
  };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
      const answers = await Promise.all([asked].flat().map(answer)).catch(() => [SILENCE]);
      if (answers.includes(SILENCE)) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie(next) {
      alter = next;
    },
    meanwhile(act) {
      before = act;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
