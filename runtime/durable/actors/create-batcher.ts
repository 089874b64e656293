/** How many batches may run at the same time, and how many items one may have. */
export interface BatchLimits {
  readonly parallel: number;
  readonly most: number;
  /** How long a call that nobody waits for may be delayed until others join it, milliseconds. */
  readonly lingerMs?: number;
}

/**
 * Joins calls into batches: all that is asked for in one tick, or while earlier batches run, goes in one batch.
 * Without load a call waits for nobody. Under load the calls share the price of a round trip and a commit.
 * @param batch answers every item at its index; when it throws, every call of the batch throws the same
 */
export function createBatcher<Item, Answer>(
  batch: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { parallel, most, lingerMs = 0 }: BatchLimits,
): (item: Item) => Promise<Answer> {
  interface Call {
    readonly item: Item;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Call[] = [];
  let underWay = 0;
  let planned = false;

  const go = async (calls: readonly Call[]): Promise<void> => {
    underWay += 1;
    try {
      const answers = await batch(calls.map((c) => c.item));
      calls.forEach((call, i) => {
        call.resolve(answers[i]!);
      });
    } catch (error) {
      for (const call of calls) call.reject(error);
    } finally {
      underWay -= 1;
      plan();
    }
  };
  const plan = (): void => {
    if (planned || waiting.length === 0 || underWay >= parallel) return;
    planned = true;
    const start = (): void => {
      planned = false;
      while (waiting.length > 0 && underWay < parallel) void go(waiting.splice(0, most));
    };
    if (lingerMs > 0 && waiting.length < most) setTimeout(start, lingerMs);
    else setImmediate(start);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      plan();
    });
}
