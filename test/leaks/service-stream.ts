import type { Listening, StreamEvent } from '../fixtures/servers/event-stream.ts';

/** @param json reads what an event tells as it is compared */
export function toldOver(
  stream: Listening,
  json: (data: unknown) => string,
): { events(): string; ways(): string } {
  const filed = new Map<string, string[]>();
  let lastId = 0n;
  const frame = ({ event, data }: StreamEvent): string => `event: ${event}\n${json(data)}`;
  return {
    /** What came since, in its order; what tells of a record's way to the chain is kept for the end. */
    events() {
      const since = stream.heard.splice(0);
      for (const { id } of since) {
        // A number left out would tell of something that was not told.
        if (lastId !== 0n && BigInt(id) !== lastId + 1n) throw new Error(`event ${id} came after ${lastId}`);
        lastId = BigInt(id);
      }
      for (const one of since.filter((e) => e.event === 'activity')) {
        const of = `${one.data.handle} ${one.data.recordId}`;
        filed.set(of, [...(filed.get(of) ?? []), frame(one)]);
      }
      return since
        .filter((e) => e.event !== 'activity')
        .map(frame)
        .join('\n');
    },
    /** The ways of records to the chain since the last time, record by record: two sides of a deal file at once. */
    ways() {
      const told = [...filed.values()].map((frames) => frames.join('\n')).sort();
      filed.clear();
      return told.join('\n');
    },
  };
}
