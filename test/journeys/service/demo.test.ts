import { afterAll, beforeAll, expect, it } from 'vitest';
import { runDemo } from '../../../runtime/cli/demo.ts';
import { runCommand, type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';

let folder: ServiceFolder;

beforeAll(async () => {
  folder = await serviceFolder();
});
afterAll(() => folder.remove());

it('runs from mandate to anchored record, on a first start and again on a second one', async () => {
  const first = await folder.start();
  const told: string[] = [];
  const ending = await runDemo(folder.env, (chapter) => told.push(chapter));
  expect(ending.clearingPriceUsd).toBe(105);
  expect(ending.sellerGotUsd).toBe(102.9);
  expect(ending.assetOwner.toLowerCase()).toBe(ending.buyerAccount.toLowerCase());
  expect(new Set(told)).toEqual(
    new Set([
      'wallets',
      'registers',
      'x402',
      'mandate',
      'mint',
      'settings',
      'listing',
      'order',
      'match',
      'settlement',
      'record',
      'chain',
    ]),
  );
  const verified = await runCommand(['record', 'verify', ending.recordId], { env: folder.env });
  expect(verified.stdout).toContain(`${ending.recordId} holds.`);

  first.kill('SIGINT');
  expect(await first.ended).toBe(0);
  expect(first.output()).toContain('Stopped.');

  await folder.start();
  const matches = await (await fetch(`http://127.0.0.1:${folder.env.PORT}/matches`)).json();
  expect(matches.items).toHaveLength(1);
  const again = await runCommand(['record', 'verify', ending.recordId], { env: folder.env });
  expect(again.stdout).toContain(`${ending.recordId} holds.`);
  await runDemo(folder.env, () => {});
}, 400_000);
