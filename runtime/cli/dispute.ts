import { Command } from 'commander';
import { type Dispute, MOST_HOLD_HOURS, SAID, stateOf } from '../../agents/certificates/dispute.ts';
import { readable } from '../../agents/readable.ts';
import { listDisputes } from '../../store/certificates/disputes.ts';
import { type Database, databaseTime } from '../../store/database.ts';
import { decideDispute, holdDispute } from '../certificates/rule-on-dispute.ts';
import { readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { withDatabase } from './database.ts';
import { type CommandedAct, withOperatorAct } from './operator-act.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `dispute`: lists the disputes of certificates, and takes the operator's hold and decision. */
export function disputeCommand(env: Env): Command {
  const over = (work: (db: Database) => Promise<void>): Promise<void> => withDatabase(readConfig(env), work);
  const doing = (act: CommandedAct, work: (db: Database) => Promise<void>): Promise<void> =>
    withOperatorAct(readConfig(env), act, work);
  const dispute = new Command('dispute')
    .description('Disputes of certificates: list them, hold a certificate, decide.')
    .addHelpText(
      'after',
      `
Where the service runs is read from DATABASE_URL, or found in DATA_DIR. It need not run; when it does next, it files the
record of a decision, and marks the certificate void where nobody can appeal any more.

Examples:
  npm run -s handshake -- dispute list
  npm run -s handshake -- dispute hold dsp_… --cause "The police report names this frame number."
  npm run -s handshake -- dispute decide dsp_… --uphold --reason "The frame number is of another bicycle."`,
    );
  dispute
    .command('list')
    .description('Print the disputes that are still to be decided, the oldest first.')
    .option('--all', 'those that are decided, too')
    .option('--json', 'as JSON, with all that was said')
    .addHelpText('after', '\nExample:\n  npm run -s handshake -- dispute list --all --json')
    .action(({ all, json }: { all?: boolean; json?: boolean }) =>
      over(async (db) => {
        const [disputes, now] = await Promise.all([listDisputes(db, all ? 'all' : 'open'), databaseTime(db)]);
        if (json) return console.log(printed(disputes.map((one) => withState(one, now))));
        if (disputes.length === 0) console.log(all ? 'There are no disputes.' : 'Nothing is to be decided.');
        for (const one of disputes) console.log(line(one, now));
      }),
    );
  dispute
    .command('hold <id>')
    .description('Hold the certificate: off the market at once, and neither listed, pledged nor transferred.')
    .requiredOption('--cause <text>', `why, shown to everybody: ${between('cause')}`)
    .option('--hours <number>', 'for how long', String(MOST_HOLD_HOURS))
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s handshake -- dispute hold dsp_… --hours 24 --cause "The police report names this frame number."',
    )
    .action((id: string, { cause, hours }: { cause: string; hours: string }) =>
      doing({ act: 'dispute hold', subject: id, detail: { cause, hours } }, async (db) => {
        const held = await holdDispute(db, id, { cause, hours: Number(hours) });
        console.log(printed(withState(held, await databaseTime(db))));
      }),
    );
  dispute
    .command('decide <id>')
    .description('Decide the dispute, or the appeal against its first decision.')
    .option('--uphold', 'the certificate is wrong: it becomes void once nobody can appeal any more')
    .option('--reject', 'the certificate stands')
    .requiredOption('--reason <text>', `why, in the public record: ${between('reason')}`)
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s handshake -- dispute decide dsp_… --reject --reason "The reply shows the bill of sale."',
    )
    .action((id: string, options: { uphold?: boolean; reject?: boolean; reason: string }) =>
      doing({ act: 'dispute decide', subject: id, detail: { ...options } }, async (db) => {
        const { uphold = false, reject = false, reason } = options;
        if (uphold === reject) throw new StartError('Say one of --uphold and --reject.');
        const decided = await decideDispute(db, id, { ruling: uphold ? 'upheld' : 'rejected', reason });
        console.log(printed(withState(decided, await databaseTime(db))));
      }),
    );
  return dispute;
}

function between(field: 'cause' | 'reason'): string {
  return `${SAID[field].least} to ${SAID[field].most} characters`;
}

function withState(dispute: Dispute, now: Date) {
  return { ...dispute, state: stateOf(dispute, now) };
}

/** What a stranger said is shown on one line, without what a terminal would obey. */
function line(dispute: Dispute, now: Date): string {
  const { disputeId, tokenId, assetKey, grounds, reply, replyUntil } = dispute;
  const replied = reply === null ? `reply until ${replyUntil.toISOString()}` : 'replied to';
  return `${disputeId} ${stateOf(dispute, now)} ${assetKey} (certificate ${tokenId}, ${replied}): "${readable(grounds, 120)}"`;
}

/** JSON escapes every control character but those above U+007F. */
function printed(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
