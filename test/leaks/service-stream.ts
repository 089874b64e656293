import type { Listening, StreamEvent } from '../fixtures/servers/event-stream.ts';

/** @param json renders the data of an event for the comparison */
export function toldOver(
  stream: Listening,
  json: (data: unknown) => string,
): { events(): string; ways(): string } {
  const filed = new Map<string, string[]>();
  let lastId = 0n;
  const frame = ({ event, data }: StreamEvent): string => `event: ${event}\n${json(data)}`;
  return {
    /** The events since the last time, in their order; those about a record's way to the chain are kept for the end. */
    events() {
      const since = stream.heard.splice(0);
      for (const { id } of since) {
        // A missing number would reveal that something was left out.
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
    /**
     * The events about records on their way to the chain, record by record, because both sides of a deal file at the
     * same time.
     */
    ways() {
      const told = [...filed.values()].map((frames) => frames.join('\n')).sort();
      filed.clear();
      return told.join('\n');
    },
  };
}
