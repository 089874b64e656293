import { dealRecordId } from '../../runtime/records/record-id.ts';
import { packedByWhich, unpackRecord } from '../../store/records/packed-columns.ts';
import type { MemoryServer } from './memory/memory-database.ts';
import type { Change, Row } from './memory/rows.ts';

/** Finds the committed row of a table where a column has a value; throws when there is none. */
type FindRow = (table: string, column: string, value: unknown) => Row;

/**
 * The rule that two owners whose deal was stopped match over its lot again only for something new. Lists, pledges and
 * settings do not change within a history, and it ends before an hour has passed. So only a new order at another price,
 * or a new order under another mandate, can allow the match.
 *
 * What came first is told by the order of commits and not by the times in the rows: those are of processes whose clocks
 * may differ by minutes, so that what was placed after a stop can bear an earlier time, and what was before it a later.
 */
export class StopRules {
  readonly #row: FindRow;
  readonly #server: MemoryServer;
  #commits = 0;
  /** In which commit each order was placed. One that returns to the book keeps its first. */
  readonly #placed = new Map<unknown, number>();
  /** In which commit each match was made, by its deal, and in which its deal was undone. */
  readonly #matched = new Map<unknown, number>();
  readonly #undone = new Map<unknown, number>();
  /** In which commit the mandate of an agent was replaced last. */
  readonly #adopted = new Map<unknown, number>();

  constructor(row: FindRow, server: MemoryServer) {
    this.#row = row;
    this.#server = server;
  }

  /** @returns the broken rule with its detail; null: none */
  commit(changes: readonly Change[]): readonly [string, string] | null {
    const now = ++this.#commits;
    for (const { table, before, after } of changes) {
      if (after === null) continue;
      if (table === 'orders' && before === null)
        this.#placed.set(after.order_id, this.#firstPlaced(after, changes));
      if (table === 'matches' && before === null) this.#matched.set(after.deal_id, now);
      if (table === 'agents' && before !== null && before.mandate_version !== after.mandate_version)
        this.#adopted.set(after.handle, now);
      if (table === 'orders' && after.status === 'unwound' && before?.status !== 'unwound')
        this.#undone.set(after.order_id, now);
    }
    for (const { table, before, after } of changes) {
      const again = table === 'matches' && before === null ? this.#matchedAgain(after!) : null;
      if (again !== null) return ['no pair matches twice on one lot for one unchanged finding', again];
    }
    return null;
  }

  #firstPlaced(order: Row, changes: readonly Change[]): number {
    if (order.placed_at === null) return this.#commits;
    const undone = changes.find(
      ({ table, after }) =>
        table === 'orders' &&
        after?.status === 'unwound' &&
        after.side === order.side &&
        after.listing_ref === order.listing_ref,
    );
    return this.#placed.get(undone?.after?.order_id) ?? 0;
  }

  /** @returns the earlier match that this one repeats; null: none */
  #matchedAgain(match: Row): string | null {
    const [sell, buy] = this.#ordersOf(match);
    for (const before of this.#server.table('matches').rows()) {
      if (before.asset_key !== match.asset_key || before.match_id === match.match_id) continue;
      const stopped = this.#ordersOf(before);
      if (stopped[0].owner !== sell.owner || stopped[1].owner !== buy.owner) continue;
      const deal = this.#row('deals', 'deal_id', before.deal_id);
      if (deal.state !== 'stopped') continue;
      const allowed = this.#isAnotherPrice(match, before) || this.#isAnotherMandate(before);
      if (allowed && this.#isAboutPrice(before.deal_id as string)) continue;
      return `${match.match_id} at ${match.price} after ${before.match_id} at ${before.price}: ${deal.reason}`;
    }
    return null;
  }

  #ordersOf(match: Row): readonly [Row, Row] {
    return [
      this.#row('orders', 'order_id', match.sell_order),
      this.#row('orders', 'order_id', match.buy_order),
    ];
  }

  /** Whether the price has moved, and one of the pair was ordered since the deal was undone. */
  #isAnotherPrice(match: Row, before: Row): boolean {
    const moved = Math.abs(Number(match.price) - Number(before.price)) * 20 >= Number(before.price);
    const undone = this.#undone.get(before.sell_order) ?? Number.POSITIVE_INFINITY;
    return moved && this.#ordersOf(match).some(({ order_id: id }) => this.#placed.get(id)! > undone);
  }

  /**
   * Whether an agent of the deal has had another mandate since it was matched, and one of the two owners has ordered on
   * the lot since then and since the deal was undone.
   */
  #isAnotherMandate(before: Row): boolean {
    const [sell, buy] = this.#ordersOf(before);
    const undone = this.#undone.get(before.sell_order) ?? Number.POSITIVE_INFINITY;
    const adopted = [sell, buy]
      .map(({ handle }) => this.#adopted.get(handle) ?? 0)
      .filter((at) => at > this.#matched.get(before.deal_id)!);
    if (adopted.length === 0) return false;
    const since = Math.max(undone, Math.min(...adopted));
    for (const { committed: order } of this.#server.table('orders').where('asset_key', before.asset_key)) {
      const isTheirs =
        order?.asset_key === before.asset_key && [sell.owner, buy.owner].includes(order?.owner);
      if (isTheirs && this.#placed.get(order?.order_id)! > since) return true;
    }
    return false;
  }

  /** Whether all findings that stopped a deal would not apply at another price. */
  #isAboutPrice(dealId: string): boolean {
    const { snapshot } = this.#row('actors', 'id', `deal:${dealId}`) as {
      snapshot: { context: Record<'buyer' | 'seller', 'pass' | 'ask' | 'stop' | null> & { round: number } };
    };
    const { buyer, seller, round } = snapshot.context;
    const sides = Object.entries({ buyer, seller });
    const stops = sides.filter(([, outcome]) => outcome === 'stop');
    if (stops.length === 0 && sides.some(([, outcome]) => outcome === null)) return false;
    const judged = stops.length > 0 ? stops : sides.filter(([, outcome]) => outcome === 'ask');
    return judged.every(([side]) => {
      const row = this.#row('records', 'record_id', dealRecordId(dealId, side as 'buyer' | 'seller', round));
      const body = row.body as Buffer;
      const other = packedByWhich({ body });
      const packedBy = other === null ? null : (this.#row('records', 'record_id', other).body as Buffer);
      const { record } = unpackRecord(body, packedBy).content as unknown as {
        record: { flagged: string[]; inconclusive: string[] };
      };
      return [...record.flagged, ...record.inconclusive].every((id) => id === 'mandate-compliance');
    });
  }
}
