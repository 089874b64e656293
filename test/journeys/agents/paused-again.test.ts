import { afterAll, beforeAll, expect, it } from 'vitest';
import { confirmed, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** Each act that an owner signs is relayed at the operator's cost. */

let stage: WireStage;

beforeAll(async () => {
  stage = await wireStage();
});
afterAll(() => stage?.stop());

it('an agent that is paused on chain is paused again, and retired, with no transaction of the operator’s', async () => {
  const owner = await stage.proceedingOwner();
  const agent = await stage.agent(owner);
  for (const action of ['pause', 'pause', 'resume', 'pause', 'pause', 'retire'])
    await confirmed(stage, owner, agent, 'session', { action });
  const acts = stage.db.selectFrom('owner_acts').select(['kind', 'status', 'tx']);
  const told = await acts.where('handle', '=', agent.handle).orderBy('created_at').execute();
  expect(told.map(({ kind, status, tx }) => [kind, status, tx !== null])).toEqual([
    ['pause', 'done', true],
    ['pause', 'done', false],
    ['resume', 'done', true],
    ['pause', 'done', true],
    ['pause', 'done', false],
    ['retire', 'done', false],
  ]);
  expect((await stage.api.get(`/agent/${agent.handle}`)).body.status).toBe('retired');
  const budgets = stage.db.selectFrom('relay_budgets').select(['subject', 'spent']);
  const { spent } = await budgets.where('subject', 'like', 'pauses of agent %').executeTakeFirstOrThrow();
  expect(spent).toBeGreaterThan(50_000n);
});
