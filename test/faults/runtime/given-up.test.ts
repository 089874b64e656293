import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../agents/errors.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { StaleHead } from '../../../chain/rpc/fresh-head.ts';
import { ReaderError } from '../../../chain/rpc/reader.ts';
import { EffectError, type EffectRunner } from '../../../runtime/durable/jobs/effect.ts';
import type { OutboxDeps } from '../../../runtime/durable/jobs/outbox.ts';
import { attemptDue } from '../../fixtures/actors/attempt-due.ts';
import { listeningLog } from '../../fixtures/actors/courier-service.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

/** Which failures bring an effect nearer to being given up, and what is written when it is. */

const LEASE_MS = 3_600_000;
const TRIES = 3;

let stage: Stage;
let id: string;
beforeEach(async () => {
  stage = await courierStage();
  id = await stage.spawn('a');
  await stage.send(id, 'e1', { type: 'CARRY', parcel: 'p1' });
  await stage.settle(id);
});
afterEach(() => stage.drop());

function depsOf(parts: Pick<EffectRunner, 'run'> & Partial<EffectRunner>): OutboxDeps {
  const runner: EffectRunner = { kind: 'carry', lane: 'default', maxAttempts: TRIES, ...parts };
  return {
    db: stage.db,
    runners: new Map([[runner.kind, runner]]),
    now: stage.clock.now,
    leaseClock: stage.clock.now,
    crash: () => {},
    log: listeningLog(),
    leaseMs: LEASE_MS,
  };
}

async function failures(): Promise<string[]> {
  await stage.settle(id);
  return (await stage.actor(id)).context.failures;
}

describe('an effect', () => {
  it.each([
    ['a node is down', new ReaderError('down', 'the node does not answer')],
    ['a node is behind', new StaleHead('its head is an hour old', { number: 1n, hash: '0x', timestamp: 0n })],
    ['nobody tells what became of it', new ChainError('unknown', 'no receipt came in time')],
    ['another service is away', new AppError('unavailable', 'The card processor did not return the money.')],
    ['what it needs is not there yet', new EffectError('fewer than 2 blocks lie on it', { retry: true })],
    [
      'the cause lies deeper',
      new Error('it cannot be read', { cause: new ReaderError('slow', 'no answer') }),
    ],
  ])('is never given up while %s, and comes to its end afterwards', async (_, away) => {
    let isAway = true;
    const deps = depsOf({
      async run() {
        if (isAway) throw away;
        return { event: { type: 'CARRIED', parcel: 'p1' } };
      },
    });
    for (let i = 0; i < 8; i++) {
      expect(await attemptDue(deps)).toMatchObject({ status: 'pending' });
      stage.clock.forward(30_000);
    }
    isAway = false;
    expect(await attemptDue(deps)).toMatchObject({ status: 'done' });
    expect(await failures()).toEqual([]);
  });

  it.each([
    ['the contract refuses', new ReaderError('reverted', 'there is no such agent')],
    [
      'a refusal may be the contract’s own',
      new ReaderError('down', 'refused', { lasting: true, unexplained: true }),
    ],
  ])('is given up after its tries where %s', async (_, error) => {
    const deps = depsOf({ run: () => Promise.reject(error) });
    for (let i = 1; i < TRIES; i++) {
      expect(await attemptDue(deps)).toMatchObject({ status: 'pending' });
      stage.clock.forward(30_000);
    }
    expect(await attemptDue(deps)).toMatchObject({ status: 'failed' });
  });

  it('that is given up writes what it leaves behind together with its failure', async () => {
    let mayStillHappen = true;
    const deps = depsOf({
      run: () => Promise.reject(new EffectError('refused', { retry: false })),
      async givenUp(_, reason) {
        if (mayStillHappen) throw new Error('what was sent may still be mined');
        return async (trx) => {
          await sql`insert into owner_settings (wallet, beneficial_owner, on_flagged) values (${reason}, ${reason}, 'stop')`.execute(
            trx,
          );
        };
      },
    });
    expect(await attemptDue(deps)).toMatchObject({ status: 'pending', told: false });
    expect(await failures()).toEqual([]);
    stage.clock.forward(30_000);
    mayStillHappen = false;
    expect(await attemptDue(deps)).toMatchObject({ status: 'failed', told: true });
    expect(await failures()).toEqual(['refused']);
    expect(await stage.db.selectFrom('owner_settings').select('wallet').execute()).toEqual([
      { wallet: 'refused' },
    ]);
  });
});
