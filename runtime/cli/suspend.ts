import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Suspender } from '../../agents/agent/agent-context.ts';
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
  const verb = (name: 'suspend' | 'reinstate', description: string, examples: readonly string[]): Command =>
    agent
      .command(`${name} <handle>`)
      .description(description)
      .requiredOption('--reason <text>', 'why, kept with what the agent was told')
      .addHelpText(
        'after',
        `\nExamples:\n${examples.map((e) => `  npm run -s handshake -- agent ${name} harbour-desk ${e}`).join('\n')}`,
      );
  const logged = (name: string, handle: string, detail: Record<string, string>) => ({
    act: `agent ${name}`,
    subject: handle,
    detail,
  });
  verb(
    'suspend',
    'Stop an agent: nothing of it stays on the book from here on, whatever its owner signs. Deals under way go on; what stands in an auction stays until its end, and buys or sells nothing then.',
    ['--reason "complaint 4711"'],
  ).action(async (handle: string, { reason }: { reason: string }) => {
    requireReason(reason);
    const act = logged('suspend', handle, { reason });
    const done = await withOperatorAct(readConfig(env), act, (db) => suspend(db, handle, reason));
    console.log(JSON.stringify(done));
  });
  verb(
    'reinstate',
    'Lift a suspension by the operator, or with --payment the one that came when the money for the agent was taken back; what else holds the agent stays.',
    [
      '--reason "complaint settled"',
      '--payment --reason "it was sold before its first buyer took the money back"',
    ],
  )
    .option('--payment', 'lift the suspension that came when the money for the agent was taken back')
    .action(async (handle: string, { reason, payment = false }: { reason: string; payment?: boolean }) => {
      requireReason(reason);
      const by = payment ? 'money' : 'operator';
      const act = logged('reinstate', handle, { reason, by });
      const done = await withOperatorAct(readConfig(env), act, (db) => reinstate(db, handle, reason, by));
      console.log(JSON.stringify(done));
    });
}

function requireReason(reason: string): void {
  if (reason.trim() === '') throw new StartError('--reason: say why.');
}

async function suspend(db: Database, handle: string, reason: string) {
  const onHand = await tell(db, handle, reason, { type: 'SUSPEND', by: 'operator' });
  // Withdraws the orders now instead of waiting until the actor serves its mailbox; a service that runs may be quicker.
  await withdrawOrders(db, handle, new Date());
  return { handle, suspended: true, reason, withdrawn: await countCancelled(db, onHand) };
}

async function reinstate(db: Database, handle: string, reason: string, by: Suspender) {
  await tell(db, handle, reason, { type: 'REINSTATE', by });
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
  { type, by }: { readonly type: 'SUSPEND' | 'REINSTATE'; readonly by: Suspender },
): Promise<string[]> {
  const agent = await findAgent(db, handle);
  if (!agent) throw new StartError(`There is no agent "${handle}".`);
  if (agent.status === 'retired')
    throw new StartError(
      `"${handle}" is retired: there is nothing to ${type === 'SUSPEND' ? 'suspend' : 'reinstate'}.`,
    );
  const holds = agent.suspension_reasons;
  if (type === 'REINSTATE' && !holds.includes(by)) throw new StartError(notHeld(handle, by, holds));
  const now = new Date();
  return await db.transaction().execute(async (trx) => {
    const eventId = `operator:${randomUUID()}`;
    const event = { type, by, reason };
    await applyEvent(trx, agentActor, { key: handle, eventId, event, now });
    return await ordersOnHand(trx, handle);
  });
}

function notHeld(handle: string, by: Suspender, holds: readonly string[]): string {
  if (by === 'money') return `No money for "${handle}" was taken back: nothing of that kind holds it.`;
  const hint = holds.includes('money')
    ? ' The money for it was taken back: lift what came of that with --payment.'
    : '';
  return `"${handle}" is not suspended by the operator.${hint}`;
}
