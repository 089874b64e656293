import { Command } from 'commander';
import { CompiledQuery } from 'kysely';
import { DATABASE_ROLES, rolesSql } from '../../store/roles.ts';
import { readConfig } from '../config/config.ts';
import { withOperatorAct } from './operator-act.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `database`: who may do what with the tables. */
export function databaseCommand(env: Env): Command {
  const command = new Command('database').description('The database that the service runs on.');
  command.addHelpText(
    'after',
    `
Examples:
  npm run -s handshake -- database roles
  DATABASE_URL=postgres://… npm run -s handshake -- database roles --apply`,
  );
  command
    .command('roles')
    .description('Print the SQL that makes four roles of least right, or run it.')
    .option(
      '--apply',
      'run it on the database of DATABASE_URL, as a superuser, or as its owner who may make roles',
    )
    .addHelpText(
      'after',
      `
${DATABASE_ROLES.migrate} owns the tables and brings them forward; ${DATABASE_ROLES.api} and ${DATABASE_ROLES.worker} read and write rows;
${DATABASE_ROLES.readOnly} reads what is no secret. They can log in once each has a password: "alter role … password …".
An owner who is no superuser belongs to the two that own tables from then on.
It may be run again. The schema must stand: start the service once before, as the user who made the database.

Examples:
  npm run -s handshake -- database roles > roles.sql
  DATABASE_URL=postgres://… npm run -s handshake -- database roles --apply`,
    )
    .action(async ({ apply }: { apply?: boolean }) => {
      const statements = rolesSql();
      if (apply !== true) return console.log(`${statements.join(';\n')};`);
      await withOperatorAct(readConfig(env), { act: 'database roles', subject: null }, (db) =>
        db.transaction().execute(async (trx) => {
          for (const statement of statements) await trx.executeQuery(CompiledQuery.raw(statement));
        }),
      );
      console.log(JSON.stringify({ roles: Object.values(DATABASE_ROLES) }));
    });
  return command;
}
