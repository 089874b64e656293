import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyMachineSnapshot, initialTransition, transition } from 'xstate';
import { agentMachine } from './agent.ts';
import type { AgentContext, AgentEvent } from './agent-context.ts';

const INPUT = { handle: 'ann', mandateEndsInMs: 5_000, watchEveryMs: 700 };

interface Played {
  readonly value: unknown;
  readonly status: string;
  readonly context: AgentContext;
  /** Effects in the order in which they were requested. */
  readonly effects: readonly string[];
  /** The lots of each evaluation; null: the whole market. */
  readonly looks: readonly unknown[];
  /** After which place each evaluation begins. */
  readonly pages: readonly unknown[];
  /** The timers that are set, by id, with their delays. */
  readonly timers: Readonly<Record<string, number>>;
  /** Whether an order or listing of the agent could still be on the book once every effect has run. */
  readonly onBook: boolean;
}

/** Sends events through the pure transition, as mailbox batches do, and keeps what the database would then contain. */
function play(events: readonly AgentEvent[], input: Record<string, unknown> = {}): Played {
  const effects: string[] = [];
  const looks: unknown[] = [];
  const pages: unknown[] = [];
  const timers = new Map<string, number>();
  let onBook = false;
  let [snapshot, actions] = initialTransition(agentMachine, { ...INPUT, ...input } as never) as unknown as [
    AnyMachineSnapshot,
    {
      type: string;
      params?: { id?: string; sendId?: string; delay?: number; lots?: unknown; after?: unknown };
    }[],
  ];
  const take = (): void => {
    for (const { type, params } of actions) {
      if (type === 'xstate.raise') {
        if (params?.delay !== undefined) timers.set(String(params.id), params.delay);
      } else if (type === 'xstate.cancel') timers.delete(String(params?.sendId));
      else {
        effects.push(type);
        if (type === 'evaluate-market') {
          looks.push(params?.lots);
          pages.push(params?.after);
        }
        if (type === 'withdraw-orders') onBook = false;
      }
    }
  };
  take();
  for (const event of events) {
    if (snapshot.status === 'done') break;
    if (event.type === 'WATCH') timers.delete('watch');
    if (event.type === 'GO_ON') timers.delete('next');
    if (event.type === 'MANDATE_END') timers.delete('mandate-end');
    // The store refuses orders and listings of an agent that is not active.
    if ((event.type === 'RESTED' || event.type === 'LISTED') && isActive(snapshot.value)) onBook = true;
    [snapshot, actions] = transition(agentMachine, snapshot as never, event) as unknown as [
      AnyMachineSnapshot,
      typeof actions,
    ];
    take();
  }
  const { value, status, context } = snapshot;
  return { value, status, context, effects, looks, pages, timers: Object.fromEntries(timers), onBook };
}

const isActive = (value: unknown): boolean => JSON.stringify(value).startsWith('{"active"');
const doing = (events: readonly AgentEvent[]): unknown => play(events).value;

const evaluated: AgentEvent = { type: 'SURVEYED' };
const matched = (dealId: string): AgentEvent => ({ type: 'MATCHED', dealId });
const closedDeal = (dealId: string): AgentEvent => ({ type: 'DEAL_CLOSED', dealId });
const signed = (kind: string): AgentEvent => ({ type: 'SIGNED', actId: 'act_1', kind });
const mandate = (epoch = 1): AgentEvent => ({ type: 'MANDATE_SET', epoch, endsInMs: 9_000 });

describe('an agent that is active', () => {
  it('evaluates the market at once, and again some time after each evaluation', () => {
    const born = play([]);
    expect([born.value, born.effects]).toEqual([{ active: 'watching' }, ['evaluate-market']]);
    expect(born.timers).toEqual({ 'mandate-end': 5_000 });
    const looked = play([evaluated]);
    expect(looked.timers).toEqual({ 'mandate-end': 5_000, watch: 700 });
    expect(play([evaluated, { type: 'WATCH' }]).effects).toEqual(['evaluate-market', 'evaluate-market']);
  });

  it('evaluates when the market moves, one evaluation at a time, and once more for everything that moved meanwhile', () => {
    const moves: AgentEvent[] = [{ type: 'MARKET' }, { type: 'MARKET' }, { type: 'MARKET' }];
    expect(play(moves).effects).toEqual(['evaluate-market']);
    expect(play([...moves, evaluated]).effects).toEqual(['evaluate-market', 'evaluate-market']);
    const quiet = play([...moves, evaluated, evaluated]);
    expect([quiet.effects.length, quiet.timers.watch]).toEqual([2, 700]);
    expect(play([evaluated, { type: 'MARKET' }]).timers).toEqual({ 'mandate-end': 5_000 });
  });

  it('evaluates only the lots that it is told of, and the timer of the whole market stays', () => {
    const told = (...lots: string[]): AgentEvent => ({ type: 'MARKET', lots });
    const one = play([evaluated, told('a')]);
    expect([one.looks, one.timers.watch]).toEqual([[null, ['a']], 700]);
    const two = play([evaluated, told('a'), told('b'), told('c', 'b'), evaluated]);
    expect([two.looks, two.timers.watch]).toEqual([[null, ['a'], ['b', 'c']], 700]);
    const all = play([evaluated, told('a'), told('b'), { type: 'WATCH' }, evaluated]);
    expect([all.looks, all.timers.watch]).toEqual([[null, ['a'], null], undefined]);
    const many = told(...Array.from({ length: 21 }, (_, i) => `lot ${i}`));
    expect(play([evaluated, many]).looks).toEqual([null, null]);
  });

  it('evaluates again soon what it could not do, and after an evaluation that failed', () => {
    const failed: AgentEvent = { type: 'EFFECT_FAILED', effect: 'evaluate-market', reason: 'no chain' };
    expect(play([failed]).timers).toMatchObject({ watch: 700, soon: 60_000 });
    expect(play([{ type: 'SURVEYED', againInMs: 2_000 }]).timers).toMatchObject({ watch: 700, soon: 2_000 });
    expect(play([{ type: 'SURVEYED', againInMs: 2_000 }, { type: 'PAUSE' }]).timers.soon).toBeUndefined();
    expect(play([{ type: 'SURVEYED', againInMs: 2_000 }, { type: 'MARKET' }]).timers.soon).toBeUndefined();
  });

  it('evaluates the whole market page by page, and waits for the next time once it is through', () => {
    const page = (next: string | null): AgentEvent => ({ type: 'SURVEYED', next });
    const goOn: AgentEvent = { type: 'GO_ON' };
    const told = (...lots: string[]): AgentEvent => ({ type: 'MARKET', lots });
    const first = play([page('p1')]);
    expect([first.looks, first.timers.next, first.timers.watch]).toEqual([[null], 2_000, undefined]);
    const second = play([page('p1'), goOn]);
    expect([second.pages, second.timers.next]).toEqual([[null, 'p1'], 600_000]);
    const through = play([page('p1'), goOn, page('p2'), goOn, page(null)]);
    expect([through.pages, through.timers.next, through.timers.watch]).toEqual([
      [null, 'p1', 'p2'],
      undefined,
      700,
    ]);
    // What it is told of comes between, and the page after it.
    const between = play([page('p1'), told('a'), goOn, evaluated, goOn]);
    expect([between.looks, between.pages]).toEqual([
      [null, ['a'], null],
      [null, null, 'p1'],
    ]);
    expect(play([page('p1'), told('a'), goOn]).timers.next).toBe(2_000);
    // More changes than it is told by name do not begin it anew; what is its own does.
    const many = told(...Array.from({ length: 21 }, (_, i) => `lot ${i}`));
    for (const change of [many, { type: 'MARKET' } as const]) {
      const newest = play([page('p1'), change, evaluated]);
      expect([newest.context.cursor, newest.timers.next]).toEqual(['p1', 2_000]);
    }
    const anew = play([page('p1'), closedDeal('d')]);
    expect([anew.pages, anew.context.cursor, anew.timers.next]).toEqual([[null, null], null, undefined]);
    for (const stop of [{ type: 'PAUSE' }, { type: 'RETIRE' }] as const)
      expect(play([page('p1'), stop, goOn])).toMatchObject({ looks: [null], timers: {} });
    const off = play([page('p1'), { type: 'MARKET', lots: [], watchEveryMs: 0 }, goOn]);
    expect([off.looks, off.context.cursor]).toEqual([[null], null]);
  });

  it('reads a page of the whole market again that it could not read, and begins nothing anew for it', () => {
    const page = (next: string | null): AgentEvent => ({ type: 'SURVEYED', next });
    const goOn: AgentEvent = { type: 'GO_ON' };
    const unread: AgentEvent = { type: 'SURVEYED', unread: true, againInMs: null };
    const waits = play([page('p1'), goOn, unread]);
    expect([waits.context.cursor, waits.timers]).toEqual(['p1', { 'mandate-end': 5_000, next: 60_000 }]);
    const through = play([page('p1'), goOn, unread, goOn, page('p2'), goOn, page(null)]);
    expect([through.pages, through.timers.soon, through.timers.watch]).toEqual([
      [null, 'p1', 'p1', 'p2'],
      undefined,
      700,
    ]);
    // Before the first page is read there is nothing to go on with.
    const first = play([{ ...unread, againInMs: 60_000 }]);
    expect([first.timers.next, first.timers.soon, first.timers.watch]).toEqual([undefined, 60_000, 700]);
  });

  it('begins the whole market anew for what a page could not do only after the last page', () => {
    const page = (next: string | null, againInMs: number | null = null): AgentEvent => ({
      ...{ type: 'SURVEYED', next, againInMs },
    });
    const goOn: AgentEvent = { type: 'GO_ON' };
    const under = play([page('p1', 60_000), goOn, page('p2', 600_000)]);
    expect([under.context.cursor, under.timers.soon, under.timers.next]).toEqual(['p2', undefined, 2_000]);
    // Of a lot that it is told of in between, too.
    const told: AgentEvent[] = [
      { type: 'MARKET', lots: ['a'] },
      { type: 'SURVEYED', againInMs: 2_000 },
    ];
    expect(play([page('p1'), ...told]).timers.soon).toBeUndefined();
    const through = play([page('p1', 60_000), goOn, page('p2', 600_000), goOn, page(null)]);
    expect([through.pages, through.timers.soon, through.timers.watch]).toEqual([
      [null, 'p1', 'p2'],
      60_000,
      700,
    ]);
    expect(play([page('p1'), ...told, goOn, page(null, 60_000)]).timers.soon).toBe(2_000);
    // Once it was begun anew, it has nothing more to make up for.
    const anew = play([page('p1', 60_000), closedDeal('d'), page(null)]);
    expect([anew.pages, anew.timers.soon]).toEqual([[null, null], undefined]);
    const again = play([page('p1', 60_000), goOn, page(null), { type: 'WATCH' }, page(null)]);
    expect([again.context.soon, again.timers.soon]).toEqual([null, undefined]);
    const paused = play([page('p1', 60_000), { type: 'PAUSE' }, { type: 'RESUME' }, page(null)]);
    expect(paused.timers.soon).toBeUndefined();
  });

  it('goes by the time between two evaluations that it was told last; at none it does nothing by itself', () => {
    const told = play([{ type: 'SURVEYED', watchEveryMs: 90 }]);
    expect(told.timers.watch).toBe(90);
    const none = play([{ type: 'SURVEYED', watchEveryMs: 0 }, { type: 'WATCH' }]);
    expect([none.effects.length, none.timers.watch]).toEqual([1, undefined]);
    const born = play([{ type: 'MARKET', lots: ['a'], watchEveryMs: 80 }, evaluated], { watchEveryMs: 0 });
    expect([born.looks, born.timers.watch]).toEqual([[['a']], 80]);
  });

  it('needs no timer except for its mandate when it does not watch the market', () => {
    const played = play([{ type: 'MARKET' }, { type: 'WATCH' }, evaluated], { watches: false });
    expect([played.effects, played.timers]).toEqual([[], { 'mandate-end': 5_000 }]);
  });

  it('shows whether it has deals under way, before what it has on the book', () => {
    expect(doing([{ type: 'RESTED', orderId: 'o' }])).toEqual({ active: 'resting' });
    expect(
      doing([
        { type: 'RESTED', orderId: 'o' },
        { type: 'SURVEYED', resting: 0 },
      ]),
    ).toEqual({
      active: 'watching',
    });
    const two = [matched('d1'), matched('d2'), matched('d2')];
    expect(doing(two)).toEqual({ active: 'dealing' });
    expect(play(two).context.deals).toEqual(['d1', 'd2']);
    expect(doing([...two, closedDeal('d2')])).toEqual({ active: 'dealing' });
    expect(doing([...two, closedDeal('d2'), closedDeal('d1')])).toEqual({ active: 'watching' });
    expect(doing([{ type: 'RESTED', orderId: 'o' }, ...two])).toEqual({ active: 'dealing' });
  });

  it('ignores how far a deal has come, which earlier releases told it', () => {
    const told = { type: 'DEAL_AT', dealId: 'd1', stage: 'settling' } as never;
    expect(doing([matched('d1'), told])).toEqual({ active: 'dealing' });
    expect(play([told]).context.deals).toEqual([]);
  });
});

describe('an agent that is stopped', () => {
  it('withdraws its orders, whatever stops it, and evaluates nothing', () => {
    const stops: AgentEvent[] = [
      { type: 'PAUSE' },
      { type: 'PAUSE', by: 'guardian' },
      { type: 'MANDATE_END' },
      { type: 'xstate.after.mandateEnd.agent.active' },
      { type: 'TRANSFERRED', epoch: 2 },
      { type: 'SUSPEND' },
      { type: 'RETIRE' },
    ];
    for (const stop of stops) {
      const played = play([evaluated, { type: 'RESTED', orderId: 'o' }, stop, { type: 'MARKET' }]);
      expect(played.effects, stop.type).toEqual(['evaluate-market', 'withdraw-orders']);
      expect(played.timers.watch, stop.type).toBeUndefined();
    }
  });

  it('becomes active again when the last reason is lifted by whoever set it', () => {
    const held: AgentEvent[] = [{ type: 'PAUSE' }, { type: 'PAUSE', by: 'guardian' }, { type: 'SUSPEND' }];
    expect(doing(held)).toBe('suspended');
    expect(doing([...held, { type: 'RESUME' }])).toBe('suspended');
    expect(doing([...held, { type: 'RESUME' }, { type: 'REINSTATE', by: 'operator' }])).toBe('suspended');
    expect(doing([...held, { type: 'RESUME' }, { type: 'REINSTATE' }])).toBe('paused');
    const free: AgentEvent[] = [
      ...held,
      { type: 'RESUME' },
      { type: 'REINSTATE' },
      { type: 'RESUME', by: ['guardian'] },
    ];
    expect(doing(free)).toEqual({ active: 'watching' });
    expect(play(free).effects.filter((e) => e === 'withdraw-orders')).toHaveLength(1);
  });

  it('becomes active after the end of its mandate only by a new mandate', () => {
    expect(doing([{ type: 'MANDATE_END' }, { type: 'RESUME' }])).toBe('paused');
    const woken = play([{ type: 'MANDATE_END' }, mandate()]);
    expect([woken.value, woken.timers['mandate-end']]).toEqual([{ active: 'watching' }, 9_000]);
  });

  it('serves a new owner only under a mandate of that owner', () => {
    const sold: AgentEvent[] = [{ type: 'PAUSE' }, { type: 'TRANSFERRED', epoch: 2 }];
    expect(doing(sold)).toBe('transferred');
    expect(doing([...sold, { type: 'RESUME' }])).toBe('transferred');
    // The previous owner signed this mandate, and it arrives late.
    expect(doing([...sold, mandate(1)])).toBe('transferred');
    expect(doing([...sold, mandate(2)])).toEqual({ active: 'watching' });
    expect(doing([...sold, mandate(2), { type: 'TRANSFERRED', epoch: 3 }])).toBe('transferred');
  });

  it("requests a record when its owner's beneficial owner changes, and in no other case", () => {
    const ownerChange = {
      owner: '0xa1',
      from: '0xann',
      since: '3',
      to: '0xbob',
      block: '7',
      at: '2026-09-06T12:00:00Z',
    };
    const nested: AgentEvent = { type: 'TRANSFERRED', epoch: 1, ownerChange };
    expect(play([{ type: 'TRANSFERRED', epoch: 2 }]).effects).not.toContain('record-owner');
    expect(play([nested])).toMatchObject({
      value: 'transferred',
      effects: ['evaluate-market', 'withdraw-orders', 'record-owner'],
    });
    expect(play([matched('d1'), { type: 'RETIRE' }, nested]).effects.at(-1)).toBe('record-owner');
  });
});

describe('what an owner has signed', () => {
  it('is relayed once for each act, in any state before the end', () => {
    expect(play([signed('mandate')]).effects).toEqual(['evaluate-market', 'relay-owner-act']);
    expect(play([{ type: 'TRANSFERRED', epoch: 2 }, signed('mandate')]).effects.at(-1)).toBe(
      'relay-owner-act',
    );
  });

  it('keeps an agent from placing orders while its mandate changes, and has its orders reviewed afterwards', () => {
    const changing = play([evaluated, signed('mandate'), { type: 'MARKET' }]);
    expect([changing.value, changing.effects.at(-1)]).toEqual([
      { active: 'mandate-change' },
      'relay-owner-act',
    ]);
    const changed = play([evaluated, signed('mandate'), mandate()]);
    expect(changed.value).toEqual({ active: 'watching' });
    expect(changed.effects).toEqual([
      'evaluate-market',
      'relay-owner-act',
      'review-orders',
      'evaluate-market',
    ]);
    expect(changed.timers['mandate-end']).toBe(9_000);
    const refused = play([evaluated, signed('mandate'), { type: 'ACT_FAILED', actId: 'act_1' }]);
    expect(refused.value).toEqual({ active: 'watching' });
  });
});

describe('an agent that retires', () => {
  const retiring: AgentEvent[] = [
    evaluated,
    matched('d1'),
    { type: 'RETIRE' },
    { type: 'RESUME' },
    mandate(),
  ];
  const ended: AgentEvent = { type: 'KEYS_ENDED' };

  it('ends its keys once its last deal has closed, and ignores everything else', () => {
    expect(doing(retiring)).toEqual({ retiring: 'closing' });
    expect(play([...retiring, signed('retire')]).effects).toEqual(['evaluate-market', 'withdraw-orders']);
    expect(play([...retiring, signed('retire'), closedDeal('d1')])).toMatchObject({
      value: { retiring: 'revoking' },
      effects: ['evaluate-market', 'withdraw-orders', 'relay-owner-act'],
    });
    expect(play([...retiring, closedDeal('d1'), signed('retire')]).effects.at(-1)).toBe('relay-owner-act');
    expect(play([...retiring, signed('retire'), closedDeal('d1'), ended]).status).toBe('done');
  });

  it('ends without a signature when its mandate ends or it gets another owner', () => {
    for (const end of [{ type: 'MANDATE_END' }, { type: 'TRANSFERRED', epoch: 2 }] as AgentEvent[]) {
      expect(doing([...retiring, end])).toEqual({ retiring: 'closing' });
      expect(play([...retiring, end, closedDeal('d1')]).status).toBe('done');
    }
  });

  it('waits for another signature when the chain refused the first', () => {
    const refused: AgentEvent[] = [
      ...retiring,
      closedDeal('d1'),
      signed('retire'),
      { type: 'ACT_FAILED', actId: 'act_1' },
    ];
    expect(doing(refused)).toEqual({ retiring: 'ending' });
    expect(play([...refused, signed('retire')]).effects.filter((e) => e === 'relay-owner-act')).toHaveLength(
      2,
    );
  });
});

describe('whatever happens to an agent', { timeout: 60_000 }, () => {
  const dealId = fc.constantFrom('d1', 'd2', 'd3');
  const holder = fc.constantFrom('owner' as const, 'owner-on-chain' as const, 'guardian' as const);
  const event: fc.Arbitrary<AgentEvent> = fc.oneof(
    fc.constantFrom<AgentEvent>(
      { type: 'LISTED', listingRef: 'l' },
      { type: 'RESTED', orderId: 'o' },
      { type: 'WATCH' },
      { type: 'MARKET' },
      { type: 'SURVEYED' },
      { type: 'SURVEYED', resting: 0 },
      { type: 'MANDATE_END' },
      { type: 'SUSPEND' },
      { type: 'REINSTATE' },
      { type: 'KEYS_ENDED' },
      { type: 'ACT_FAILED', actId: 'act_1' },
      { type: 'EFFECT_FAILED', effect: 'evaluate-market', reason: '' },
      { type: 'EFFECT_FAILED', effect: 'relay-owner-act', reason: '' },
    ),
    { weight: 1, arbitrary: fc.constant<AgentEvent>({ type: 'RETIRE' }) },
    fc.record({ type: fc.constant('MATCHED' as const), dealId }),
    fc.record({ type: fc.constant('DEAL_CLOSED' as const), dealId }),
    fc.record({ type: fc.constant('PAUSE' as const), by: holder }),
    fc.record({ type: fc.constant('RESUME' as const), by: fc.uniqueArray(holder) }),
    fc.record({ type: fc.constant('TRANSFERRED' as const), epoch: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      type: fc.constant('MANDATE_SET' as const),
      epoch: fc.integer({ min: 1, max: 4 }),
      endsInMs: fc.constant(50),
    }),
    fc.record({
      type: fc.constant('SIGNED' as const),
      actId: fc.constant('act_1'),
      kind: fc.constantFrom('mandate', 'pause', 'retire'),
    }),
  );
  const events = fc.array(event, { maxLength: 40 });

  it('has no order on the book and evaluates nothing while it is not active', () => {
    fc.assert(
      fc.property(events, (list) => {
        const { value, onBook, timers, context } = play(list);
        if (isActive(value)) return;
        expect(onBook).toBe(false);
        expect(timers.watch).toBeUndefined();
        expect(context.resting).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('is active exactly while there is no reason to suspend it', () => {
    fc.assert(
      fc.property(events, (list) => {
        const { value, context, status } = play(list);
        if (JSON.stringify(value).startsWith('{"retiring"') || status === 'done') return;
        expect(isActive(value)).toBe(context.suspensionReasons.length === 0);
      }),
      { numRuns: 400 },
    );
  });

  it('never drops an open deal: it knows a matched deal until that has closed', () => {
    fc.assert(
      fc.property(events, (list) => {
        const open = new Set<string>();
        for (const e of list) {
          if (e.type === 'MATCHED') open.add(e.dealId);
          if (e.type === 'DEAL_CLOSED') open.delete(e.dealId);
        }
        const { status, context } = play(list);
        // An agent that has ended had closed all its deals, and ignores every later one.
        if (status === 'done') expect(context.deals).toEqual([]);
        else expect(new Set(context.deals)).toEqual(open);
      }),
      { numRuns: 400 },
    );
  });

  it('always has an evaluation under way or a timer for the next while it is active and watches the market', () => {
    fc.assert(
      fc.property(events, (list) => {
        const { value, context, timers } = play(list);
        if (!isActive(value) || context.changing !== null) return;
        expect(context.evaluating || timers.watch !== undefined).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
