import pg from 'pg';

/** Longer than a free read takes: a replica that hangs holds nobody up for longer. */
const PATIENCE_MS = 2_000;

/** For connections to a server that nobody must wait for. */
export const impatient = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS } as const;

/**
 * The connections to a replica, for single statements that only read. A statement that the replica does not answer, for
 * whatever reason, is asked of the primary, whose answer or error is the caller's. While the replica is not usable
 * everything goes to the primary.
 */
export class ReadingPool extends pg.Pool {
  readonly #primary: pg.Pool;
  readonly #usable: () => boolean;

  constructor(config: pg.PoolConfig, primary: pg.Pool, usable: () => boolean) {
    super({ ...config, ...impatient });
    this.#primary = primary;
    this.#usable = usable;
  }

  // biome-ignore lint/suspicious/noExplicitAny: one of many overloads is looked at, all are passed on
  override query(...asked: any[]): any {
    const again = (): Promise<unknown> => askOf(this.#primary, asked);
    if (!this.#usable()) return again();
    return (super.query as (...all: unknown[]) => Promise<unknown>).apply(this, asked).catch(again);
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override connect(...asked: any[]): any {
    // The pool itself asks with a callback; others wait for a promise.
    const connect = super.connect as (...all: unknown[]) => Promise<pg.PoolClient>;
    if (asked.length > 0) return connect.apply(this, asked);
    if (!this.#usable()) return this.#primary.connect();
    return connect.call(this).then(
      (client) => this.#orPrimary(client),
      () => this.#primary.connect(),
    );
  }

  #orPrimary(client: pg.PoolClient): pg.PoolClient {
    let isBroken = false;
    const query = (...asked: unknown[]): unknown =>
      askOf(client, asked).catch((error) => {
        // An error of the server's has a code, and its connection is as good as before.
        isBroken ||= !/^[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? '');
        return askOf(this.#primary, asked);
      });
    const release = (): void => client.release(isBroken);
    return new Proxy(client, {
      get: (of, name) => (name === 'query' ? query : name === 'release' ? release : Reflect.get(of, name)),
    });
  }
}

function askOf(one: pg.Pool | pg.PoolClient, asked: unknown[]): Promise<unknown> {
  return (one.query as (...all: unknown[]) => Promise<unknown>).apply(one, asked);
}
