import type { Block, SimulatedChain } from './chain.ts';
import type { World } from './world.ts';

/** The longest time for which a node lags. */
export const MOST_BEHIND_MS = 20_000;

/**
 * The node that one process asks. It may lag for a while, like one of several behind a load balancer: all its answers
 * are then from one older head, and it does not have later blocks. Or it lies for a while, in favour of whoever trades:
 * accounts are rich, caps unspent, deals not settled, and logs not there.
 */
export class SimulatedNode {
  readonly #chain: SimulatedChain;
  readonly #world: World;
  #standsAt = 0;
  #until = 0;
  #liesUntil = 0;

  constructor(world: World, chain: SimulatedChain) {
    this.#world = world;
    this.#chain = chain;
  }

  /** Receives no more blocks for this long. */
  fallBehind(ms: number): void {
    this.#standsAt = this.#chain.head.number;
    this.#until = this.#world.now + ms;
  }

  catchUp(): void {
    this.#until = 0;
    this.#liesUntil = 0;
  }

  /** Says for this long what is not so. */
  lie(ms: number): void {
    this.#liesUntil = this.#world.now + ms;
  }

  get isLying(): boolean {
    return this.#liesUntil > this.#world.now;
  }

  get isBehind(): boolean {
    return this.head !== this.#chain.head;
  }

  get head(): Block {
    const { blocks, head } = this.#chain;
    if (this.#until <= this.#world.now) return head;
    // It does not have blocks that a reorg removed, either.
    return blocks[this.#standsAt] ?? head;
  }

  block(number: number): Block | undefined {
    return number <= this.head.number ? this.#chain.blocks[number] : undefined;
  }
}
