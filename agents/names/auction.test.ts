import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import { auctionMachine } from './auction.ts';

type Action = { type: string; params?: { delay?: number; id?: string; auctionId?: string } };
type Event = Parameters<typeof transition<typeof auctionMachine>>[2];

const born = () => initialTransition(auctionMachine, { auctionId: 'auc_1', durationMs: 5_000 });
const timers = (actions: readonly unknown[]) =>
  (actions as Action[]).filter((a) => a.type === 'xstate.raise').map((a) => a.params?.delay);
const effects = (actions: readonly unknown[]) =>
  (actions as Action[]).filter((a) => !a.type.startsWith('xstate.')).map((a) => [a.type, a.params]);
const over = { type: 'xstate.after.end.auction.running.open' } as unknown as Event;
/** What is asked of the seller's order once nobody has bought. */
const REVIEW = ['review-after-auction', { auctionId: 'auc_1' }];

describe('the clock of an auction', () => {
  it('runs for as long as the seller said, and then asks for the end once', () => {
    const [open, first] = born();
    expect([open.value, timers(first), effects(first)]).toEqual([{ running: 'open' }, [5_000], []]);
    const [closing, then] = transition(auctionMachine, open, over);
    expect(closing.value).toEqual({ running: 'closing' });
    expect([timers(then), effects(then)]).toEqual([[], [['close-auction', { auctionId: 'auc_1' }]]]);
  });

  it('is set anew by each extension, and the old time counts no more', () => {
    const [open] = born();
    const [still, actions] = transition(auctionMachine, open, { type: 'EXTENDED', waitMs: 300_000 });
    expect([still.value, timers(actions)]).toEqual([{ running: 'open' }, [300_000]]);
    expect((actions as Action[]).some((a) => a.type === 'xstate.cancel')).toBe(true);
  });

  it('goes on when the end was asked for too early, and tries again when the end could not be carried out', () => {
    const [closing] = transition(auctionMachine, born()[0], over);
    const [again, set] = transition(auctionMachine, closing, { type: 'EXTENDED', waitMs: 700 });
    expect([again.value, timers(set)]).toEqual([{ running: 'open' }, [700]]);
    const failed: Event = { type: 'EFFECT_FAILED', effect: 'close-auction', reason: 'the chain is away' };
    const [later, retry] = transition(auctionMachine, closing, failed);
    expect([later.value, timers(retry)]).toEqual([{ running: 'open' }, [60_000]]);
  });

  it.each([
    [{ type: 'WON', dealId: 'deal_1' }, 'won', 'deal_1'],
    [{ type: 'UNSOLD' }, 'unsold', null],
    [{ type: 'WITHDRAWN' }, 'withdrawn', null],
  ] as const)('ends with %o, whether the end had come or not', (event, value, dealId) => {
    const [open] = born();
    for (const from of [open, transition(auctionMachine, open, over)[0]]) {
      const [ended, actions] = transition(auctionMachine, from, event);
      expect([ended.value, ended.context.dealId]).toEqual([value, dealId]);
      expect(ended.status).toBe(value === 'won' ? 'active' : 'done');
      expect([timers(actions), effects(actions)]).toEqual([[], value === 'won' ? [] : [REVIEW]]);
    }
  });

  it('that was won passes on to the next bid, and to nobody once none is left', () => {
    const won = transition(auctionMachine, born()[0], { type: 'WON', dealId: 'deal_1' })[0];
    const next = transition(auctionMachine, won, { type: 'PASSED_ON', dealId: 'deal_2' })[0];
    expect([next.value, next.context.dealId]).toEqual(['won', 'deal_2']);
    const [none, actions] = transition(auctionMachine, next, { type: 'PASSED_ON', dealId: null });
    expect([none.value, none.status, none.context.dealId]).toEqual(['unsold', 'done', null]);
    expect(effects(actions)).toEqual([REVIEW]);
  });

  it('that was won goes on when others may bid after its winner’s deal was undone, and ends again', () => {
    const won = transition(auctionMachine, born()[0], { type: 'WON', dealId: 'deal_1' })[0];
    const [open, actions] = transition(auctionMachine, won, { type: 'GOES_ON', waitMs: 300_000 });
    expect([open.value, open.context.dealId]).toEqual([{ running: 'open' }, null]);
    expect([timers(actions), effects(actions)]).toEqual([[300_000], []]);
    const again = transition(auctionMachine, open, { type: 'WON', dealId: 'deal_2' })[0];
    expect([again.value, again.context.dealId]).toEqual(['won', 'deal_2']);
  });

  it('has one end, whatever comes after it in whatever order', () => {
    const event: fc.Arbitrary<Event> = fc.constantFrom<Event[]>(
      over,
      { type: 'EXTENDED', waitMs: 10 },
      { type: 'WON', dealId: 'deal_1' },
      { type: 'WON', dealId: 'deal_2' },
      { type: 'UNSOLD' },
      { type: 'WITHDRAWN' },
      { type: 'EFFECT_FAILED', effect: 'close-auction', reason: 'no' },
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let now: AnyMachineSnapshot = born()[0];
        let end: unknown = null;
        for (const e of events) {
          const [next, actions] = transition(auctionMachine, now as never, e);
          if (end !== null) {
            expect([next.value, next.context]).toEqual(end);
            expect(effects(actions)).toEqual([]);
          }
          if (typeof next.value === 'string') end ??= [next.value, next.context];
          now = next;
        }
      }),
    );
  });
});
