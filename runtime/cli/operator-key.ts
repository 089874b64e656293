import { randomBytes, randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { sha256Hex } from '../../agents/canonical.ts';
import {
  listOperatorKeys,
  OPERATOR_SCOPES,
  revokeOperatorKey,
  saveOperatorKey,
} from '../../store/operator-keys.ts';
import { readConfig } from '../config.ts';
import { StartError } from '../start-error.ts';
import { withDatabase } from './database.ts';

type Env = Readonly<Record<string, string | undefined>>;

function collectScope(value: string, before: string[] = []): string[] {
  if (!(OPERATOR_SCOPES as readonly string[]).includes(value)) {
    throw new InvalidArgumentError(`use one of ${OPERATOR_SCOPES.join(', ')}`);
  }
  return [...new Set([...before, value])];
}

export function operatorKeyCommand(env: Env): Command {
  const command = new Command('operator-key').description(
    'Keys that open what is for operators: registers, pledges, metrics, queues.',
  );
  command.addHelpText(
    'after',
    `
Examples:
  npm run -s handshake -- operator-key create --name risk-desk --scope registers --scope metrics
  npm run -s handshake -- operator-key list
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
      const key = `op_${randomBytes(32).toString('hex')}`;
      const id = `key_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
      await withDatabase(readConfig(env), (db) =>
        saveOperatorKey(db, { id, name, hash: sha256Hex(key), scopes }),
      );
      console.log(JSON.stringify({ id, name, scopes, key }));
    });
  command
    .command('list')
    .description('Every key that was made: what it opens, and when it was revoked. Never the key.')
    .action(async () => {
      for (const key of await withDatabase(readConfig(env), listOperatorKeys))
        console.log(JSON.stringify(key));
    });
  command
    .command('revoke <id>')
    .description('End a key at once, in every process.')
    .action(async (id: string) => {
      if (!(await withDatabase(readConfig(env), (db) => revokeOperatorKey(db, id, new Date())))) {
        throw new StartError(`No live key has the id ${id}.`);
      }
      console.log(JSON.stringify({ id, revoked: true }));
    });
  return command;
}
