import type { Block, SimulatedChain } from './chain.ts';
import type { World } from './world.ts';

/** The longest that a node is behind at a time. */
export const MOST_BEHIND_MS = 20_000;

/**
 * The node that one process asks. It may fall behind for a while, as one of several behind a balancer does: what it
 * answers then is all of one older head, and later blocks it does not have.
 */
export class SimulatedNode {
  readonly #chain: SimulatedChain;
  readonly #world: World;
  #standsAt = 0;
  #until = 0;

  constructor(world: World, chain: SimulatedChain) {
    this.#world = world;
    this.#chain = chain;
  }

  /** Hears of no more blocks for as long. */
  fallBehind(ms: number): void {
    this.#standsAt = this.#chain.head.number;
    this.#until = this.#world.now + ms;
  }

  catchUp(): void {
    this.#until = 0;
  }

  get isBehind(): boolean {
    return this.head !== this.#chain.head;
  }

  get head(): Block {
    const { blocks, head } = this.#chain;
    if (this.#until <= this.#world.now) return head;
    // Blocks that were taken back it has not kept, either.
    return blocks[this.#standsAt] ?? head;
  }

  block(number: number): Block | undefined {
    return number <= this.head.number ? this.#chain.blocks[number] : undefined;
  }
}
