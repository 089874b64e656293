import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectAgent } from '../../runtime/agent/agent-projection.ts';
import { findAgent, noteEpoch } from '../../store/agent/agents.ts';
import { actsOf, endAct, newestAct, openAct, proposeAct, signAct } from '../../store/agent/owner-acts.ts';
import type { Database } from '../../store/database.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { MemoryServer } from './memory/memory-database.ts';

/**
 * Owner acts, and what stops agents: the simulator's store and Postgres must give the same answers and the same rows.
 */

let real: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  real = await testDatabase();
});
afterAll(() => real.drop());

const OWNER = '0xowner';
const START = Date.parse('2026-09-06T12:00:00Z');
const STATES = [
  { value: { active: 'watching' }, context: { suspensionReasons: [] } },
  { value: 'paused', context: { suspensionReasons: ['owner', 'owner-on-chain'] } },
  { value: 'suspended', context: { suspensionReasons: ['operator'] } },
  { value: { retiring: 'closing' }, context: { suspensionReasons: [] } },
] as const;
const KINDS = ['pause', 'resume', 'retire'] as const;

const act = fc.record({
  do: fc.constantFrom('propose', 'propose', 'sign', 'sign', 'end', 'show', 'show', 'move', 'look'),
  pick: fc.nat(5),
  other: fc.nat(3),
});

function owners(db: Database, run: number) {
  const handle = `signer-${run}`;
  const ids: string[] = [];
  let n = 0;
  return {
    async open() {
      await marketStage(db).agent(handle);
      await db
        .updateTable('agents')
        .set({ token_id: BigInt(5_000 + run) })
        .where('handle', '=', handle)
        .execute();
    },
    async act({ do: what, pick, other }: { do: string; pick: number; other: number }): Promise<unknown> {
      const now = new Date(START + 1_000 * n++);
      const id = ids[pick % Math.max(1, ids.length)] ?? 'none';
      const kind = KINDS[pick % 3]!;
      return await db.transaction().execute(async (trx) => {
        switch (what) {
          case 'propose': {
            const slot = { epoch: other, nonce: BigInt(pick), since_block: 7n, deadline: now, version: null };
            const of = {
              id: `act-${run}-${n}`,
              handle,
              kind,
              owner: OWNER,
              beneficial_owner: OWNER,
              detail: { text: `${pick}` },
            };
            ids.push(of.id);
            return await proposeAct(trx, { ...of, ...slot }, now);
          }
          case 'sign':
            return await signAct(trx, { id, signatures: [`0x${pick}`], now });
          case 'end': {
            const status = (['done', 'failed', 'replaced'] as const)[other % 3]!;
            return await endAct(trx, id, { status, reason: other === 0 ? null : 'why', tx: null, now });
          }
          case 'show':
            return await projectAgent(trx, handle, STATES[pick % STATES.length]!, now);
          case 'move':
            return await noteEpoch(trx, { handle, known: other, epoch: other + 1, owner: `0xowner${other}` });
          default:
            return await newestAct(trx, { handle, kinds: KINDS.slice(0, 1 + (pick % 3)) });
        }
      });
    },
    async rows() {
      const { status, suspension_reasons, epoch, owner } = (await findAgent(db, handle))!;
      const acts = await actsOf(db, { handle, owner: OWNER }, { limit: 100, offset: 0 });
      return { status, holds: suspension_reasons, epoch, owner, acts, open: await openAct(db, handle) };
    },
  };
}

async function outcome(of: () => Promise<unknown>): Promise<unknown> {
  try {
    return { done: await of() };
  } catch (error) {
    return { code: (error as { code?: string }).code ?? (error as Error).message };
  }
}

describe('the memory store and Postgres', () => {
  it('give the same answers to whatever owners propose, sign, end and stop', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
        run += 1;
        const memory = new MemoryServer(() => new Date(START)).open().db;
        const [a, b] = [owners(real.db, run), owners(memory, run)];
        await a.open();
        await b.open();
        for (const one of acts) {
          const left = await outcome(() => a.act(one));
          expect(await outcome(() => b.act(one)), JSON.stringify(one)).toEqual(left);
        }
        expect(await b.rows()).toEqual(await a.rows());
      }),
      { numRuns: 20 },
    );
  });
});
