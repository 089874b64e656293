import type { Lane } from '../../runtime/durable/jobs/effect.ts';
import type { WakeQueue } from '../../runtime/durable/queue/bullmq.ts';
import { type LocalLane, localLane } from '../../runtime/durable/queue/local-lane.ts';
import type { Waker } from '../../runtime/durable/queue/notifier.ts';
import type { Process, World } from './world.ts';

/** What waits for whom: an actor's mail, or something in a lane. */
type WakeUp = { readonly actor: string } | { readonly lane: Lane };

interface Answering {
  readonly process: Process;
  readonly waker: Waker;
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
    let mailboxes: LocalLane | null = null;
    let lanes: Waker['lanes'] = new Map();
    const actor = (id: string): void => {
      if (!(world.random.chance(0.6) && mailboxes?.take(id))) this.#add({ actor: id }, 0);
    };
    return {
      actor,
      jobs: (lane, delayMs = 0) => {
        if (delayMs <= 0 && world.random.chance(0.6)) lanes.get(lane)?.wake();
        else this.#add({ lane }, delayMs);
      },
      room: (lane) => lanes.get(lane)?.room() ?? 0,
      alone: () => {},
      overdue: (actors) => actors.forEach(actor),
      waiting: async () => 0,
      answer: async (waker, parallel) => {
        lanes = waker.lanes;
        mailboxes = localLane(waker.actor, { parallel, waiting: 256 }, () => {});
        this.#answering.add({ process, waker });
      },
      close: async () => {},
    };
  }

  #add(wakeUp: WakeUp, delayMs: number): void {
    const world = this.#world;
    if (world.random.chance(this.faulty)) return;
    const times = world.random.chance(this.faulty) ? 2 : 1;
    for (let i = 0; i < times; i++) {
      const late = world.random.chance(this.faulty) ? world.random.below(20_000) : world.random.below(20);
      world.timer(QUEUE, () => this.#deliver(wakeUp), delayMs + late);
    }
  }

  #deliver(wakeUp: WakeUp): void {
    for (const a of this.#answering) if (!a.process.alive) this.#answering.delete(a);
    const awake = [...this.#answering].filter((a) => a.process.frozenUntil <= this.#world.now);
    if (awake.length === 0) return;
    const { process, waker } = this.#world.random.pick(awake);
    this.#world.current = process;
    if ('lane' in wakeUp) waker.lanes.get(wakeUp.lane)?.wake();
    else void waker.actor(wakeUp.actor).catch(() => {});
  }
}

const QUEUE: Process = { name: 'queue', skewMs: 0, alive: true, frozenUntil: 0 };
