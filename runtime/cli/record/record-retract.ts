import { Command } from 'commander';
import { retractRecord } from '../../../store/records/record-status.ts';
import { readConfig } from '../../config/config.ts';
import { StartError } from '../../config/start-error.ts';
import { withOperatorAct } from '../operator-act.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** How long a reason may be; everybody is shown it. */
const REASON = { least: 10, most: 500 } as const;

/** `record retract`: the operator takes a record back that should not have been. */
export function retractCommand(env: Env): Command {
  return new Command('retract')
    .description(
      'Take a record back: it stays, says so, counts against nobody, and its portable forms are INVALID.',
    )
    .argument('<id>', 'which record')
    .requiredOption(
      '--reason <text>',
      `why, shown to everybody: ${REASON.least} to ${REASON.most} characters`,
    )
    .addHelpText(
      'after',
      `
It cannot be undone. Where the service runs is read from DATABASE_URL, or found in DATA_DIR.

Example:
  npm run -s handshake -- record retract rec_0123… --reason "The list of that day named the address by mistake."`,
    )
    .action(async (id: string, { reason }: { reason: string }) => {
      const words = reason.trim();
      if (words.length < REASON.least || words.length > REASON.most)
        throw new StartError(`--reason takes ${REASON.least} to ${REASON.most} characters.`);
      const act = { act: 'record retract', subject: id, detail: { reason: words } };
      const retraction = await withOperatorAct(readConfig(env), act, (db) => retractRecord(db, id, words));
      if (retraction === null) throw new StartError(`There is no record "${id}".`);
      console.log(JSON.stringify({ recordId: id, ...retraction }));
    });
}
