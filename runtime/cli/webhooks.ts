import { Command, InvalidArgumentError } from 'commander';
import {
  type DeliveryRow,
  enableSubscription,
  listDeliveries,
  resendDelivery,
} from '../../store/webhooks/webhook-deliveries.ts';
import { listSubscriptions } from '../../store/webhooks/webhook-subscriptions.ts';
import { readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { withDatabase } from './database.ts';
import { withOperatorAct } from './operator-act.ts';
import { wholeNumber } from './whole-number.ts';

type Env = Readonly<Record<string, string | undefined>>;

const STATES = ['pending', 'delivered', 'failed'] as const satisfies DeliveryRow['status'][];

function state(value: string): DeliveryRow['status'] {
  const known = STATES.find((s) => s === value);
  if (!known) throw new InvalidArgumentError(`use one of ${STATES.join(', ')}`);
  return known;
}

const print = (line: object): void => console.log(JSON.stringify(line));

/** `webhooks`: shows what owners were sent and what was not accepted, and sends it again. It never shows a secret. */
export function webhooksCommand(env: Env): Command {
  const command = new Command('webhooks').description(
    'What owners are told over webhooks, and telling it again.',
  );
  command.addHelpText(
    'after',
    `
Examples:
  npm run -s handshake -- webhooks list --status failed
  npm run -s handshake -- webhooks resend msg_0123…            after the receiver is mended`,
  );
  command
    .command('subscriptions')
    .description('Who is told where, and why one is disabled.')
    .action(async () => {
      for (const s of await withDatabase(readConfig(env), (db) => listSubscriptions(db)))
        print({
          subscriptionId: s.id,
          wallet: s.wallet,
          url: s.url,
          events: s.kinds,
          status: s.status,
          failingSince: s.failing_since,
          reason: s.reason,
          createdAt: s.created_at,
        });
    });
  command
    .command('list')
    .description('The latest messages, newest first, and what came of each.')
    .option('--status <status>', STATES.join(', '), state)
    .option('--subscription <id>', 'of one subscription')
    .option('--limit <count>', 'at most so many', wholeNumber(1, 10_000), 50)
    .action(async (asked: { status?: DeliveryRow['status']; subscription?: string; limit: number }) => {
      const query = {
        limit: asked.limit,
        ...(asked.status === undefined ? {} : { status: asked.status }),
        ...(asked.subscription === undefined ? {} : { subscriptionId: asked.subscription }),
      };
      for (const d of await withDatabase(readConfig(env), (db) => listDeliveries(db, query)))
        print({
          messageId: d.id,
          subscriptionId: d.subscription_id,
          url: d.url,
          event: d.kind,
          status: d.status,
          attempts: d.attempts,
          answered: d.answered,
          error: d.error,
          nextAttemptAt: d.status === 'pending' ? d.next_attempt_at : null,
          createdAt: d.created_at,
        });
    });
  command
    .command('resend <messageId>')
    .description('Send a message again, under the same id, whatever came of it before.')
    .action(async (id: string) => {
      if (
        !(await withOperatorAct(readConfig(env), { act: 'webhooks resend', subject: id }, (db) =>
          resendDelivery(db, id, new Date()),
        ))
      )
        throw new StartError(`No message has the id ${id}: "webhooks list" shows the latest.`);
      print({ messageId: id, resent: true });
    });
  command
    .command('enable <subscriptionId>')
    .description('Tell a subscription again that was disabled.')
    .action(async (id: string) => {
      if (
        !(await withOperatorAct(readConfig(env), { act: 'webhooks enable', subject: id }, (db) =>
          enableSubscription(db, id),
        ))
      )
        throw new StartError(`No subscription has the id ${id}: "webhooks subscriptions" shows them.`);
      print({ subscriptionId: id, status: 'active' });
    });
  return command;
}
