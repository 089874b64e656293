import { describe, expect, it } from 'vitest';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventFromLogic,
  type ExecutableActionsFrom,
  type InputFrom,
  initialTransition,
  transition,
} from 'xstate';
import { checkoutMachine } from './checkout/checkout.ts';
import { dealMachine, MOST_ROUNDS } from './deal/deal.ts';

/** Plays events through the pure transition, as a turn does, and gathers what would enter the outbox. */
function play<M extends AnyStateMachine>(
  machine: M,
  input: InputFrom<M>,
  events: readonly EventFromLogic<M>[],
) {
  let [snapshot, actions]: [AnyMachineSnapshot, ExecutableActionsFrom<M>[]] = initialTransition(
    machine,
    input,
  );
  const effects = [...actions];
  for (const event of events) {
    [snapshot, actions] = transition(machine, snapshot as never, event);
    effects.push(...actions);
  }
  return {
    value: snapshot.value,
    status: snapshot.status,
    context: snapshot.context,
    effects: effects.filter((a) => !a.type.startsWith('xstate.')).map((a) => a.type),
    timers: effects
      .filter((a) => a.type === 'xstate.raise')
      .map((a) => (a.params as { delay?: number }).delay),
  };
}

describe('checkout', () => {
  const input = { checkoutId: 'co_1', expiresInMs: 1000 };

  it('mints once however often the payment is reported', () => {
    const { value, effects } = play(checkoutMachine, input, [
      { type: 'PAID' },
      { type: 'PAID' },
      { type: 'PAID' },
    ]);
    expect(value).toBe('minting');
    expect(effects).toEqual(['mint-agent']);
  });

  it('records the purchase after the mint and then is done', () => {
    const played = play(checkoutMachine, input, [
      { type: 'PAID' },
      { type: 'MINTED', handle: 'a' },
      { type: 'RECORDED' },
    ]);
    expect(played.effects).toEqual(['mint-agent', 'record-purchase']);
    expect(played.status).toBe('done');
  });

  it('serves a payment that came after expiry', () => {
    const expiry = { type: 'xstate.after.expiry.checkout.awaiting-payment' } as never;
    expect(play(checkoutMachine, input, [expiry]).value).toBe('expired');
    expect(play(checkoutMachine, input, [expiry, { type: 'PAID' }]).effects).toEqual(['mint-agent']);
  });

  it('returns the money of a mint that failed, and keeps the reason', () => {
    const failed = { type: 'EFFECT_FAILED', effect: 'mint-agent', reason: 'no gas' } as const;
    const { value, context, effects } = play(checkoutMachine, input, [{ type: 'PAID' }, failed]);
    expect([value, effects]).toEqual(['refunding', ['mint-agent', 'refund-payment']]);
    expect(context.reason).toBe('no gas');
    const returned = play(checkoutMachine, input, [{ type: 'PAID' }, failed, { type: 'REFUNDED' }]);
    expect([returned.value, returned.status]).toEqual(['refunded', 'done']);
    const kept = { type: 'EFFECT_FAILED', effect: 'refund-payment', reason: 'no way' } as const;
    expect(play(checkoutMachine, input, [{ type: 'PAID' }, failed, kept]).value).toBe('failed');
  });

  it('returns what was paid for nothing, also after expiry', () => {
    const expiry = { type: 'xstate.after.expiry.checkout.awaiting-payment' } as never;
    const taken = { type: 'UNSERVABLE', reason: 'the handle has gone' } as const;
    for (const before of [[], [expiry]]) {
      const { value, effects, context } = play(checkoutMachine, input, [...before, taken]);
      expect([value, effects]).toEqual(['refunding', ['refund-payment']]);
      expect(context.reason).toBe('the handle has gone');
    }
  });

  it('is over once what was paid for was given', () => {
    const served = play(checkoutMachine, input, [{ type: 'SERVED' }]);
    expect([served.value, served.status, served.effects]).toEqual(['served', 'done', []]);
  });
});

describe('deal', () => {
  const input = { dealId: 'deal_1', decisionMs: 60_000, approvalMs: 9_000 };
  const said = (side: 'buyer' | 'seller', outcome: 'pass' | 'ask' | 'stop') =>
    ({ type: 'DETERMINED', side, outcome, reason: `${side} found ${outcome}` }) as const;
  const both = (buyer: 'pass' | 'ask' | 'stop', seller: 'pass' | 'ask' | 'stop') =>
    ({ type: 'DETERMINED', outcomes: { buyer, seller }, reason: 'found' }) as const;

  it('settles only when both sides pass', () => {
    const passed = play(dealMachine, input, [both('pass', 'pass')]);
    expect([passed.effects, passed.context.reason]).toEqual([['determine', 'settle'], null]);
    expect(play(dealMachine, input, [both('pass', 'ask')]).value).toBe('awaiting-owner');
    for (const stopped of [both('pass', 'stop'), both('stop', 'ask')])
      expect(play(dealMachine, input, [stopped]).effects).toEqual(['determine', 'unwind']);
  });

  it('takes the sides one by one, as they were asked before', () => {
    expect(play(dealMachine, input, [said('buyer', 'pass')]).effects).toEqual(['determine']);
    const one = play(dealMachine, input, [said('seller', 'pass'), said('buyer', 'pass')]);
    expect(one.effects).toEqual(['determine', 'settle']);
  });

  it('unwinds at the first stop, whichever side says it', () => {
    for (const events of [[said('buyer', 'stop')], [said('seller', 'pass'), said('buyer', 'stop')]]) {
      const played = play(dealMachine, input, events);
      expect(played.value).toBe('unwinding');
      expect(played.effects).not.toContain('settle');
      expect(played.context.reason).toBe('buyer found stop');
    }
  });

  it('waits for the owner and then needs every asked owner to proceed', () => {
    const asked = [said('buyer', 'ask'), said('seller', 'ask')];
    const waiting = play(dealMachine, input, asked);
    expect(waiting.value).toBe('awaiting-owner');
    expect(waiting.timers).toContain(60_000);
    const one = play(dealMachine, input, [...asked, { type: 'DECIDED', side: 'buyer', decision: 'proceed' }]);
    expect(one.value).toBe('awaiting-owner');
    // The time that both were given goes on: the deadline that is shown is the one that counts.
    expect(one.timers).toEqual(waiting.timers);
    const two = play(dealMachine, input, [
      ...asked,
      { type: 'DECIDED', side: 'buyer', decision: 'proceed' },
      { type: 'DECIDED', side: 'seller', decision: 'proceed' },
    ]);
    expect(two.value).toBe('settling');
  });

  it('determines once more when what it would settle by is too old, and asks nothing that was agreed to', () => {
    const found = (outcome: 'pass' | 'ask' | 'stop', asked: readonly string[], round: number) =>
      ({ ...both(outcome, 'pass'), asked: { buyer: asked, seller: [] }, round, at: round * 1_000 }) as const;
    const old = [
      found('ask', ['approval'], 1),
      { type: 'DECIDED', side: 'buyer', decision: 'proceed' },
      { type: 'OUTDATED' },
    ] as const;
    const again = play(dealMachine, input, old);
    expect([again.value, again.effects]).toEqual(['determining', ['determine', 'settle', 'determine']]);
    expect(again.context).toMatchObject({ buyer: null, seller: null });
    const same = play(dealMachine, input, [...old, found('ask', ['approval'], 2)]);
    expect([same.value, same.context.at]).toEqual(['settling', 2_000]);
    expect(play(dealMachine, input, [...old, found('pass', [], 2)]).value).toBe('settling');
    expect(play(dealMachine, input, [...old, found('stop', ['wallet FLAGGED'], 2)]).value).toBe('unwinding');
    const more = [...old, found('ask', ['approval', 'wallet FLAGGED'], 2)];
    const asked = play(dealMachine, input, more);
    expect(asked.value).toBe('awaiting-owner');
    expect(asked.timers.filter((ms) => ms === 60_000)).toHaveLength(2);
    const agreed = play(dealMachine, input, [
      ...more,
      { type: 'DECIDED', side: 'buyer', decision: 'proceed' },
      { type: 'OUTDATED' },
      found('ask', ['wallet FLAGGED'], 3),
    ]);
    expect(agreed.value).toBe('settling');
  });

  it('asks again where it is not told what is asked, and unwinds what could not be determined again', () => {
    const old = [
      both('ask', 'pass'),
      { type: 'DECIDED', side: 'buyer', decision: 'proceed' },
      { type: 'OUTDATED' },
    ] as const;
    expect(play(dealMachine, input, [...old, both('ask', 'pass')]).value).toBe('awaiting-owner');
    const failed = { type: 'EFFECT_FAILED', effect: 'determine', reason: 'chain down' } as const;
    const { value, context } = play(dealMachine, input, [...old, failed]);
    expect([value, context.reason, context.buyer]).toEqual(['unwinding', 'chain down', null]);
  });

  it('unwinds when its determinations are too old time and again', () => {
    const rounds = Array.from({ length: MOST_ROUNDS }, (_, i) => [
      { ...both('pass', 'pass'), round: i + 1 },
      { type: 'OUTDATED' } as const,
    ]).flat();
    expect(play(dealMachine, input, rounds.slice(0, -2)).value).toBe('determining');
    expect(play(dealMachine, input, rounds).context.reason).toContain('too old each time');
    expect(play(dealMachine, input, rounds).value).toBe('unwinding');
  });

  it('unwinds when the owner stops it, or does not decide in time', () => {
    const asked = [said('buyer', 'ask'), said('seller', 'pass')];
    expect(
      play(dealMachine, input, [...asked, { type: 'DECIDED', side: 'buyer', decision: 'stop' }]).value,
    ).toBe('unwinding');
    const late = { type: 'xstate.after.decision.deal.awaiting-owner' } as never;
    expect(play(dealMachine, input, [...asked, late]).context.reason).toBe(
      'the owner did not decide in time',
    );
  });

  it('keeps the lot for less long where the buyer is asked only about what was known before', () => {
    const found = (buyer: 'pass' | 'ask', seller: 'pass' | 'ask', asked: readonly string[]) =>
      ({ ...both(buyer, seller), asked: { buyer: asked, seller: ['approval'] } }) as const;
    const soon = { type: 'xstate.after.approval.deal.awaiting-owner' } as never;
    const atApproval = (...events: Parameters<typeof play<typeof dealMachine>>[2]) =>
      play(dealMachine, input, [...events, soon]).value;
    const known = ['approval', 'price-intelligence INCONCLUSIVE', 'mandate-compliance FLAGGED'];
    expect(play(dealMachine, input, [found('ask', 'pass', known)]).timers).toContain(9_000);
    expect(atApproval(found('ask', 'pass', known))).toBe('unwinding');
    // Once the buyer has agreed, the seller's owner has the whole time; so has who finds something about the other.
    const agreed = { type: 'DECIDED', side: 'buyer', decision: 'proceed' } as const;
    expect(atApproval(found('ask', 'ask', known), agreed)).toBe('awaiting-owner');
    expect(atApproval(found('pass', 'ask', []))).toBe('awaiting-owner');
    expect(atApproval(found('ask', 'pass', ['approval', 'wallet FLAGGED']))).toBe('awaiting-owner');
    expect(atApproval(both('ask', 'pass'))).toBe('awaiting-owner');
  });

  it('never settles after a determination that could not be made', () => {
    const played = play(dealMachine, input, [
      said('buyer', 'pass'),
      { type: 'EFFECT_FAILED', effect: 'determine', reason: 'chain down' },
      said('seller', 'pass'),
    ]);
    expect(played.effects).toEqual(['determine', 'unwind']);
  });

  it.each([[[]], [[{ type: 'RECORDED' }]]] as const)(
    'follows a reorg, after a settlement and %o',
    (before) => {
      const deal = [
        said('buyer', 'pass'),
        said('seller', 'pass'),
        { type: 'SETTLED', tx: '0x1', block: '7' } as const,
        ...before,
      ];
      const moved = play(dealMachine, input, [...deal, { type: 'MOVED', tx: '0x2', block: '8' }]);
      expect(moved.context).toMatchObject({ tx: '0x2', block: '8' });
      const gone = [...deal, { type: 'TAKEN_BACK', reason: 'refused' } as const];
      const taken = play(dealMachine, input, gone);
      expect([taken.value, taken.status]).toEqual(['failed', 'done']);
      expect(taken.context).toMatchObject({ tx: null, block: null, reason: 'refused' });
      // Its record, if it was still to be made, changes nothing more.
      expect(play(dealMachine, input, [...gone, { type: 'RECORDED' }]).value).toBe('failed');
      expect(moved.effects).toEqual(taken.effects);
    },
  );

  it('records a settled deal', () => {
    const played = play(dealMachine, input, [
      said('buyer', 'pass'),
      said('seller', 'pass'),
      { type: 'SETTLED', tx: '0x1' },
      { type: 'RECORDED' },
    ]);
    expect(played.effects).toEqual(['determine', 'settle', 'record-deal']);
    expect(played.value).toBe('recorded');
    expect(played.context.tx).toBe('0x1');
  });
});
