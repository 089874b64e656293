import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { findAgent } from '../../store/agent/agents.ts';
import type { Database } from '../../store/database.ts';
import { countCancelled, ordersOnHand, withdrawOrders } from '../../store/market/withdrawals.ts';
import { readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { agentActor } from '../machines.ts';
import { withOperatorAct } from './operator-act.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `agent suspend|reinstate`: for the operator. They write to the database, so the service need not run. */
export function addSuspension(agent: Command, env: Env): void {
  const verb = (name: 'suspend' | 'reinstate', description: string, example: string): void => {
    agent
      .command(`${name} <handle>`)
      .description(description)
      .requiredOption('--reason <text>', 'why, kept with what the agent was told')
      .addHelpText(
        'after',
        `\nExample:\n  npm run -s handshake -- agent ${name} harbour-desk --reason "${example}"`,
      )
      .action(async (handle: string, { reason }: { reason: string }) => {
        if (reason.trim() === '') throw new StartError('--reason: say why.');
        const act = name === 'suspend' ? suspend : reinstate;
        const logged = { act: `agent ${name}`, subject: handle, detail: { reason } };
        const done = await withOperatorAct(readConfig(env), logged, (db) => act(db, handle, reason));
        console.log(JSON.stringify(done));
      });
  };
  verb(
    'suspend',
    'Stop an agent: nothing of it stays on the book from here on, whatever its owner signs. Deals under way go on; what stands in an auction stays until its end, and buys or sells nothing then.',
    'complaint 4711',
  );
  verb(
    'reinstate',
    'Lift a suspension by the operator; what else holds the agent stays.',
    'complaint settled',
  );
}

async function suspend(db: Database, handle: string, reason: string) {
  const onHand = await tell(db, handle, reason, 'SUSPEND');
  // Withdraws the orders now instead of waiting until the actor serves its mailbox; a service that runs may be quicker.
  await withdrawOrders(db, handle, new Date());
  return { handle, suspended: true, reason, withdrawn: await countCancelled(db, onHand) };
}

async function reinstate(db: Database, handle: string, reason: string) {
  await tell(db, handle, reason, 'REINSTATE');
  return { handle, suspended: false, reason };
}

/**
 * Applies the event at once. What the agent does because of it is found by the sweep of a running service, or by a
 * stopped one when it starts.
 * @returns the orders that the agent had then
 * @throws StartError when there is no such agent
 */
async function tell(
  db: Database,
  handle: string,
  reason: string,
  type: 'SUSPEND' | 'REINSTATE',
): Promise<string[]> {
  const agent = await findAgent(db, handle);
  if (!agent) throw new StartError(`There is no agent "${handle}".`);
  if (agent.status === 'retired')
    throw new StartError(
      `"${handle}" is retired: there is nothing to ${type === 'SUSPEND' ? 'suspend' : 'reinstate'}.`,
    );
  if (type === 'REINSTATE' && !agent.suspension_reasons.includes('operator'))
    throw new StartError(`"${handle}" is not suspended by the operator.`);
  const now = new Date();
  return await db.transaction().execute(async (trx) => {
    const eventId = `operator:${randomUUID()}`;
    const event = { type, by: 'operator', reason };
    await applyEvent(trx, agentActor, { key: handle, eventId, event, now });
    return await ordersOnHand(trx, handle);
  });
}
