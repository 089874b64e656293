import { CATEGORIES, type Category, isCategory } from '../agents/categories.ts';
import type { Account } from './account.ts';
import { askedOf, type CallOptions } from './asked.ts';
import { HandshakeError, wrongField } from './errors.ts';
import type { Operations } from './operations.ts';
import { type Payer, payer, type SpendLimits } from './payment.ts';
import { requester } from './request.ts';
import { type TransportOptions, transport } from './transport.ts';

export { type Account, type PayAsset, privateKeyToAccount } from './account.ts';
export type { CallOptions } from './asked.ts';
export { type ClientErrorCode, HandshakeError } from './errors.ts';
export type { Operations } from './operations.ts';

export interface HandshakeOptions extends SpendLimits, TransportOptions {
  /** Pays and signs. Without one, only what is free can be asked. */
  readonly account?: Account;
  /** Asked before an owner's act is signed, with the sentence that says what it does; signs when left out. */
  readonly approve?: (says: string, message: string) => boolean | Promise<boolean>;
}

type Part = 'path' | 'query' | 'body';
type Given<K extends keyof Operations> = {
  readonly [P in Part as undefined extends Operations[K][P] ? never : P]: Operations[K][P];
} & {
  readonly [P in Part as undefined extends Operations[K][P] ? P : never]?: Operations[K][P];
};
type Asked = NonNullable<Operations['safeHandshakeTransaction']['body']>;
export type Determination = Operations['safeHandshakeDetermination']['answer'];
export type Evaluation = Operations['tier2-digital-products']['answer'];
export type Facts = Operations['tier2-digital-products']['body'];
export type ServedRecord = Operations['record']['answer'];

/** A service, as a program asks it. */
export interface Handshake {
  /** A determination on a wallet, with a transaction or an origin where they are given: CLEAN or FLAGGED, with its evidence. Costs one percent of `transactionUsd`, a cent at least. */
  check(address: string, about?: Omit<Asked, 'address'> & CallOptions): Promise<Determination>;
  /** An evaluation of a deal, by the facts that are known of it. */
  evaluate(
    tier: 'tier2' | 'tier3',
    category: Category,
    facts: Facts,
    options?: CallOptions,
  ): Promise<Evaluation>;
  /** A public record with everything needed to verify it, by its id or by an answer that names it. */
  record(of: string | Pick<Determination, 'recorded'>, options?: CallOptions): Promise<ServedRecord>;
  /** Any operation of the interface by its `operationId`; pays and signs where it is asked to. */
  call<K extends keyof Operations>(
    operation: K,
    given?: Given<K> & CallOptions,
  ): Promise<Operations[K]['answer']>;
  /** What this client signed payments for so far, dollars. */
  spentUsd(): number;
}

/**
 * Opens nothing: the first request does.
 * @example const { verdict } = await handshake(url, { account }).check('0x…');
 * @throws TypeError when `url` is no URL
 */
export function handshake(url: string, options: HandshakeOptions = {}): Handshake {
  const base = new URL(url);
  const { account } = options;
  const paying: Payer | null = account === undefined ? null : payer(account, options);
  const request = requester({
    transport: transport(options),
    payer: paying,
    account: account ?? null,
    approve: options.approve ?? (() => true),
  });

  const call: Handshake['call'] = async (operation, given) =>
    await request(askedOf(base, operation, given ?? {}));

  return {
    call,
    async check(address, about) {
      const { signal, idempotencyKey, ...asked } = about ?? {};
      const given = { signal, idempotencyKey };
      const { transaction, origin, ...query } = asked;
      if (transaction !== undefined || origin !== undefined)
        return await call('safeHandshakeTransaction', { body: { address, ...asked }, ...given });
      return await call('safeHandshakeDetermination', { query: { address, ...query }, ...given });
    },
    async evaluate(tier, category, facts, given) {
      if (tier !== 'tier2' && tier !== 'tier3') throw wrongField('tier', 'must be one of tier2, tier3');
      if (!isCategory(category))
        throw wrongField('category', `must be one of ${CATEGORIES.join(', ')}`, { code: 'unknown-category' });
      return await call(`${tier}-${category}`, { body: facts, ...given });
    },
    async record(of, given) {
      const recorded = typeof of === 'string' ? { recordId: of } : of?.recorded;
      if (typeof recorded !== 'object' || recorded === null)
        throw wrongField('of', 'must be the id of a record, or an answer that names one');
      const { recordId } = recorded;
      if (typeof recordId !== 'string')
        throw new HandshakeError(
          'not-found',
          'This answer is filed under no record: name the chain it is about.',
        );
      return await call('record', { path: { recordId }, ...given });
    },
    spentUsd: () => paying?.spentUsd() ?? 0,
  };
}
