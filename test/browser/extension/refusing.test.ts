import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import { type ListService, listService, snapshotOf } from './list-service.ts';
import { openStage, type Stage } from './stage.ts';

const LISTED = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const REQUEST = `ethereum.request({ method: 'eth_requestAccounts' }).catch((e) => [e.code, e.message])`;

describe.runIf(CHROMIUM !== undefined)('the extension, without its service', () => {
  let lists: ListService;
  let stage: Stage;

  beforeAll(async () => {
    lists = await listService();
    lists.give(await lists.sign(snapshotOf({ hosts: ['drainer.test'], addresses: [LISTED] })));
    stage = await openStage({ service: lists.url });
    await stage.listsTaken();
    lists.give(null);
  });
  afterAll(async () => {
    await stage?.close();
    lists?.close();
  });

  it.each([
    ['request', REQUEST],
    ['enable', `ethereum.enable().catch((e) => [e.code, e.message])`],
    [
      'permissions',
      `ethereum.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }).catch((e) => [e.code, e.message])`,
    ],
    [
      'a signature',
      `ethereum.request({ method: 'personal_sign', params: ['0x68', '0x${'1'.repeat(40)}'] }).catch((e) => [e.code, e.message])`,
    ],
  ])('refuses a malicious site by its own lists, asked by %s, and offers no way on', async (_, script) => {
    for (const host of ['drainer.test', 'login.drainer.test']) {
      const page = await stage.open(host);
      const [code, message] = (await page.evaluate(script)) as [number, string];
      expect([code, message.endsWith('it is malicious')]).toEqual([4001, true]);
      const shown = await stage.answer(false);
      expect(shown).toContain('phishing-domains/test');
      expect(shown).not.toContain('Go on');
      await stage.closeAll();
    }
    expect(stage.reached()).toEqual([]);
  });

  it('refuses a frame in a malicious page, and a malicious frame in another', async () => {
    const frame = (host: string) => `<iframe src="${stage.at(host, '/frame')}" name="inner"></iframe>`;
    for (const [outer, inner] of [
      ['drainer.test', 'shop.test'],
      ['shop.test', 'drainer.test'],
    ] as const) {
      const page = await stage.open(outer, `<!doctype html>${frame(inner)}`);
      const asked = await page.frame('inner')!.evaluate(REQUEST);
      expect(asked).toEqual([4001, 'Safe Handshake refused drainer.test: it is malicious']);
      await stage.answer(false);
      await stage.closeAll();
    }
    expect(stage.reached()).toEqual([]);
  });

  it('has no setting that allows it', async () => {
    const options = await stage.options();
    await options.getByLabel('A malicious signature or transaction').selectOption('ask');
    await options.getByRole('button', { name: 'Save' }).click();
    const page = await stage.open('drainer.test');
    expect(await page.evaluate(REQUEST)).toEqual([
      4001,
      'Safe Handshake refused drainer.test: it is malicious',
    ]);
    expect(await stage.answer(false)).not.toContain('Go on');
    const shop = await stage.open('shop.test');
    const sent = shop.evaluate(
      `ethereum.request({ method: 'eth_sendTransaction', params: [{ to: '${LISTED}', value: '0x1' }] }).catch((e) => e.code)`,
    );
    expect(await stage.answer(false)).toContain('Go on');
    expect(await sent).toBe(4001);
    expect(stage.reached()).toEqual([]);
    await stage.closeAll();
  });

  it('says of another site that it was not checked, and lets its user decide', async () => {
    const page = await stage.open('shop.test');
    const refused = page.evaluate(REQUEST);
    const shown = await stage.answer(false);
    expect(shown).toContain('Not checked');
    expect(shown).toContain('The service could not be asked about shop.test.');
    expect(shown).toContain('Not on the own copy of phishing-domains/test (as of ');
    expect(await refused).toEqual([4001, 'Refused by the user of Safe Handshake']);
    const allowed = page.evaluate(REQUEST);
    await stage.answer(true);
    expect(await allowed).toEqual([stage.owner.address]);
    expect(stage.reached().map((r) => r.method)).toEqual(['eth_requestAccounts']);
    await stage.closeAll();
  });

  it('takes no lists of another key, no changed ones and no older ones, and refuses by those it has', async () => {
    const other = await listService();
    const empty = snapshotOf({}, new Date(Date.now() + 60_000));
    const forged = await other.sign(empty);
    const good = await lists.sign(empty);
    const options = await stage.options();
    const save = options.getByRole('button', { name: 'Save' });
    const told = options.locator('#status');
    for (const [given, words] of [
      [forged, 'the key that is trusted is'],
      [{ ...good, snapshot: { ...good.snapshot, issuedAt: new Date(0).toISOString() } }, 'were changed'],
      [await lists.sign(snapshotOf({}, new Date(0))), 'the service gave older ones'],
    ] as const) {
      lists.give(given);
      await save.click();
      await told.getByText(words).waitFor();
    }
    lists.give(null);
    const page = await stage.open('drainer.test');
    expect(await page.evaluate(REQUEST)).toEqual([
      4001,
      'Safe Handshake refused drainer.test: it is malicious',
    ]);
    other.close();
    await stage.closeAll();
  });

  it('leaves everything else of a wallet as it was', async () => {
    const page = await stage.open('shop.test');
    expect(
      await page.evaluate(`(async () => {
        const p = ethereum; const heard = [];
        addEventListener('eip6963:announceProvider', ({ detail }) => heard.push([detail.info.rdns, detail.provider === p]));
        dispatchEvent(new Event('eip6963:requestProvider'));
        const on = []; const listener = (x) => on.push(x); p.on('hello', listener); p.emit('hello', 1); p.removeListener('hello', listener); p.emit('hello', 2);
        const sent = await new Promise((r) => p.sendAsync({ id: 7, method: 'eth_chainId', params: [] }, (e, a) => r(a)));
        return { heard, on, sent, chain: await p.request({ method: 'eth_chainId' }), again: await p.send('eth_chainId'),
          is: [p.isMetaMask, p.chainId, p.isConnected(), await p._metamask.isUnlocked()] };
      })()`),
    ).toEqual({
      heard: [['test.wallet', true]],
      on: [1],
      sent: { id: 7, jsonrpc: '2.0', result: '0x3ea' },
      ...{ chain: '0x3ea', again: '0x3ea', is: [true, '0x3ea', true, true] },
    });
  });
});
