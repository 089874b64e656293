import { AsyncLocalStorage } from 'node:async_hooks';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { App, Request } from './app.ts';

/** For which request the present one is sent. */
interface Sent {
  readonly of: Request;
  readonly counted: boolean;
}

// Not a header: whatever a header says, a stranger can say, too.
const sent = new AsyncLocalStorage<Sent>();

/**
 * Sends a request to this same server, to answer another one. It shares the place of that one: if it took a place of its
 * own, requests that hold all places would wait for each other.
 * @param counted whether it counts with the allowances of its address, as a request of its own
 */
export function subrequest(
  app: App,
  of: Request,
  options: InjectOptions,
  counted: boolean,
): Promise<LightMyRequestResponse> {
  // It is sent when it is waited for, which must be done in here.
  return sent.run({ of, counted }, async () => await app.inject(options));
}

/** The request that the present one helps to answer; null for one from outside. */
export function requestServed(): Request | null {
  return sent.getStore()?.of ?? null;
}

/** Whether the present request counts as part of the one that it helps to answer. */
export function isCountedAlready(): boolean {
  return sent.getStore()?.counted === false;
}
