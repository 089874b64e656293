import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createEndpointHandler, type ObjectContext, object } from '@restatedev/restate-sdk';
import { NOTE } from './tally-machine.ts';

/** Run as a child process: the same tally as a virtual object of Restate. Prints its address. */
interface TallyState {
  readonly count: number;
  readonly last: string;
  readonly note: string;
}

// The SDK counts on a newer Node.
const promises = Promise as { withResolvers?: unknown };
promises.withResolvers ??= <T>() => {
  let resolve!: (value: T | PromiseLike<T>) => void;
  let reject!: (reason?: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

const tally = object({
  name: 'tally',
  handlers: {
    add: async (ctx: ObjectContext, event: { id: string }) => {
      const state = (await ctx.get<TallyState>('state')) ?? { count: 0, last: '', note: NOTE };
      ctx.set('state', { ...state, count: state.count + 1, last: event.id });
      return { id: event.id };
    },
  },
});

const server = createServer(createEndpointHandler({ services: [tally], logger: () => {} }));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
