import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROOF } from '../../api/words/browser.ts';
import { until } from '../../runtime/cli/demo/client.ts';
import { mintAsset } from '../../runtime/cli/dev.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../fixtures/service.ts';
import { type Story, storyOn } from '../fixtures/story-stage.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';
import type { Effort, Hands } from './hands.ts';
import { go as open, sign, told, type Visitor, visitor } from './visitor.ts';

/** What each journey takes, measured by keyboard and by touch; the two must take the same. */
const DOCUMENT = new URL('../../docs/journeys.md', import.meta.url);
const measured = new Map<string, Effort>();
const MANDATE = 'Buy digital products, max 150 USDC per deal, for 30 days.';

describe.runIf(CHROMIUM !== undefined)('the journeys of an owner', () => {
  let folder: ServiceFolder;
  let service: ServiceProcess;
  let story: Story;
  let browser: Browser;
  let rpcUrl: string;

  beforeAll(async () => {
    folder = await serviceFolder();
    service = await folder.start();
    story = storyOn(folder);
    await story.importLists();
    rpcUrl = findRunning(folder.dataDir)!.chains['1002']!.rpcUrl;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await folder?.remove();
  });

  const go = (page: Page, path: string) => open(page, service.baseUrl + path);

  /** Both ways of using the pages must take the same. */
  function note(journey: string, { effort }: Hands): void {
    const took = effort();
    expect([journey, measured.get(journey) ?? took]).toEqual([journey, took]);
    measured.set(journey, took);
  }

  async function connect(page: Page, hands: Hands): Promise<void> {
    await go(page, '/');
    await hands.press(page.getByRole('button', { name: 'Connect', exact: true }));
    await page.getByRole('button', { name: /^0x/ }).waitFor();
  }

  async function describeAgent(page: Page, hands: Hands, handle: string): Promise<void> {
    await go(page, '/agents/new');
    await hands.type('What it may do', MANDATE);
    await hands.type('Its handle', handle);
    await hands.press(page.getByRole('button', { name: 'Read it back to me' }));
    await page.getByText('At most 150 USDC per deal.').waitFor();
  }

  async function minted(page: Page, handle: string): Promise<void> {
    await until('the mint', async () => {
      if ((await page.getByRole('heading', { name: `${handle} is minted` }).count()) === 1) return true;
      await page.reload();
      return null;
    });
  }

  describe.each(['keyboard', 'touch'] as const)('by %s', (by) => {
    const own = `buys-by-${by}`;
    const paidInDollars = `dollar-by-${by}`;
    const sells = `sells-by-${by}`;
    const lotName = `Fjord at Dusk, by ${by}`;
    let buyer: Visitor;
    let owner: PrivateKeyAccount;

    beforeAll(async () => {
      owner = await story.owner();
      const choice = { wallet: owner.address, onFlagged: 'ask', onInconclusive: 'ask' };
      await story.api.signedPost(owner, '/settings', choice);
      buyer = await visitor(browser, by, owner, rpcUrl);
    });
    afterAll(() => buyer?.close());

    it('connects, and makes an agent by card', async () => {
      const { page, hands } = buyer;
      await connect(page, hands);
      note('Connect a wallet', hands);
      await describeAgent(page, hands, own);
      await hands.press(page.getByRole('button', { name: 'Go on to pay $5.00' }));
      await hands.press(page.getByRole('link', { name: 'Pay $5.00 by card' }));
      note('Make an agent, by card (without the card’s own page)', hands);
      for (const [label, value] of Object.entries({
        'Card number': '4242424242424242',
        Month: '12',
        Year: '34',
        CVC: '123',
      }))
        await page.getByLabel(label).fill(value);
      await page.getByRole('button', { name: 'Pay $5.00' }).click();
      await minted(page, own);
    });

    it('makes an agent by a token of dollars', async () => {
      const { page, hands } = buyer;
      await describeAgent(page, hands, paidInDollars);
      await hands.press(page.getByRole('button', { name: 'Pay in USDC from your wallet' }));
      await sign(page, hands);
      note('Make an agent, by dollar token', hands);
      await minted(page, paidInDollars);
    });

    it('funds it, and sees the balance without a reload', async () => {
      const { page, hands } = buyer;
      await go(page, `/agent/${own}`);
      const fund = page.locator('wallet-act[kind=fund]');
      const heard = told(page, /^Changed: .*balance and limits/);
      await hands.type(fund.getByLabel('Dollars'), '300');
      await hands.press(fund.getByRole('button', { name: 'Send the money' }));
      await fund.getByText(`Done. Send 300 dollars to the account of ${own}.`).waitFor();
      note('Fund an agent', hands);
      await page.locator('#caps').getByText('$300.00').first().waitFor();
      await heard;
      await page.locator('#holdings').getByRole('cell', { name: '$300.00' }).waitFor();
    });

    it('deposits a token and lists it, approves another and lists that, and others hear of it', async () => {
      const seller = await story.proceedingOwner();
      await story.assemble(seller, sells, 'Sell digital products, max 500 USDC per deal, for 30 days.');
      const { contract, tokenId } = await mintAsset(folder.env, seller.address);
      const { page, hands, close, complaints } = await visitor(browser, by, seller, rpcUrl);
      await connect(page, hands);
      hands.effort();
      // Somebody else who looks at the market hears of what comes there.
      await go(buyer.page, '/catalogue');
      const heard = told(buyer.page, /^Changed: .*what is for sale/);
      await go(page, `/agent/${sells}`);
      const deposit = page.locator('wallet-act[kind=deposit]');
      await hands.paste(deposit.getByLabel('Token contract'), contract);
      await hands.paste(deposit.getByLabel('Token number'), tokenId);
      await hands.press(deposit.getByRole('button', { name: 'Deposit it' }));
      note('Deposit a token', hands);
      await hands.press(deposit.getByRole('link', { name: 'Sell it' }));
      await page.getByRole('heading', { name: 'Sell a token' }).waitFor();
      await hands.type('Description', lotName);
      await hands.choose('Category', 'digital-products');
      await hands.type('Ask in dollars', '120');
      await hands.type('Least you would take (optional)', '100');
      await hands.press(page.getByRole('button', { name: 'List it' }));
      await sign(page, hands);
      await page.getByText('It is listed. It is for sale now.').waitFor();
      note('List it', hands);
      await heard;
      await buyer.page.getByRole('link', { name: lotName }).waitFor();
      await go(page, `/agent/${sells}`);
      await page
        .locator('#holdings')
        .getByRole('row', { name: lotName })
        .getByRole('link', { name: 'For sale now' })
        .waitFor();

      const kept = await mintAsset(folder.env, seller.address);
      const approve = page.locator('wallet-act[kind=approve]');
      await hands.paste(approve.getByLabel('Token contract'), kept.contract);
      await hands.paste(approve.getByLabel('Token number'), kept.tokenId);
      await hands.press(approve.getByRole('button', { name: 'Approve it' }));
      await approve.getByText(`Done. Let the Settlement contract deliver token ${kept.tokenId}`).waitFor();
      note('Approve a token that stays in the wallet', hands);
      await hands.press(approve.getByRole('link', { name: 'Sell it' }));
      await page.getByRole('heading', { name: 'Sell a token' }).waitFor();
      expect(await page.getByLabel('Where the asset is').inputValue()).toBe('owner-signed');
      await hands.type('Description', `Kept by its owner, by ${by}`);
      await hands.choose('Category', 'digital-products');
      await hands.type('Ask in dollars', '90');
      await hands.press(page.getByRole('button', { name: 'List it' }));
      await sign(page, hands);
      await page.getByText('It is listed. It is for sale now.').waitFor();
      hands.effort();
      expect(complaints).toEqual([]);
      await close();
    });

    it('finds the lot, and offers: the sentence is the one that is signed', async () => {
      const { page, hands } = buyer;
      await go(page, '/catalogue');
      await hands.press(page.getByRole('link', { name: lotName }));
      await page.getByRole('heading', { level: 1, name: lotName }).waitFor();
      await page.locator('select[name=handle]').waitFor();
      await hands.type('At most, in dollars', '110');
      await hands.choose('Bought by your agent', own);
      await hands.press(page.getByRole('button', { name: 'Make an offer' }));
      const words = page.getByText(new RegExp(`^Buy '${lotName}' .* for at most 110\\.00 USD`));
      await words.first().waitFor();
      expect(await page.locator('textarea[data-message]').getAttribute('data-message')).toContain(
        (await words.first().textContent()) ?? 'nothing',
      );
      await sign(page, hands);
      await page.getByRole('status').getByText('It matched at $105.00').waitFor();
      note('Offer for a lot', hands);
    });

    it('reads with one signature what was found, decides beside it, and sees it settle without a reload', async () => {
      const { page, hands } = buyer;
      await until('the deal to wait', async () => {
        await go(page, `/dashboard?wallet=${owner.address}`);
        return (await page.getByRole('heading', { name: 'A deal waits for you' }).count()) > 0 ? true : null;
      });
      await hands.press(page.getByRole('button', { name: 'Sign once to read what is yours' }));
      const proceed = page.getByRole('button', { name: 'Proceed: let it settle' });
      await proceed.waitFor();
      await page
        .getByText(/could not be judged/)
        .first()
        .waitFor();
      await hands.press(proceed);
      await sign(page, hands);
      await page.getByRole('status').getByText('You let the deal go on.').waitFor();
      note('Decide on a deal that waits', hands);
      const heard = told(page, 'No deal waits for you any more.');
      await hands.press(page.getByRole('button', { name: 'Close' }));
      await heard;
      hands.effort();
      expect(await page.getByRole('button', { name: 'Proceed: let it settle' }).count()).toBe(0);
      await go(page, `/agent/${own}`);
      await page.locator('#activity').getByText('anchored').first().waitFor();
    });

    it('withdraws what is left', async () => {
      const { page, hands } = buyer;
      const withdraw = page.locator('wallet-act[kind=withdraw]');
      await hands.type(withdraw.getByLabel('Dollars'), '10');
      await hands.press(withdraw.getByRole('button', { name: 'Take it out' }));
      await withdraw.getByText('Done. Take 10 dollars out').waitFor();
      note('Withdraw', hands);
    });

    it('changes the mandate from today’s words, old and new side by side', async () => {
      const { page, hands } = buyer;
      await hands.press(page.getByRole('link', { name: 'Edit what it may do' }));
      expect(await page.getByLabel('What it may do').inputValue()).toBe(MANDATE);
      await hands.type('What it may do', MANDATE.replace('150', '140'));
      await hands.press(page.getByRole('button', { name: 'Propose it' }));
      await page.getByRole('deletion').getByText('At most 150 USDC per deal.').waitFor();
      await sign(page, hands);
      await page.getByText('Sign once more').waitFor();
      await sign(page, hands);
      await page.getByRole('status').getByText('the chain').first().waitFor();
      note('Change a mandate', hands);
    });

    it('reads its earnings by period, and takes them along for another program', async () => {
      const { page, hands } = buyer;
      hands.effort();
      await go(page, `/dashboard?wallet=${owner.address}`);
      const months = page.getByRole('button', { name: 'Last 12 months' });
      await hands.press(months);
      await page.getByText('Each bar is a month.').waitFor();
      expect(await months.getAttribute('aria-pressed')).toBe('true');
      await page
        .getByRole('listitem')
        .filter({ hasText: 'spent on purchases' })
        .getByText('$105.00')
        .waitFor();
      const file = page.waitForEvent('download');
      await hands.press(page.getByRole('button', { name: 'Download all deals (CSV)' }));
      const csv = readFileSync(await (await file).path(), 'utf8');
      note('Look at a year, and take the deals along', hands);
      expect(csv).toMatch(
        new RegExp(`,${own},buyer,deal_\\w+,eip155:1002/erc721:\\S+,"${lotName}",105,0,-105,0x`),
      );
    });

    it('decides on one deal of three, and then on the two that are left by one signature', async () => {
      const seller = await story.proceedingOwner();
      const many = await story.assemble(
        seller,
        `many-by-${by}`,
        'Sell digital products, max 500 USDC per deal, for 30 days.',
      );
      const { account, tokenId } = (await story.api.get(`/agent/${own}`)).body;
      const buying = { handle: own, account, tokenId };
      for (let n = 0; n < 3; n++) {
        const lot = await story.list(seller, many, { askUsd: 40, floorUsd: 20 });
        expect((await story.order(owner, buying, lot, 40)).body).toMatchObject({ status: 'matched' });
      }
      const { page, hands } = buyer;
      await until('three deals to wait', async () => {
        await go(page, `/dashboard?wallet=${owner.address}`);
        return (await page.getByRole('heading', { name: '3 deals wait for you' }).count()) === 1
          ? true
          : null;
      });
      const waiting = page.locator('.queue > div');
      await until('the three with what was found', async () => ((await waiting.count()) === 3 ? true : null));
      await hands.press(waiting.first().getByRole('button', { name: 'Stop it: nothing moves' }));
      // The page may hear that two are left before the answer comes.
      const left = told(page, /2 deals/);
      await sign(page, hands);
      await page.getByRole('status').getByText('You stopped the deal').waitFor();
      await hands.press(page.getByRole('button', { name: 'Close' }));
      await left;
      await until('two to be left', async () => ((await waiting.count()) === 2 ? true : null));
      hands.effort();
      for (const box of await waiting.getByRole('checkbox').all()) await hands.tick(box);
      await hands.press(page.getByRole('button', { name: 'Proceed with the ticked' }));
      await page
        .getByText(/^Proceed with 2 deals, each told below: 'A thing' for 30\.00 USD; /)
        .first()
        .waitFor();
      expect(await page.getByText(/^Proceed with deal deal_\w+ of agent .* Found: /).count()).toBe(2);
      await sign(page, hands);
      await page.getByRole('status').getByText('You let 2 deals go on.').waitFor();
      note('Decide on two deals at once', hands);
      const none = told(page, 'No deal waits for you any more.');
      await hands.press(page.getByRole('button', { name: 'Close' }));
      await none;
      hands.effort();
      await until('both to settle', async () => {
        const { items } = (await story.api.signedGet(owner, `/agent/${own}/deals`)).body;
        const settled = items.filter(
          (d: { state: string; priceUsd: number }) =>
            d.priceUsd === 30 && ['settled', 'recorded'].includes(d.state),
        );
        return settled.length === 2 ? true : null;
      });
    });

    it('runs an example on the page for developers, and is shown the answer as a program gets it', async () => {
      const { page, hands } = buyer;
      await go(page, '/developers');
      for (const path of ['/pricing', '/catalogue?limit=2']) {
        await hands.press(page.getByRole('button', { name: `GET ${path}`, exact: true }));
        const answer = JSON.stringify((await story.api.get(path)).body, null, 2);
        const shown = page.getByRole('region', { name: 'Answer' });
        await until('the answer', async () =>
          (await shown.textContent()) === `200\n${answer}` ? true : null,
        );
        if (path === '/pricing') note('Run an example for developers', hands);
      }
      hands.effort();
    });

    it('checks a wallet and pays for it on one page, and proves the record in the browser', async () => {
      const { page, hands } = buyer;
      await go(page, '/');
      await hands.paste('Wallet or contract to check', '0x000000006551c19487814612e58FE06813775758');
      await hands.press(page.getByRole('button', { name: 'Check for $0.01' }));
      await sign(page, hands);
      await page.getByRole('link', { name: /^rec_/ }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
      note('Check a wallet and pay', hands);
      await hands.press(page.getByRole('link', { name: /^rec_/ }));
      await page.getByRole('heading', { name: 'Proof' }).waitFor();
      await until('the anchor', async () => {
        await page.reload();
        return (await page.getByText('anchored', { exact: true }).count()) > 0 ? true : null;
      });
      await page.getByRole('button', { name: /^0x/ }).waitFor();
      await hands.press(page.getByRole('button', { name: 'Check it in this browser' }));
      await page.locator('.proof-steps').getByText('holds the root').waitFor();
      const steps = await page.locator('.proof-steps li').allTextContents();
      expect(steps.filter((s) => !s.startsWith('✓ holds'))).toEqual([`${PROOF.results.open} ${PROOF.named}`]);
      note('Prove a record', hands);
    });

    it('stops all agents by one signature, and no page broke a policy', async () => {
      const { page, hands, complaints } = buyer;
      await go(page, `/dashboard?wallet=${owner.address}`);
      await hands.press(page.getByRole('link', { name: 'Stop all my agents' }));
      await hands.press(page.getByRole('button', { name: 'Stop them all' }));
      await sign(page, hands);
      await page
        .getByRole('status')
        .getByText(/^Paused: /)
        .waitFor();
      note('Stop all agents', hands);
      const statuses = [own, paidInDollars].map(
        async (h) => (await story.api.get(`/agent/${h}`)).body.status,
      );
      expect(await Promise.all(statuses)).toEqual(['paused', 'paused']);
      expect(complaints).toEqual([]);
    });
  });

  // `UPDATE_JOURNEYS=1 npx vitest run --project parts test/browser/journeys.test.ts` writes it anew.
  it('take what the document tells', () => {
    const rows = [...measured].map(([name, e]) => `| ${name} | ${e.clicks} | ${e.typed} | ${e.pasted} |`);
    const kept = readFileSync(DOCUMENT, 'utf8');
    const table = `| Journey | Clicks | Typed fields | Pastes |\n|---|---|---|---|\n${rows.join('\n')}`;
    const next = kept.replace(/\| Journey[\s\S]*?\n(?!\|)/, `${table}\n`);
    if (process.env.UPDATE_JOURNEYS === '1') writeFileSync(DOCUMENT, next);
    expect(readFileSync(DOCUMENT, 'utf8')).toContain(table);
  });
});
