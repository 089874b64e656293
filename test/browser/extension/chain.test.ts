import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import { type ListService, listService, snapshotOf } from './list-service.ts';
import { openStage, type Stage } from './stage.ts';

/** What the wallet is on. */
const CHAIN = '0x3ea';

describe.runIf(CHROMIUM !== undefined)('a transaction that names no chain', () => {
  let lists: ListService;
  let stage: Stage;
  let page: Page;

  beforeAll(async () => {
    lists = await listService();
    lists.give(await lists.sign(snapshotOf({})));
    stage = await openStage({ service: lists.url });
    await stage.listsTaken();
  });
  afterEach(() => stage.closeAll());
  afterAll(async () => {
    await stage?.close();
    lists?.close();
  });

  const TX = (more = '') =>
    `{ from: '${stage.owner.address}', to: '0x${'7'.repeat(40)}', value: '0x1'${more} }`;
  /** Asks, has its user go on, and gives what reached the wallet and what the page was told. */
  async function asked(script: string) {
    const told = page.evaluate(`(${script}).then((r) => [r], (e) => [null, e.message])`);
    const shown = await stage.answer(true);
    const [result, error] = (await told) as [unknown, string?];
    const named = stage.reached().map(({ params }) => (params[0] as { chainId?: string }).chainId);
    return { shown, named, result, error };
  }

  it('names the wallet’s when it reaches the wallet, however it is asked for', async () => {
    page = await stage.open('shop.test');
    for (const script of [
      `ethereum.request({ method: 'eth_sendTransaction', params: [${TX()}] })`,
      `ethereum.send('eth_sendTransaction', [${TX()}])`,
      `new Promise((r) => ethereum.sendAsync({ id: 1, method: 'eth_sendTransaction', params: [${TX(', chainId: undefined')}] }, r))`,
    ])
      expect((await asked(script)).named).toEqual([CHAIN]);
  });

  it('is the only one that is given a chain', async () => {
    page = await stage.open('shop.test');
    const own = await asked(
      `ethereum.request({ method: 'eth_sendTransaction', params: [${TX(", chainId: '0x03EA'")}] })`,
    );
    expect(own.named).toEqual(['0x03EA']);
    const message = `ethereum.request({ method: 'personal_sign', params: ['0x68', '${stage.owner.address}'] })`;
    expect((await asked(message)).named).toEqual([undefined]);
  });

  it('is not sent where a page forges what the wallet says of its chain, which pages can', async () => {
    page = await stage.open('shop.test');
    await page.evaluate(`addEventListener('message', ({ data }) => {
      if (data?.target !== 'test-wallet-content' || data.data.method !== 'eth_chainId') return;
      postMessage({ target: 'test-wallet-inpage', data: { id: data.data.id, result: '0x1' } }, '*');
    }, true)`);
    expect(await page.evaluate(`ethereum.request({ method: 'eth_chainId' })`)).toBe('0x1');
    const { named, result, error } = await asked(
      `ethereum.request({ method: 'eth_sendTransaction', params: [${TX()}] })`,
    );
    expect({ named, result }).toEqual({ named: ['0x1'], result: null });
    expect(error).toContain('chainId must match the network client');
  });
});
