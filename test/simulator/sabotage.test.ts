import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EffectRunner } from '../../runtime/durable/jobs/effect.ts';
import { firstFailing, foundAll } from './found.ts';
import { random } from './random.ts';
import { shrink } from './shrink.ts';
import { type Sabotage, simulate } from './simulate.ts';

/** A simulator that finds nothing proves nothing until it has found defects that were made on purpose, here only. */

const broken = vi.hoisted(() => ({ part: '' }));
beforeEach(() => {
  broken.part = '';
});

vi.mock(import('../../agents/market/book.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    overlapping: (offer, bids) =>
      real.overlapping(broken.part === 'matcher' ? { ...offer, owner: 'nobody' } : offer, bids),
    clearingPrice: (lot, offer, bid) =>
      broken.part === 'price' ? bid.limit + real.TICK : real.clearingPrice(lot, offer, bid),
  };
});

/** The same defect when a pair is checked again; only the check of both mandates remains. */
vi.mock(import('../../runtime/market/matching/prove-pair.ts'), async (original) => {
  const real = await original();
  const { bothMandatesAllow } = await import('../../runtime/market/matching/judge-pair.ts');
  return {
    ...real,
    withProofs: (services, act) =>
      real.withProofs(services, (proofs) => {
        const { part } = broken;
        const allows: typeof proofs.allows = (trx, now) =>
          part === 'matcher'
            ? bothMandatesAllow(trx, now)
            : async (pair) => (await proofs.prove(pair)) && (await bothMandatesAllow(trx, now)(pair));
        const isBroken = part === 'matcher' || part === 'proofs';
        return act(isBroken ? Object.assign(proofs, { allows, knows: () => true }) : proofs);
      }),
  };
});

vi.mock(import('../../store/agent/reservations.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    endReservations: async (trx, ids, state, now) => {
      if (broken.part !== 'reservations' || state !== 'released')
        await real.endReservations(trx, ids, state, now);
    },
  };
});

vi.mock(import('../../store/market/stops.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    rememberStops: async (trx, deal) => {
      if (broken.part !== 'stops') await real.rememberStops(trx, deal);
    },
  };
});

vi.mock(import('../../runtime/market/orders/judge-order.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    judgeOrder: async (trx, agent, order, look) => {
      if (broken.part !== 'caps') await real.judgeOrder(trx, agent, order, look);
    },
    holdToMandate: (agent, order, by) => {
      if (broken.part !== 'caps') real.holdToMandate(agent, order, by);
    },
    isInForce: (look, before, side) =>
      real.isInForce(look, broken.part === 'booked' ? { ...before, bookedBlock: null } : before, side),
  };
});

vi.mock(import('../../store/deal/booked-blocks.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    lastBookedBlock: async (db, handle) =>
      broken.part === 'booked' ? null : await real.lastBookedBlock(db, handle),
  };
});

vi.mock(import('../../runtime/deal/signing-over.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    // Whoever gives a deal up, and whoever undoes it, asks this.
    requireSigningOver: async (services, dealId) =>
      broken.part === 'signings' ? { kind: 'none' } : await real.requireSigningOver(services, dealId),
  };
});

vi.mock(import('../../runtime/records/record-id.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    signRecord: async (sign, draft) => {
      const signed = await real.signRecord(sign, draft);
      if (broken.part !== 'records') return signed;
      return { ...signed, record: { ...signed.record, summary: `${signed.record.summary} Or not.` } };
    },
  };
});

vi.mock(import('../../store/durable/mailbox-batches.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    readActors: async (db, ids, limit) => {
      const actors = await real.readActors(db, ids, limit);
      if (broken.part !== 'batches') return actors;
      return actors.map((a) => ({ ...a, messages: [...a.messages].reverse() }));
    },
    saveBatches: async (db, batches, now, lease) => {
      if (broken.part !== 'guard') return await real.saveBatches(db, batches, now, lease);
      const latest = await real.readActors(
        db as never,
        batches.map((t) => t.id),
        1,
      );
      const unguarded = batches.map((t) => ({ ...t, revision: latest.find((a) => a.id === t.id)!.revision }));
      return await real.saveBatches(db, unguarded, now, lease);
    },
  };
});

/** Never checks the outcome of an earlier attempt. */
const blindly = (runner: EffectRunner): EffectRunner => {
  const { reconcile: _, ...rest } = runner;
  return { ...rest, run: (context) => runner.run({ ...context, attempt: 1 }) };
};

/** Sometimes does the thing and forgets to write it down. */
const forgetfully = (runner: EffectRunner): EffectRunner => {
  let runs = 0;
  return {
    ...runner,
    async run(context) {
      const { commit, ...outcome } = await runner.run(context);
      const forgets = random(`${context.key} ${runs++}`).chance(0.3);
      return commit && !forgets ? { ...outcome, commit: commit.bind(outcome) } : outcome;
    },
  };
};

const cases: readonly { what: string; part?: string; sabotage?: Sabotage; rules: readonly string[] }[] = [
  {
    what: 'a matcher that ignores who owns the agents',
    part: 'matcher',
    rules: ['no owner trades with itself'],
  },
  {
    what: 'pairs that are proved while their lot is locked',
    part: 'proofs',
    rules: ['no chain is read within a transaction'],
  },
  { what: 'a price above the bid', part: 'price', rules: ['ask ≤ price ≤ bid'] },
  {
    what: 'stops that are forgotten',
    part: 'stops',
    rules: ['no pair matches twice on one lot for one unchanged finding'],
  },
  { what: 'reservations that are not released', part: 'reservations', rules: ['reservations are released'] },
  {
    what: 'orders that nobody holds to the caps',
    part: 'caps',
    sabotage: { chain: { caps: true } },
    rules: ['Σ reserved + spent ≤ cap'],
  },
  {
    what: 'caps that are taken from a block before what was booked',
    part: 'booked',
    // Of two settlements that exceed a cap together the chain refuses one, and after a reorg the other. The money in an
    // account is read as the caps are.
    rules: [
      'Σ reserved + spent ≤ cap',
      'what is booked is what the chain holds',
      'a match is made where the account covers it',
    ],
  },
  { what: 'a record that is not what was hashed', part: 'records', rules: ['every record is recomputable'] },
  {
    what: 'a mailbox that is read backwards',
    part: 'batches',
    rules: ['no event is lost or applied twice', 'events are served in order'],
  },
  {
    what: 'turns that are saved over whatever revision',
    part: 'guard',
    // A deal whose last turn was saved over waits for what has been.
    rules: [
      'no event is applied twice',
      'no event is lost or applied twice',
      'events are served in order',
      'everything comes to rest',
    ],
  },
  {
    what: 'a mailbox that forgets which events it has had',
    sabotage: {
      shapes: (shapes) => shapes.map((s) => (s.name === 'mailbox' ? { ...s, unique: [] } : s)),
    },
    rules: ['one id is one event'],
  },
  {
    what: 'an outbox that mints again blindly, where the contract does not hold it',
    sabotage: { effects: blindly, chain: { payments: true } },
    rules: ['one mint a payment'],
  },
  {
    what: 'a policy that does not count what its owners signed',
    sabotage: { chain: { nonces: true } },
    rules: ['a signature of an owner counts once'],
  },
  {
    what: 'relayed acts that are not written down',
    sabotage: { effects: (r) => (r.kind === 'relay-owner-act' ? forgetfully(r) : r) },
    rules: ['everything comes to rest'],
  },
  {
    what: 'deals that are given up while anyone may settle them',
    part: 'signings',
    rules: ['nobody settles a deal that is over'],
  },
  {
    what: 'settlements that are not written down',
    sabotage: { effects: (r) => (r.kind === 'settle' ? forgetfully(r) : r) },
    rules: [
      'everything comes to rest',
      'what is booked is what the chain holds',
      'reservations are released',
    ],
  },
];

describe('the simulator notices', () => {
  afterAll(foundAll);

  for (const { what, part = '', sabotage, rules } of cases) {
    it(what, async () => {
      broken.part = part;
      const { history, seeds } = await firstFailing(what, sabotage);
      expect(rules, `after ${seeds} seeds: ${history?.violation?.message}`).toContain(
        history?.violation?.rule,
      );
    }, 900_000);
  }
});

describe('a history', () => {
  it('is the same whenever its seed is run, and different for another seed', async () => {
    const [one, again, other] = [await simulate('same'), await simulate('same'), await simulate('other')];
    expect([again.traceHash, again.steps, again.counts]).toEqual([one.traceHash, one.steps, one.counts]);
    expect(other.traceHash).not.toBe(one.traceHash);
    expect(one.steps).toBeGreaterThan(300);
  });

  it('is shrunk when it fails, still breaks the same rule, and breaks it again in the same steps', async () => {
    broken.part = 'matcher';
    const { history } = await firstFailing('again');
    const small = await shrink(history!);
    expect(small.violation?.rule).toBe(history!.violation?.rule);
    expect(small.plan.actions.length).toBeLessThan(history!.plan.actions.length / 2);
    const again = await simulate(small.plan);
    expect([again.traceHash, again.violation?.message]).toEqual([small.traceHash, small.violation?.message]);
  }, 900_000);
});
