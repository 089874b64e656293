import { randomBytes, randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { sha256Hex } from '../../agents/canonical.ts';
import {
  listOperatorKeys,
  OPERATOR_SCOPES,
  revokeOperatorKey,
  rotateOperatorKey,
  saveOperatorKey,
} from '../../store/http/operator-keys.ts';
import { readConfig } from '../config/config.ts';
import { replaceMadeOperatorKey } from '../config/secrets.ts';
import { StartError } from '../config/start-error.ts';
import { withDatabase } from './database.ts';
import { withOperatorAct } from './operator-act.ts';

type Env = Readonly<Record<string, string | undefined>>;

function collectScope(value: string, before: string[] = []): string[] {
  if (!(OPERATOR_SCOPES as readonly string[]).includes(value)) {
    throw new InvalidArgumentError(`use one of ${OPERATOR_SCOPES.join(', ')}`);
  }
  return [...new Set([...before, value])];
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const LONGEST_OVERLAP = 30 * 86_400;

/** The seconds in a duration such as 90s, 15m, 24h or 7d. */
function overlapSeconds(text: string): number {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit ?? ''] ?? Number.NaN);
  if (!(seconds <= LONGEST_OVERLAP))
    throw new InvalidArgumentError('use such as 15m, 24h or 7d, at most 30d');
  return seconds;
}

const newKey = () => ({
  id: `key_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
  key: `op_${randomBytes(32).toString('hex')}`,
});

export function operatorKeyCommand(env: Env): Command {
  const command = new Command('operator-key').description(
    'Keys that open what is for operators: registers, pledges, outcomes, metrics, queues.',
  );
  command.addHelpText(
    'after',
    `
Examples:
  npm run -s handshake -- operator-key create --name risk-desk --scope registers --scope metrics
  npm run -s handshake -- operator-key list
  npm run -s handshake -- operator-key rotate key_0123… --overlap 24h
  npm run -s handshake -- operator-key revoke key_0123…        ends it at once, in every process`,
  );
  command
    .command('create')
    .description('Make a key and print it. It is shown this once; what is kept is its hash.')
    .requiredOption('--name <name>', 'whose key it is')
    .requiredOption(
      '--scope <scope>',
      `what it opens, repeatable: ${OPERATOR_SCOPES.join(', ')}`,
      collectScope,
    )
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s handshake -- operator-key create --name risk-desk --scope registers --scope metrics',
    )
    .action(async ({ name, scope: scopes }: { name: string; scope: string[] }) => {
      const { id, key } = newKey();
      const logged = { act: 'operator-key create', subject: id, detail: { name, scopes } };
      await withOperatorAct(readConfig(env), logged, (db) =>
        saveOperatorKey(db, { id, name, hash: sha256Hex(key), scopes }),
      );
      console.log(JSON.stringify({ id, name, scopes, key }));
    });
  command
    .command('rotate <id>')
    .description(
      'Make a new key in the place of one, and print it. The old one ends at once, or after an overlap.',
    )
    .option('--overlap <time>', 'for how long both open: such as 15m, 24h, 7d', overlapSeconds, 0)
    .addHelpText(
      'after',
      `
The new key has the name and scopes of the old one. "configured" names the key of OPERATOR_API_KEY, or the one made into
DATA_DIR: the new one stands in its place, and a start that still brings the old one does not bring it back.

Examples:
  npm run -s handshake -- operator-key rotate key_0123… --overlap 24h
  npm run -s handshake -- operator-key rotate configured`,
    )
    .action(async (old: string, { overlap }: { overlap: number }) => {
      const config = readConfig(env);
      const { id, key } = newKey();
      const logged = {
        act: 'operator-key rotate',
        subject: old,
        detail: { by: id, overlapSeconds: overlap },
      };
      const rotated = await withOperatorAct(config, logged, (db) =>
        rotateOperatorKey(db, old, { id, hash: sha256Hex(key) }, overlap),
      );
      if (rotated === null)
        throw new StartError(`No live key has the id ${old}: "operator-key list" shows them.`);
      if (rotated === 'rotated')
        throw new StartError(`The key ${old} was rotated already, and ends by itself.`);
      const { replaced, name, scopes, configured } = rotated;
      const kept =
        configured && replaceMadeOperatorKey(config, (made) => sha256Hex(made) === replaced.hash, key);
      console.log(
        JSON.stringify({
          ...{ id, name, scopes, key, replaces: replaced.id, oldKeyEndsAt: replaced.endsAt },
          ...(configured && !kept ? { next: 'set OPERATOR_API_KEY to this key before the next start' } : {}),
        }),
      );
    });
  command
    .command('list')
    .description('Every key that was made: what it opens, whether it lives, and when it ends. Never the key.')
    .action(async () => {
      for (const key of await withDatabase(readConfig(env), listOperatorKeys))
        console.log(JSON.stringify(key));
    });
  command
    .command('revoke <id>')
    .description('End a key at once, in every process.')
    .action(async (id: string) => {
      if (
        !(await withOperatorAct(readConfig(env), { act: 'operator-key revoke', subject: id }, (db) =>
          revokeOperatorKey(db, id, new Date()),
        ))
      ) {
        throw new StartError(`No live key has the id ${id}: "operator-key list" shows them.`);
      }
      console.log(JSON.stringify({ id, revoked: true }));
    });
  return command;
}
