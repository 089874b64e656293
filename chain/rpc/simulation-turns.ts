import { type ChainReader, ReaderError } from './reader.ts';

/** What one node simulates at a time, in gas: what one question asks of both readers, and some. */
const MOST_GAS = 48_000_000n;
/** Less than a seat has for a chain. */
const PATIENCE_MS = 5_000;

export interface SimulationTurns {
  /** Begins at once where there is room. @throws ReaderError slow when others leave none, and what `run` throws */
  take<T>(gas: bigint, run: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly gas: bigint;
  readonly begin: () => void;
}

/**
 * Bounds what a node simulates at a time: it executes what strangers ask about, and payments and deals go through the same
 * node. What takes more than all runs by itself.
 */
export function simulationTurns(mostGas = MOST_GAS, patienceMs = PATIENCE_MS): SimulationTurns {
  let underWay = 0n;
  let waiting: Waiting[] = [];
  const hasRoom = (gas: bigint) => underWay === 0n || underWay + gas <= mostGas;
  const next = () => {
    while (waiting.length > 0 && hasRoom(waiting[0]!.gas)) {
      const { gas, begin } = waiting.shift()!;
      underWay += gas;
      begin();
    }
  };
  const turn = (gas: bigint) =>
    new Promise<void>((begin, fail) => {
      const one: Waiting = {
        gas,
        begin: () => {
          clearTimeout(timer);
          begin();
        },
      };
      const timer = setTimeout(() => {
        waiting = waiting.filter((other) => other !== one);
        fail(new ReaderError('slow', 'the node is busy with other simulations', { lasting: true }));
        next();
      }, patienceMs);
      waiting.push(one);
    });
  return {
    async take(gas, run) {
      if (waiting.length === 0 && hasRoom(gas)) underWay += gas;
      else await turn(gas);
      try {
        return await run();
      } finally {
        underWay -= gas;
        next();
      }
    },
  };
}

/** The reader, whose simulations wait for their turn. @param turns of its node, shared by all its readers */
export function inTurns(reader: ChainReader, turns: SimulationTurns): ChainReader {
  return {
    ...reader,
    simulate: (query) => {
      const gas = query.calls.reduce((sum, call) => sum + call.gas, 0n);
      return turns.take(gas, () => reader.simulate(query));
    },
  };
}
