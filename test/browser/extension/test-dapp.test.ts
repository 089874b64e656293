import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import { type ListService, listService, snapshotOf } from './list-service.ts';
import { openStage, type Stage } from './stage.ts';

/** Whom the malicious buttons of the test dapp serve. */
const LISTED = [
  '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  '0x1661f1b207629e4f385da89cff535c8e5eb23ee3',
  '0xe50a2dbc466d01a34c3e8b7e8e45fce4f7da39e6',
  '0xb85492afc686d5ca405e3cd4f50b05d358c75ede',
  '0x0b3e87a076ac4b0d1975f0f232444af6deb96c59',
];
/** What its other buttons sign or send, and what reaches the wallet then. */
const BENIGN: readonly (readonly [id: string, method: string])[] = [
  ['personalSign', 'personal_sign'],
  ['siwe', 'personal_sign'],
  ['siweResources', 'personal_sign'],
  ['signTypedDataV3', 'eth_signTypedData_v3'],
  ['signTypedDataV4', 'eth_signTypedData_v4'],
  ['signPermit', 'eth_signTypedData_v4'],
  ['signPermitSingle', 'eth_signTypedData_v4'],
  ['signPermitBatch', 'eth_signTypedData_v4'],
  ['sendEIP1559Button', 'eth_sendTransaction'],
  ['requestPermissions', 'wallet_requestPermissions'],
];
const MALICIOUS = [
  'maliciousRawEthButton',
  'maliciousERC20TransferButton',
  'maliciousApprovalButton',
  'maliciousContractInteractionButton',
  'maliciousSetApprovalForAll',
  'maliciousPermit',
  'maliciousTradeOrder',
  'maliciousSeaport',
  'maliciousSendWithOddHexData',
  'maliciousApproveERC20WithOddHexData',
  'maliciousSendWithoutHexPrefixValue',
  'maliciousPermitHexPaddedChain',
  'maliciousPermitIntAddress',
  'ppomSendMaliciousEthButton',
  'ppomSendMaliciousERC20TransferButton',
  'ppomSendMaliciousERC20ApprovalButton',
  'ppomSendMaliciousSetApprovalForAllButton',
  'ppomSendMaliciousContractInteractionButton',
  'siweBadDomain',
  'siweBadAccount',
];

describe.runIf(CHROMIUM !== undefined)('MetaMask’s test dapp', () => {
  let lists: ListService;
  let stage: Stage;
  let dapp: Page;

  beforeAll(async () => {
    lists = await listService();
    lists.give(await lists.sign(snapshotOf({ addresses: LISTED })));
    stage = await openStage({ service: lists.url });
    await stage.listsTaken();
    dapp = await stage.openDapp('dapp.test');
    const connect = dapp.locator('#connectButton');
    await connect.waitFor();
    await dapp.waitForFunction(`!document.getElementById('connectButton').disabled`);
    await connect.click();
    await stage.answer(true);
    await dapp.waitForFunction(`!document.getElementById('personalSign').disabled`);
    stage.reached();
  });
  afterEach(async () => {
    await stage.closeWindows();
  });
  afterAll(async () => {
    await stage?.close();
    lists?.close();
  });

  const press = (id: string) => dapp.evaluate(`document.getElementById('${id}').click()`);

  it.each(BENIGN)('has its %s served, once its user goes on', async (id, method) => {
    await press(id);
    if (method !== 'wallet_requestPermissions') await stage.answer(true);
    await expect.poll(() => stage.reached().map((r) => r.method), { timeout: 60_000 }).toEqual([method]);
  });

  it.each(MALICIOUS)('has its %s stopped', async (id) => {
    await press(id);
    const shown = await stage.answer(false);
    expect(shown).toContain('Malicious');
    expect(shown).not.toContain('Go on to the wallet');
    expect(stage.reached()).toEqual([]);
  });

  it('signs nothing that nobody can read', async () => {
    await dapp.evaluate(
      `ethereum.request({ method: 'eth_sign', params: ['${stage.owner.address}', '0x${'ab'.repeat(32)}'] }).catch(() => {})`,
    );
    expect(await stage.answer(false)).toContain('32 bytes that nobody can read');
    expect(stage.reached()).toEqual([]);
  });
});
