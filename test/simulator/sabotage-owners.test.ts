import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { firstFailing, foundAll } from './found.ts';

/** Defects of what owners and the operator change while deals are under way, made on purpose, here only. */

const broken = vi.hoisted(() => ({ part: '' }));
beforeEach(() => {
  broken.part = '';
});

vi.mock(import('../../runtime/market/orders/buyer-funds.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    lookAtBalance: async (services, agent) => {
      const look = await real.lookAtBalance(services, agent);
      return broken.part === 'funds' ? { ...look, balance: 10n ** 15n } : look;
    },
    isCovered: async (services, agent, order, first) => {
      const look = await real.isCovered(services, agent, order, first);
      return broken.part === 'funds' ? { ...look, covered: true } : look;
    },
    shortFor: async (db, order, look) =>
      broken.part === 'funds' ? null : await real.shortFor(db, order, look),
  };
});

vi.mock(import('../../store/agent/mandates.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    adoptMandate: async (trx, adopted) => {
      if (broken.part !== 'mandates') await real.adoptMandate(trx, adopted);
    },
    changeSessionKey: async (trx, changed) => {
      if (broken.part !== 'new keys') await real.changeSessionKey(trx, changed);
    },
  };
});

vi.mock(import('../../store/market/order-reviews.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    reviewOrders: async (db, handle, now, mayRest) =>
      broken.part === 'reviews' ? 0 : await real.reviewOrders(db, handle, now, mayRest),
  };
});

vi.mock(import('../../chain/clients/policy-keys.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    revokeKey: async (by, tokenId, key) =>
      broken.part === 'old keys' ? null : await real.revokeKey(by, tokenId, key),
  };
});

vi.mock(import('../../store/certificates/disputes.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    // It is asked, and what it answers is not heeded.
    disputeInTheWay: async (db, key, now) => {
      const held = await real.disputeInTheWay(db, key, now);
      return broken.part === 'disputes' ? null : held;
    },
    refuseDisputed: async (db, key, now) => {
      if (broken.part !== 'disputes') await real.refuseDisputed(db, key, now);
    },
  };
});

vi.mock(import('../../agents/determinations/panel/panel.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    decide: (votes, quorum, hard) => real.decide(votes, broken.part === 'seats' ? 1 : quorum, hard),
  };
});

vi.mock(import('../../runtime/chain-sync/watch-chain.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    chainWatch: (services, look, alone) =>
      broken.part === 'forks' ? async () => {} : real.chainWatch(services, look, alone),
  };
});

const cases: readonly { what: string; part: string; rules: readonly string[] }[] = [
  {
    what: 'accounts that nobody asks whether they cover an order',
    part: 'funds',
    rules: ['a match is made where the account covers it'],
  },
  {
    what: 'mandates that are signed and not adopted',
    part: 'mandates',
    rules: ['the mandate in force is the one on chain'],
  },
  {
    what: 'orders that stay when a new mandate forbids them',
    part: 'reviews',
    rules: ['no order rests that a new mandate forbids'],
  },
  { what: 'agents that go on with an old key', part: 'new keys', rules: ['an agent has a live key'] },
  { what: 'old keys that never end', part: 'old keys', rules: ['a key that was rotated has ended'] },
  {
    what: 'disputes that hold nothing',
    part: 'disputes',
    // A deal that was stopped meanwhile may be first: what a dispute holds, its pair does not match on again.
    rules: ['what a dispute holds is not sold', 'no pair matches twice on one lot for one unchanged finding'],
  },
  { what: 'panels that a single seat decides', part: 'seats', rules: ['one lying seat makes nothing CLEAN'] },
  {
    what: 'forks after which nothing is read again',
    part: 'forks',
    rules: ['everything comes to rest', 'what is booked is what the chain holds', 'every record is anchored'],
  },
];

describe('the simulator notices', () => {
  afterAll(foundAll);

  for (const { what, part, rules } of cases) {
    it(what, async () => {
      broken.part = part;
      const { history, seeds } = await firstFailing(what);
      expect(rules, `after ${seeds} seeds: ${history?.violation?.message}`).toContain(
        history?.violation?.rule,
      );
    }, 900_000);
  }
});
