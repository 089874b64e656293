import { expect, it } from 'vitest';
import { openDatabase } from '../../../store/database.ts';
import { oneAtATime } from './one-at-a-time.ts';

it('runs acts on the same subject one after another, in the order they came, even after a failure', async () => {
  // The database is never queried.
  const db = openDatabase('postgres://nowhere');
  const log: string[] = [];
  const act = (name: string) => async (): Promise<void> => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    log.push(`${name} ends`);
    if (name === 'one') throw new Error(name);
  };
  const all = [
    oneAtATime(db, ['lot', 'ann'], act('one')),
    oneAtATime(db, ['lot', 'bob'], act('two')),
    oneAtATime(db, ['lot', 'ann'], act('three')),
  ];
  const ends = (await Promise.allSettled(all)).map(({ status }) => status);
  expect(ends).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  const names = ['one', 'two', 'three'];
  expect(log).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
  await db.destroy();
});
