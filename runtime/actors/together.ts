/** How many items go at once, and how many such lots may be under way. */
export interface Lots {
  readonly parallel: number;
  readonly most: number;
  /** How long a call for which nobody waits may stand until others join it. */
  readonly lingerMs?: number;
}

/**
 * Lets calls go together: whatever is asked for in one tick, or while earlier lots are under way, goes in one lot.
 * Under no load a call waits for nobody; under load the price of a round trip and a commit is shared.
 * @param lot answers every item at its place; when it throws, every call of the lot does
 */
export function together<Item, Answer>(
  lot: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { parallel, most, lingerMs = 0 }: Lots,
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
      const answers = await lot(calls.map((c) => c.item));
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
