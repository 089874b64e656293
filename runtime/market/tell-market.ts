import type { Trx } from '../../store/database.ts';
import { forgetChanges, takeChanges, untoldChanges } from '../../store/market/market-changes.ts';
import { deliverAll } from '../durable/actors/mailbox.ts';
import { eachIsolated, type Item } from '../durable/isolation/each-isolated.ts';
import type { Services } from '../services.ts';
import { concernedBy } from './concerned.ts';

/** How many changes are told in one round. */
const MOST = 500;

interface Told {
  /** The number of the newest of the changes. */
  readonly upTo: string;
  /** The lots that concern the agent; null: all. */
  readonly lots: readonly string[] | null;
}

/**
 * Tells agents what concerns them in the market, so that they evaluate it at once: `concernedBy` says whom. Changes are
 * forgotten in the transaction that tells it, so that a process which ends between them loses nothing. An agent that
 * cannot be told does not prevent the others from being told. Where agents do nothing by themselves, changes are forgotten.
 * @returns how many were told
 */
export async function tellMarket(services: Services): Promise<number> {
  const { db, quarantine } = services;
  const acts = services.config.watchSeconds > 0;
  const told = await (acts
    ? db.transaction().execute((trx) => tellAll(services, trx))
    : takeChanges(db, MOST).then(() => [])
  ).catch(() => null);
  if (told !== null) {
    for (const id of told) services.notifier.actor(`agent:${id}`);
    const again = await eachIsolated(quarantine, 'market-changes', [], (item: Item<Told>) =>
      tell(services, later(item)),
    );
    return told.length + again.done.length;
  }
  // Tells each in a transaction of its own, to find out which one causes the failure.
  const changes = await untoldChanges(db, MOST);
  const upTo = String(changes.at(-1)?.seq);
  const concerned = await concernedBy(db, changes);
  const items = [...concerned].map(([id, lots]): Item<Told> => ({ id, context: { upTo, lots } }));
  const { done } = await eachIsolated(quarantine, 'market-changes', items, (item) =>
    tell(services, items.some((fresh) => fresh === item) ? item : later(item)),
  );
  await forgetChanges(db, changes);
  return done.length;
}

/** @returns whom it told */
async function tellAll(services: Services, trx: Trx): Promise<readonly string[]> {
  const changes = await takeChanges(trx, MOST);
  const upTo = String(changes.at(-1)?.seq);
  const concerned = [...(await concernedBy(trx, changes))];
  await deliverAll(
    trx,
    concerned.map(([id, lots]) => message(services, { id, context: { upTo, lots } })),
    services.now(),
  );
  return concerned.map(([id]) => id);
}

/** @throws any error of the database; then it was not told */
async function tell(services: Services, item: Item<Told>): Promise<void> {
  await services.db
    .transaction()
    .execute((trx) => deliverAll(trx, [message(services, item)], services.now()));
  services.notifier.actor(`agent:${item.id}`);
}

/** Whoever could not be told before is told of all lots: more may have changed meanwhile. */
function later({ id, context }: Item<Told>): Item<Told> {
  return { id, context: { upTo: context?.upTo ?? '', lots: null } };
}

function message({ config }: Services, { id, context }: Item<Told>) {
  const { upTo, lots = null } = context ?? {};
  return {
    actorId: `agent:${id}`,
    eventId: `market:${upTo}`,
    event: { type: 'MARKET', lots, watchEveryMs: config.watchSeconds * 1000 },
  };
}
