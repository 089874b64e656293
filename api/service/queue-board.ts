import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Queue } from 'bullmq';
import type { App, Reply, Request } from '../http/app.ts';
import type { operatorSignIn } from '../http/auth/operator-key.ts';
import { type Board, BoardParts } from './board-parts.ts';

export interface QueueBoardDeps {
  readonly queues: readonly Queue[];
  readonly signIn: ReturnType<typeof operatorSignIn>;
}

const PREFIX = '/operator/queues';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};
/** Scripts may come only from its own files. Its elements carry inline styles, which must be allowed. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  `base-uri 'self'`,
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `GET /operator/queues`: shows operators in a browser which wake-ups wait in BullMQ. Routes that could change a queue
 * are not registered, so that no other site can use an operator's key to change one.
 */
export async function queueBoard(app: App, { queues, signIn }: QueueBoardDeps): Promise<void> {
  const parts = new BoardParts();
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: parts,
    options: { uiConfig: { boardTitle: 'Safe Handshake: queues', hideRedisDetails: true } },
  });
  const board = parts.board();
  const files = filesUnder(board.staticDir);
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' });
      // A hook that has answered ends the request.
      if (!(await signIn(request, reply, 'queues')))
        return reply.send('An operator key is the password here.\n');
      return undefined;
    });
    const hidden = { schema: { hide: true } };
    scope.get(`${PREFIX}/static/*`, hidden, async (request, reply) => {
      const path = (request.params as { '*': string })['*'];
      const type = files.has(path) ? TYPES[extname(path)] : undefined;
      if (type === undefined) return reply.callNotFound();
      return reply.type(type).send(readFileSync(join(board.staticDir, path)));
    });
    for (const url of board.pages) {
      scope.get(`${PREFIX}${url === '/' ? '' : url}`, hidden, async (_request, reply) =>
        reply.type('text/html; charset=utf-8').send(board.page(PREFIX)),
      );
    }
    for (const { url, answer } of board.reads) {
      scope.get(`${PREFIX}${url}`, hidden, async (request: Request, reply: Reply) => {
        const { status = 200, body } = await answer(
          request as Parameters<Board['reads'][number]['answer']>[0],
        );
        return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
      });
    }
  });
}

/** The file names that may be requested; no other file on the disk can be. */
function filesUnder(folder: string): ReadonlySet<string> {
  return new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
}
