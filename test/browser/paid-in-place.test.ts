import type { Browser, Dialog, Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deskCommand } from '../../api/desk/commands.ts';
import { errorPage } from '../../api/html/error-page.ts';
import { SIGN } from '../../api/words/acts.ts';
import { IN_PLACE } from '../../api/words/browser.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../fixtures/service.ts';
import { type Story, storyOn } from '../fixtures/story-stage.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';
import { type Visitor, visitor } from './visitor.ts';

const ADDRESS = '0x000000006551c19487814612e58FE06813775758';
const CENT = 10_000n;
const DESK = '**/desk/check';

/** Somebody who has signed a transfer for a check, on a connection that may break. */
describe.runIf(CHROMIUM !== undefined)('an answer that is paid for', () => {
  let folder: ServiceFolder;
  let service: ServiceProcess;
  let story: Story;
  let browser: Browser;
  let payer: PrivateKeyAccount;
  let at: Visitor;
  let page: Page;
  let money: bigint;

  beforeAll(async () => {
    folder = await serviceFolder();
    service = await folder.start();
    story = storyOn(folder);
    await story.importLists();
    payer = await story.owner();
    browser = await launchChromium();
    at = await visitor(browser, 'keyboard', payer, findRunning(folder.dataDir)!.chains['1002']!.rpcUrl);
    page = at.page;
    await page.goto(service.baseUrl);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: /^0x/ }).waitFor();
  });
  afterAll(async () => {
    await at?.close();
    await browser?.close();
    await folder?.remove();
  });
  beforeEach(async () => {
    money = await story.chain().usdcOf(payer.address);
  });

  const signing = () => page.getByRole('button', { name: SIGN.here });
  const answered = () => page.getByRole('link', { name: /^rec_/ }).waitFor();
  const spent = async () => money - (await story.chain().usdcOf(payer.address));

  /** A connection that breaks after the service has answered. */
  const lost = async (route: Parameters<Parameters<Page['route']>[1]>[0]) => {
    await route.fetch({ timeout: 0 });
    await route.abort('connectionreset');
  };

  /** Goes as far as the transfer that is to be signed. */
  const toSign = async () => {
    await page.goto(service.baseUrl);
    await page.getByRole('button', { name: /^0x/ }).waitFor();
    await page.getByLabel('Wallet or contract to check').fill(ADDRESS);
    await page.getByRole('button', { name: 'Check for $0.01' }).click();
    await signing().waitFor();
  };

  /** Holds the next answer up until it is let go. */
  const heldUp = async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(DESK, async (route) => gate.then(() => route.continue()), { times: 1 });
    return go;
  };

  /** Goes to the transfer that is to be signed on a page of its own. */
  const toSignOnItsOwn = async () => {
    await page.goto(`${service.baseUrl}/desk/check?address=${ADDRESS}&chainId=1002`);
    await page.getByRole('button', { name: /^0x/ }).waitFor();
    await page.getByRole('button', { name: deskCommand('check')!.button }).click();
    await signing().waitFor();
  };

  /** The first press is answered on a connection that breaks. */
  const pressedTwice = async () => {
    await page.route(DESK, lost, { times: 1 });
    await signing().click();
    await page.locator('sign-form').getByText(IN_PLACE.kept).waitFor();
    expect(await spent()).toBe(CENT);
    await signing().click();
    await answered();
    expect(await spent()).toBe(CENT);
  };

  it('is had by a second press where the connection broke after it was given, and is charged once', async () => {
    await toSign();
    await pressedTwice();
  });

  it('is had by a second press on a page of its own, too', async () => {
    await toSignOnItsOwn();
    await pressedTwice();
  });

  it.each([
    ['rate-limited', 429],
    ['unavailable', 503],
  ] as const)('keeps what was signed where the service answers %s', async (code, status) => {
    await toSign();
    const body = errorPage({
      ...{ type: '', title: 'Not now', detail: 'Wait a little.' },
      ...{ code, status, requestId: 'r' },
    }).text;
    await page.route(DESK, (route) => route.fulfill({ status, contentType: 'text/html', body }), {
      times: 1,
    });
    await signing().click();
    await page.locator('sign-form').getByText(IN_PLACE.kept).waitFor();
    await signing().click();
    await answered();
    expect(await spent()).toBe(CENT);
  });

  it.each([
    ['a section', toSign],
    ['a page of its own', toSignOnItsOwn],
  ])(
    'is not lost by leaving %s while it is under way, which asks first, and asks no more after it',
    async (_, sign) => {
      await sign();
      const go = await heldUp();
      await signing().click();
      await page.locator('[aria-busy]').waitFor();
      const asks: string[] = [];
      const staying = async (dialog: Dialog) => {
        asks.push(dialog.type());
        await dialog.dismiss();
      };
      page.on('dialog', staying);
      const menu = page.getByRole('link', { name: 'Market', exact: true });
      await menu.click({ noWaitAfter: true });
      await page.locator('.toasts').getByText(IN_PLACE.paying).first().waitFor();
      expect(asks).toEqual(['beforeunload']);
      go();
      await answered();
      expect(await spent()).toBe(CENT);
      await menu.click();
      await page.waitForURL('**/catalogue');
      expect(asks).toHaveLength(1);
      page.off('dialog', staying);
    },
  );

  it('is not lost by Escape or Close while it is under way in a dialog, which says so', async () => {
    await page.goto(service.baseUrl);
    await page.getByRole('button', { name: /^0x/ }).waitFor();
    await page.evaluate(`(() => {
      const link = document.createElement('a');
      link.href = '/desk/check?address=${ADDRESS}&chainId=1002';
      link.textContent = 'Check the registry';
      document.querySelector('main').append(link);
    })()`);
    await page.getByRole('link', { name: 'Check the registry' }).click();
    const dialog = page.getByRole('dialog', { name: IN_PLACE.dialog });
    await dialog.getByRole('button', { name: deskCommand('check')!.button }).click();
    await signing().waitFor();
    const go = await heldUp();
    await signing().click();
    await dialog.locator('[data-in-place][aria-busy]').waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: IN_PLACE.close }).click();
    await dialog.locator('.toasts').getByText(IN_PLACE.paying).first().waitFor();
    expect(await dialog.isVisible()).toBe(true);
    go();
    await dialog.getByRole('link', { name: /^rec_/ }).waitFor();
    expect(await spent()).toBe(CENT);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
