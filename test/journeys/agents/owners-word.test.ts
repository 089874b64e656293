import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../../../runtime/cli/demo/client.ts';
import { ownersWords } from '../../../store/agent/owners-word.ts';
import { type WireStage, wireStage } from '../wire/wire-stage.ts';

let stage: WireStage;
beforeAll(async () => {
  stage = await wireStage();
});
afterAll(() => stage.stop());

it('an owner’s word is a resumption that he signed, though the chain had no pause to lift', async () => {
  const owner = await stage.owner();
  const agent = await stage.agent(owner);
  // By a card nobody signs.
  await stage.db.updateTable('checkouts').set({ pay: 'card' }).execute();
  const asked = [{ handle: agent.handle, owner: owner.address.toLowerCase() }];
  const act = async (action: string) =>
    expectStatus(
      await stage.api.signedPost(owner, `/agent/${agent.handle}/session`, { action }),
      202,
      action,
    );
  await act('pause');
  expect(await ownersWords(stage.db, asked)).toEqual([false]);
  await act('resume');
  expect((await stage.api.get(`/agent/${agent.handle}`)).body.status).toBe('active');
  expect(await ownersWords(stage.db, asked)).toEqual([true]);
});
