import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MACHINES } from '../../../runtime/machines.ts';

/** Checks that for every named crash point some fault test ends a process there. */

const ROOT = new URL('../../..', import.meta.url).pathname;

/** Kinds of effects whose point after a run has no fault test of its own, with the reason why they need none. */
const LIKE_ANY_EFFECT: Readonly<Record<string, string>> = {
  'withdraw-orders': 'again, it finds nothing more to take',
  'review-orders': 'it writes to the database alone; again, it finds nothing more to do',
  'evaluate-market': 'what it rests has ids made of its key',
  'review-after-auction':
    'it reads the chain, and writes to the database alone; again, it finds nothing more to do',
  unwind: 'it only reads the chain, and writes to the database in the transaction of its outcome',
  'refund-payment': 'the processor is asked whether the money is back before it is asked to return it',
  'record-owner': 'it writes to the database alone, in the transaction of its outcome',
  'relay-owner-act': 'it is asked for by its signature on chain before it is sent again',
};

function sources(...folders: readonly string[]): { path: string; text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(ROOT, folder, name), 'utf8') })),
  );
}

function pointsInCode(): string[] {
  const points = sources('agents', 'runtime', 'api', 'chain', 'store')
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ text }) => [...text.matchAll(/\bcrash(?:\?\.)?\(\s*(['`])([^'`]+)\1/g)].map((m) => m[2]!));
  const kinds = MACHINES.flatMap((m) => m.effects).filter((kind) => !(kind in LIKE_ANY_EFFECT));
  // A row names the kind for its point; every other point has its own name in the code.
  const named = points.flatMap((p) =>
    /\$\{/.test(p) ? kinds.map((k) => `after-${k}-run-before-commit`) : [p],
  );
  return [...new Set(named)].sort();
}

describe('the named crash points', () => {
  const tested = sources('test/faults', 'test/journeys')
    .filter(({ path }) => path.endsWith('.test.ts') && !path.endsWith('crash-points.test.ts'))
    .map(({ text }) => text)
    .join('\n');

  it('are found in the code', () => {
    const points = pointsInCode();
    expect(points.length).toBeGreaterThan(20);
    expect(points.filter((p) => !/^[a-z-]+$/.test(p))).toEqual([]);
    expect(points).toEqual(
      expect.arrayContaining(['after-batch-commit', 'payment-bound', 'after-mint-agent-run-before-commit']),
    );
  });

  it('each have a fault test that ends a process there', () => {
    expect(pointsInCode().filter((point) => !tested.includes(`'${point}'`))).toEqual([]);
  });

  it('leave out no kind that does not exist', () => {
    const kinds = MACHINES.flatMap((m) => m.effects);
    expect(Object.keys(LIKE_ANY_EFFECT).filter((kind) => !kinds.includes(kind))).toEqual([]);
  });
});
