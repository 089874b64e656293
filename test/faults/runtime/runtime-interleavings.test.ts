import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processMailbox } from '../../../runtime/durable/actors/process-mailbox.ts';
import { courierStage, type Stage } from '../../fixtures/actors/courier-stage.ts';

const RUNS = 20;

let stage: Stage;
let runs = 0;
beforeAll(async () => {
  stage = await courierStage();
});
afterAll(() => stage.drop());

type Event = { type: string; [member: string]: unknown };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: fc.nat(99).map((n) => ({ type: 'CARRY', parcel: `p${n}` })) },
  { weight: 1, arbitrary: fc.constant({ type: 'REST', ms: 1_000_000_000 }) },
  { weight: 1, arbitrary: fc.constant({ type: 'WAKE' }) },
  { weight: 1, arbitrary: fc.constant({ type: 'NUDGE' }) },
  { weight: 1, arbitrary: fc.constant({ type: 'PING_INSIDE' }) },
);

/**
 * The next step: an actor's next event arrives, an earlier event arrives again, or batches are processed at the same
 * time.
 */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('next' as const), actor: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('again' as const), actor: fc.nat(1), which: fc.nat() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('batches' as const),
      actor: fc.nat(1),
      workers: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

/** What is visible of an actor, without its name. */
async function seen(id: string) {
  const { value, context, status } = await stage.actor(id);
  const effects = (await stage.effects(id)).map((e) => e.params);
  return { value, context, status, effects };
}

describe('deliveries', () => {
  it('end, in any interleaving, repeated and processed by several workers, in the state that one delivery of each in order gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.array(event, { maxLength: 15 }), fc.array(event, { maxLength: 15 })),
        fc.array(happening, { maxLength: 60 }),
        async (events, history) => {
          const run = runs++;
          const ids = await Promise.all([0, 1].map((n) => stage.spawn(`random ${run} ${n}`)));
          const came = [0, 0];
          const send = (actor: number, n: number) => stage.send(ids[actor]!, `e${n}`, events[actor]![n]!);
          const turning: Promise<unknown>[] = [];
          for (const step of history) {
            const { actor } = step;
            if (step.do === 'batches') {
              for (let i = 0; i < step.workers; i++) turning.push(processMailbox(stage.deps, ids[actor]!));
            } else if (step.do === 'again') {
              if (came[actor]! > 0) expect(await send(actor, step.which % came[actor]!)).toBe(false);
            } else if (came[actor]! < events[actor]!.length) {
              expect(await send(actor, came[actor]!++)).toBe(true);
            }
          }
          await Promise.all(turning);
          for (const actor of [0, 1]) {
            while (came[actor]! < events[actor]!.length) await send(actor, came[actor]!++);
            await stage.settle(ids[actor]!);
            const plain = await stage.spawn(`plain ${run} ${actor}`);
            for (const [n, e] of events[actor]!.entries()) {
              await stage.send(plain, `e${n}`, e);
              await stage.settle(plain);
            }
            expect(await seen(ids[actor]!)).toEqual(await seen(plain));
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
