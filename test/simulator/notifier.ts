import { LANES, type Lane } from '../../runtime/durable/jobs/effect.ts';
import type { WakeQueue } from '../../runtime/durable/queue/bullmq.ts';
import { type LocalLane, localLane } from '../../runtime/durable/queue/local-lane.ts';
import type { Concurrency, Waker } from '../../runtime/durable/queue/notifier.ts';
import type { Process, World } from './world.ts';

type LaneName = 'mailboxes' | Lane;

interface Answering {
  readonly process: Process;
  answer(name: LaneName, id: string): void;
}

/** The queue between the processes: it may lose wake-ups, deliver them twice or late, or in another order. */
export class SimulatedQueue {
  readonly #world: World;
  readonly #answering = new Set<Answering>();
  /** The share of wake-ups that are lost; the same share is delivered twice. */
  faulty: number;

  constructor(world: World, faulty: number) {
    this.#world = world;
    this.faulty = faulty;
  }

  /** The notifier of one process. A process with room takes its own wake-ups at once, as over BullMQ. */
  notifier(process: Process): WakeQueue {
    const world = this.#world;
    const lanes = new Map<LaneName, LocalLane>();
    const wake = (name: LaneName, id: string, delayMs: number): void => {
      if (delayMs <= 0 && world.random.chance(0.6) && lanes.get(name)?.take(id)) return;
      this.#add(name, id, delayMs);
    };
    return {
      actor: (id) => wake('mailboxes', id, 0),
      effect: (key, lane, delayMs = 0) => wake(lane, key, delayMs),
      room: (lane) => lanes.get(lane)?.room() ?? 0,
      begin: (key, lane) => lanes.get(lane)?.take(key, true) ?? false,
      overdue: (actors, effects) => {
        for (const id of actors) wake('mailboxes', id, 0);
        for (const { key, lane } of effects) wake(lane, key, 0);
      },
      waiting: async () => 0,
      answer: async (waker: Waker, concurrency: Concurrency) => {
        for (const name of ['mailboxes', ...LANES] as const) {
          const work = name === 'mailboxes' ? waker.actor : waker.effect;
          lanes.set(
            name,
            localLane(
              work,
              { parallel: concurrency[name], waiting: name === 'mailboxes' ? 256 : 0 },
              () => {},
            ),
          );
        }
        this.#answering.add({
          process,
          answer: (name, id) =>
            void (name === 'mailboxes' ? waker.actor(id) : waker.effect(id, () => {})).catch(() => {}),
        });
      },
      close: async () => {},
    };
  }

  #add(name: LaneName, id: string, delayMs: number): void {
    const world = this.#world;
    if (world.random.chance(this.faulty)) return;
    const times = world.random.chance(this.faulty) ? 2 : 1;
    for (let i = 0; i < times; i++) {
      const late = world.random.chance(this.faulty) ? world.random.below(20_000) : world.random.below(20);
      world.timer(QUEUE, () => this.#deliver(name, id), delayMs + late);
    }
  }

  #deliver(name: LaneName, id: string): void {
    for (const a of this.#answering) if (!a.process.alive) this.#answering.delete(a);
    const awake = [...this.#answering].filter((a) => a.process.frozenUntil <= this.#world.now);
    if (awake.length === 0) return;
    const { process, answer } = this.#world.random.pick(awake);
    this.#world.current = process;
    answer(name, id);
  }
}

const QUEUE: Process = { name: 'queue', skewMs: 0, alive: true, frozenUntil: 0 };
