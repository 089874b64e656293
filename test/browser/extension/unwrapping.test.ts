import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import { type ListService, listService, snapshotOf } from './list-service.ts';
import { openStage, type Stage } from './stage.ts';
import { ATTEMPTS, ENVELOPE, MALICIOUS, pageOf } from './unwrapping.ts';

describe.runIf(CHROMIUM !== undefined)('a page that wants its wallet without the extension', () => {
  let lists: ListService;
  let stage: Stage;

  beforeAll(async () => {
    lists = await listService();
    lists.give(await lists.sign(snapshotOf({ addresses: [MALICIOUS] })));
    stage = await openStage({ service: lists.url });
    await stage.listsTaken();
  });
  afterAll(async () => {
    await stage?.close();
    lists?.close();
  });

  it.each(ATTEMPTS)('does not get past it by $name', async (attempt) => {
    await stage.openUntilDone('attempt.test', pageOf(attempt, '/done'));
    const reached = stage.reached();
    await stage.closeAll();
    expect([...reached, ...stage.reached()]).toEqual([]);
  });

  it('does not get past it, once let connect, by a harmless request on its message', async () => {
    const page = await stage.open('connected.test');
    const asked = page.evaluate(`ethereum.request({ method: 'eth_requestAccounts' })`);
    await stage.answer(true);
    await asked;
    stage.reached();
    await page.evaluate(`(async () => { ${ENVELOPE}; await new Promise((r) => setTimeout(r, 500)); })()`);
    const reached = stage.reached();
    await stage.closeAll();
    expect([...reached, ...stage.reached()]).toEqual([]);
  });

  it('still serves it in the end, when its user goes on', async () => {
    const page = await stage.open('honest.test');
    const asked = page.evaluate(`ethereum.request({ method: 'eth_requestAccounts' })`);
    await stage.answer(true);
    expect(await asked).toEqual([stage.owner.address]);
    expect(stage.reached().map(({ method }) => method)).toEqual(['eth_requestAccounts']);
  });
});
