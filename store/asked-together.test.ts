import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { joinAt } from './asked-together.ts';
import { type Database, openDatabase } from './database.ts';
import { readOnce } from './read-once.ts';

// Nothing is asked of it: whoever asks together brings its own question.
const db = openDatabase('postgres://nobody@localhost:1/none');
afterAll(() => db.destroy());

let once: Database;
let asked: string[][];
beforeEach(() => {
  once = readOnce(db);
  asked = [];
});

const ask = async (keys: readonly string[]): Promise<string[]> => {
  asked.push([...keys]);
  return keys.map((key) => `about ${key}`);
};

describe('those who ask together', () => {
  it('ask about the keys of all, each once, when the last of them asks', async () => {
    const [one, other] = [joinAt(once), joinAt(once)];
    const first = one.ask('lists', ['b', 'a'], ask);
    await Promise.resolve();
    expect(asked).toEqual([]);
    const second = other.ask('lists', ['c', 'a'], ask);
    expect(await Promise.all([first, second])).toEqual([
      ['about a', 'about b', 'about c'],
      ['about a', 'about b', 'about c'],
    ]);
    expect(asked).toEqual([['a', 'b', 'c']]);
  });

  it('do not wait for who has left, before or after it asked something else', async () => {
    const [one, other] = [joinAt(once), joinAt(once)];
    const lists = one.ask('lists', ['a'], ask);
    const proofs = other.ask('proofs', ['b'], ask);
    other.leave();
    expect(await lists).toEqual(['about a']);
    one.leave();
    expect(await proofs).toEqual(['about b']);
  });

  it('do not wait for each other where one came when the other had asked already', async () => {
    const one = joinAt(once);
    expect(await one.ask('entries', ['a'], ask)).toEqual(['about a']);
    const late = joinAt(once);
    const lists = one.ask('lists', ['a'], ask);
    const entries = late.ask('entries', ['b'], ask);
    expect(await Promise.all([lists, entries])).toEqual([['about a'], ['about b']]);
    const both = [one.ask('proofs', ['a'], ask), late.ask('proofs', ['b'], ask)];
    expect(await Promise.all(both)).toEqual([
      ['about a', 'about b'],
      ['about a', 'about b'],
    ]);
  });

  it('may ask the same again', async () => {
    const [one, other] = [joinAt(once), joinAt(once)];
    await Promise.all([one.ask('lists', ['a'], ask), other.ask('lists', ['b'], ask)]);
    const again = one.ask('lists', ['a'], ask);
    other.leave();
    expect(await again).toEqual(['about a']);
    expect(asked).toEqual([['a', 'b'], ['a']]);
  });

  it('hear alike that it failed', async () => {
    const [one, other] = [joinAt(once), joinAt(once)];
    const fail = async (): Promise<string[]> => {
      throw new Error('the database is away');
    };
    const both = [one.ask('lists', ['a'], fail), other.ask('lists', ['b'], fail)];
    const ends = await Promise.allSettled(both);
    expect(ends.map((end) => end.status)).toEqual(['rejected', 'rejected']);
  });

  it('ask alone of a database that is not read once', async () => {
    const one = joinAt(db);
    joinAt(db);
    expect(await one.ask('lists', ['a'], ask)).toEqual(['about a']);
  });
});
