import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The tables of the schema, but for the one that says which schema it is. */
function tables(): readonly string[] {
  const files = readdirSync(new URL('migrations/', import.meta.url));
  return files.flatMap((file) =>
    [...read(`migrations/${file}`).matchAll(/^create table (?:if not exists )?(\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
}

it('every table has its key in the decision about more than one database, and one alone', () => {
  const page = read('../docs/decisions/0023-past-one-database.md');
  const section = page.split(/^## /m).find((part) => part.startsWith('What is keyed by what'))!;
  const named = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((row) => [...row.split('|')[2]!.matchAll(/`(\w+\*?)`/g)].map(([, name = '']) => name));
  const keysOf = (table: string): number =>
    named.filter((name) => name === table || (name.endsWith('*') && table.startsWith(name.slice(0, -1))))
      .length;
  expect(tables().length).toBeGreaterThan(60);
  expect(tables().filter((table) => keysOf(table) !== 1)).toEqual([]);
});
