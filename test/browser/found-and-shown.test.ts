import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COPY } from '../../api/words/browser.ts';
import { CHECKS } from '../../api/words/checks.ts';
import { openCommand } from '../../runtime/cli/open.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../fixtures/story-stage.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

/** What stands on every page of a service that runs: where one is, how to find a thing, and what can be copied. */
describe.runIf(CHROMIUM !== undefined)('somebody who looks around', () => {
  let folder: ServiceFolder;
  let service: ServiceProcess;
  let story: Story;
  let browser: Browser;
  let page: Page;
  let agent: Agent;
  let lot: Lot;

  beforeAll(async () => {
    folder = await serviceFolder();
    service = await folder.start();
    story = storyOn(folder);
    const owner = await story.owner();
    agent = await story.assemble(
      owner,
      'found-by-all',
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    lot = await story.list(owner, agent, { askUsd: 120, floorUsd: 100 });
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    page = patient(await context.newPage());
  });
  afterAll(async () => {
    await browser?.close();
    await folder?.remove();
  });

  it('is led by the search to an agent, a lot, the check of an address, and to words of what is for sale', async () => {
    const { recordId } = await story.recorded(agent, 'agent-purchase');
    for (const [words, place] of [
      ['found-by-all', '/agent/found-by-all'],
      [lot.listingRef, `/lots/${lot.listingRef}`],
      [recordId, `/records/${recordId}`],
      [agent.account, `/?address=${agent.account}#check`],
      ['a thing', '/catalogue?q=a%20thing'],
    ] as const) {
      await page.goto(service.baseUrl);
      await page.getByRole('searchbox', { name: 'Search' }).fill(words);
      await page.keyboard.press('Enter');
      await page.waitForURL(service.baseUrl + place);
    }
    await page.goto(`${service.baseUrl}/?address=${agent.account}#check`);
    expect(await page.getByLabel('Wallet or contract to check').inputValue()).toBe(agent.account);
  });

  it('is told on every page that it is a test network, and by which sign to know the page again', async () => {
    for (const place of [
      '/',
      '/catalogue',
      `/lots/${lot.listingRef}`,
      '/agent/found-by-all',
      '/developers',
    ]) {
      await page.goto(service.baseUrl + place);
      expect(await page.locator('header').getByText('Test networks').isVisible()).toBe(true);
      const icon = (await page.locator('link[rel=icon]').getAttribute('href')) ?? '';
      const answer = await page.request.get(service.baseUrl + icon);
      expect([answer.status(), answer.headers()['content-type']]).toEqual([
        200,
        expect.stringMatching(/^image\/svg/),
      ]);
    }
  });

  it('reads for nothing, and without script, what a check will look at', async () => {
    const bare = await browser.newPage({ javaScriptEnabled: false });
    await bare.goto(service.baseUrl);
    await bare.getByText('What will be looked at').click();
    for (const name of ['list-sanctions', 'principals', 'transfers', 'contract-code'] as const)
      expect([name, await bare.getByText(CHECKS.names[name], { exact: true }).isVisible()]).toEqual([
        name,
        true,
      ]);
    await bare.close();
  });

  it('copies an address whole that is shown short, and is told so', async () => {
    await page.goto(`${service.baseUrl}/agent/found-by-all`);
    const chip = page.locator(`address-chip[value="${agent.account}"]`).first();
    expect(await chip.locator('[aria-hidden]').innerText()).toMatch(/^0x[0-9a-fA-F]{6}…[0-9a-fA-F]{6}$/);
    await chip.getByRole('button').click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(agent.account);
    // Seen at the edge of the page, and read out.
    expect(await page.locator('.toasts[aria-live=polite]').getByText(COPY.copied).isVisible()).toBe(true);
  });

  it('opens from the command line only pages that are there', async () => {
    const help = openCommand({}).registeredArguments[0]!.description;
    const pages = help.split(/, (?:or one of )?/);
    expect(pages).toEqual(expect.arrayContaining(['home', 'dashboard', 'operator']));
    for (const name of pages.filter((p) => !['agent', 'lot', 'record', 'certificate'].includes(p))) {
      const { url } = await openedAs(name);
      const { status } = await fetch(url, { headers: { accept: 'text/html' } });
      // The operator's page asks for a key first.
      expect([name, status]).toEqual([name, name === 'operator' ? 401 : 200]);
    }
  });

  async function openedAs(name: string): Promise<{ url: string }> {
    const said: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((line: string) => said.push(line));
    await openCommand(folder.env).parseAsync(['node', 'open', name, '--json']);
    log.mockRestore();
    return JSON.parse(said.join('')) as { url: string };
  }
});
