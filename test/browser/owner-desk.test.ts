import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESK_ACTS } from '../../api/desk/acts.ts';
import { until } from '../../runtime/cli/demo/client.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../fixtures/service.ts';
import { type Agent, type Lot, type Story, storyOn } from '../fixtures/story-stage.ts';
import { CHROMIUM, launchChromium, patient } from './chromium.ts';

/** An owner who has a browser with a wallet in it, and nothing else. */

const HANDLE = 'by-hand';

describe.runIf(CHROMIUM !== undefined)('an owner with a browser', () => {
  let folder: ServiceFolder;
  let service: ServiceProcess;
  let story: Story;
  let owner: PrivateKeyAccount;
  let seller: PrivateKeyAccount;
  /** Whose wallet is in the browser. */
  let signer: PrivateKeyAccount;
  let selling: Agent;
  let lot: Lot;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    folder = await serviceFolder();
    service = await folder.start();
    story = storyOn(folder);
    await story.importLists();
    [owner, seller] = await Promise.all([story.owner(), story.owner()]);
    signer = owner;
    selling = await story.assemble(
      seller,
      'sells-to-hands',
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 });
    // Listed first, found out about later: the deal's own determination sees it.
    await story.importLists({ register: 'known-scam', address: selling.account });
    browser = await launchChromium();
    context = await browser.newContext();
    await context.exposeFunction('walletAsks', wallet);
    await context.addInitScript('window.ethereum = { request: (r) => window.walletAsks(r) }');
    page = patient(await context.newPage());
  });
  afterAll(async () => {
    await browser?.close();
    await folder?.remove();
  });

  /** What a wallet in a browser answers (EIP-1193). */
  async function wallet({ method, params }: { method: string; params: string[] }): Promise<unknown> {
    if (method === 'eth_requestAccounts') return [signer.address];
    if (method === 'personal_sign') return signer.signMessage({ message: { raw: params[0] as Hex } });
    if (method === 'eth_signTypedData_v4') return signer.signTypedData(JSON.parse(params[1]!));
    throw new Error(`${method} is none of a wallet's methods here`);
  }

  /** Goes to an act of the desk as a person does, fills in its form and sends it. */
  async function fillIn(act: string, fields: Record<string, string>, button: string): Promise<void> {
    await page.goto(`${service.baseUrl}/desk?handle=${HANDLE}`);
    await page.getByRole('link', { name: act }).click();
    for (const [name, value] of Object.entries(fields)) {
      const field = page.getByLabel(name, { exact: true });
      const choice = await field.evaluate((e: { tagName: string }) => e.tagName === 'SELECT');
      await (choice ? field.selectOption(value) : field.fill(value));
    }
    await page.getByRole('button', { name: button }).click();
  }

  async function sign(): Promise<void> {
    const button = page.getByRole('button', { name: 'Sign with the wallet in this browser' });
    await button.waitFor();
    await page.waitForLoadState();
    // The script sends the form once the wallet has signed: what is answered is another page.
    const answered = page.waitForEvent('load');
    await button.click();
    await answered;
  }

  it('finds a form for each act that is an owner’s, and in it only what the interface takes, all that it demands filled in', async () => {
    const { paths } = (await story.api.get('/openapi.json')).body;
    const operationOf = (method: string, path: string) => {
      const [place = ''] = path.split('?');
      const fits = (template: string) =>
        new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(place) &&
        method.toLowerCase() in paths[template];
      return paths[Object.keys(paths).find(fits) ?? '']?.[method.toLowerCase()];
    };
    const found = new Set<string>();
    for (const act of DESK_ACTS) {
      // What is optional is left out; a figure or a choice is what the form would send.
      const typed = Object.fromEntries(
        act.fields.map(({ name, kind, options, optional }) => [
          name,
          optional ? '' : (options?.[0]?.[0] ?? (kind === 'money' ? '12.50' : 'X')),
        ]),
      );
      const { method, path, body } = act.request(typed);
      const operation = operationOf(method, path);
      found.add(operation?.operationId);
      const signed = operation?.security?.some((s: object) => 'ownerSignature' in s) ?? false;
      expect([act.id, signed]).toEqual([act.id, act.by === undefined]);
      const confirm = act.confirm?.(typed, '2');
      if (confirm !== undefined)
        expect([act.id, operationOf('POST', confirm)?.operationId]).toEqual([
          act.id,
          `${operation.operationId}-confirm`,
        ]);
      const query = operation.parameters?.map((p: { name: string }) => p.name) ?? [];
      const asked = [...new URLSearchParams(path.split('?')[1]).keys()];
      expect([act.id, query]).toEqual([act.id, expect.arrayContaining(asked)]);
      if (body === undefined) continue;
      const taken = operation.requestBody.content['application/json'].schema;
      const schema = taken.anyOf?.[0] ?? taken;
      expect([act.id, Object.keys(schema.properties)]).toEqual([
        act.id,
        expect.arrayContaining(Object.keys(body)),
      ]);
      expect([act.id, Object.keys(body)]).toEqual([act.id, expect.arrayContaining(schema.required ?? [])]);
      // What may be chosen is what is taken.
      for (const { name, options } of act.fields) {
        const field = schema.properties[name] ?? schema.properties.asset?.properties[name];
        const allowed = field?.enum ?? field?.items?.enum;
        if (options === undefined || allowed === undefined) continue;
        const offered = options.flatMap(([value]) => (value === '' ? [] : [value]));
        expect([act.id, name, allowed]).toEqual([act.id, name, expect.arrayContaining(offered)]);
      }
    }
    const owners = Object.values<object>(paths)
      .flatMap((p) => Object.values<{ operationId: string; security?: object[] }>(p as never))
      .filter((o) => o.security?.some((s) => 'ownerSignature' in s))
      .map((o) => o.operationId);
    expect(owners.filter((id) => !found.has(id))).toEqual([]);
  });

  it('writes a mandate with the keyboard alone, is asked about it, pays, and finds the agent minted', async () => {
    await page.goto(`${service.baseUrl}/desk`);
    await page.getByRole('link', { name: 'Bring a new agent' }).click();
    await page.getByLabel('What it may do').focus();
    const typed = ['Buy digital products, max 150 USDC per deal.', HANDLE, owner.address];
    for (const text of typed) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    // The kind, the depth, the button.
    for (let i = 0; i < 2; i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('On which date does the mandate expire?').waitFor();
    expect(await page.getByLabel('Your wallet').inputValue()).toBe(owner.address);

    await page.getByLabel('What it may do').fill('Buy digital products, max 150 USDC per deal, for 30 days.');
    await page.getByRole('button', { name: 'Read it back to me' }).click();
    await page.getByText('At most 150 USDC per deal.').waitFor();
    await page.getByRole('button', { name: 'Go on to pay $5.00' }).click();
    await page.getByRole('link', { name: 'Pay $5.00 by card' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Month').fill('12');
    await page.getByLabel('Year').fill('34');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: 'Pay $5.00' }).click();
    // However long the mint takes, a look again tells.
    await until('the mint', async () => {
      if ((await page.getByRole('heading', { name: `${HANDLE} is minted` }).count()) === 1) return true;
      await page.reload();
      return null;
    });
    await page.getByRole('link', { name: `See ${HANDLE}` }).click();
    await page.waitForURL(`${service.baseUrl}/agent/${HANDLE}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(HANDLE);
    expect((await story.api.get(`/agent/${HANDLE}`)).body).toMatchObject({
      owner: owner.address.toLowerCase(),
      tier: 'AGENT',
      status: 'active',
    });
  });

  it('is told which account must sign, and that a signature of nothing is none', async () => {
    await fillIn(
      'Choose what a finding causes',
      { 'Your wallet': seller.address, 'A deal that is FLAGGED': 'ask' },
      'Choose',
    );
    await page.getByRole('button', { name: 'Sign with the wallet in this browser' }).click();
    await page.getByRole('status').getByText('The wallet holds another account').waitFor();
    await page.getByLabel('Signature').fill('0x1234');
    await page.getByRole('button', { name: 'Send the signature' }).click();
    await page.getByRole('alert').getByText('is not one of').waitFor();
    expect((await story.api.get(`/settings/${seller.address}`)).body.onFlagged).toBe('stop');
  });

  it('is offered no wallet where the browser has none, and reads all that is to be signed on a small screen', async () => {
    const bare = patient(await browser.newPage({ viewport: { width: 320, height: 640 } }));
    await bare.goto(`${service.baseUrl}/desk/settings`);
    await bare.getByLabel('Your wallet').fill(owner.address);
    await bare.getByRole('button', { name: 'Choose' }).click();
    await bare.getByRole('button', { name: 'Send the signature' }).waitFor();
    expect(await bare.getByRole('button', { name: 'Sign with the wallet' }).count()).toBe(0);
    const hiddenPart =
      "[...document.querySelectorAll('pre')].filter((e) => e.scrollWidth > e.clientWidth).length";
    expect(await bare.evaluate(hiddenPart)).toBe(0);
    expect(await bare.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await bare.close();
  });

  it('signs a setting, buys, decides on the deal that waits, and finds its record', async () => {
    await fillIn(
      'Choose what a finding causes',
      { 'Your wallet': owner.address, 'A deal that is FLAGGED': 'ask' },
      'Choose',
    );
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
    expect(violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`)).toEqual([]);
    await sign();
    expect((await story.api.get(`/settings/${owner.address}`)).body.onFlagged).toBe('ask');

    const { account } = (await story.api.get(`/agent/${HANDLE}`)).body;
    await story.give(owner, account, 300);
    await fillIn(
      'Buy, or re-price',
      { Listing: lot.listingRef, Category: 'digital-products', 'Limit in dollars': '110' },
      'Place the order',
    );
    await page.getByText('Rest an order to buy for agent').waitFor();
    await sign();
    await page.getByText('"status": "matched"').waitFor();

    await until('the deal to wait', async () => {
      await fillIn('See your deals', {}, 'Show the deals');
      await sign();
      return (await page.getByRole('link', { name: 'Decide' }).count()) === 1 ? true : null;
    });
    await page.getByRole('link', { name: 'Decide' }).click();
    await page.getByLabel('Your decision').selectOption('proceed');
    await page.getByRole('button', { name: 'Decide' }).click();
    await sign();
    await page.getByRole('heading', { name: 'Done' }).waitFor();

    const { recordUrl } = await story.recorded({ ...selling, handle: HANDLE, account }, 'deal-settled');
    await page.goto(recordUrl);
    await page.getByText('anchored', { exact: true }).waitFor();
  });

  it('certifies a thing, transfers it, pledges it and releases it, and has news sent to a program', async () => {
    signer = seller;
    await fillIn(
      'Certify a real thing',
      {
        'Agent’s handle': selling.handle,
        Serial: '9780306406157',
        Description: 'A book',
        Category: 'digital-products',
        'Ask in dollars': '30',
      },
      'Certify and list it',
    );
    await sign();
    await page.getByRole('link', { name: 'serial:isbn:9780306406157' }).click();
    await page.getByRole('link', { name: 'Transfer it' }).click();
    await page.getByLabel('To', { exact: true }).fill(owner.address);
    await page.getByRole('button', { name: 'Transfer it' }).click();
    await sign();
    await page.getByText('Sign once more').waitFor();
    await sign();
    await page.getByRole('link', { name: /^[0-9]+$/ }).click();
    await page.getByText('transferred', { exact: true }).waitFor();
    signer = owner;
    await page.getByRole('link', { name: 'Pledge it' }).click();
    await page.getByLabel('Your wallet').fill(owner.address);
    await page.getByLabel('What for').fill('loan-2027-14');
    await page.getByLabel('Last day (optional)').fill('2199-01-31');
    await page.getByRole('button', { name: 'Pledge it' }).click();
    await sign();
    await page.getByRole('link', { name: 'Release it' }).click();
    await page.getByRole('button', { name: 'Release it' }).click();
    await sign();
    await page.getByText('The pledge has ended').waitFor();

    await page.goto(`${service.baseUrl}/desk/subscribe`);
    await page.getByLabel('Your wallet').fill(owner.address);
    await page.getByLabel('Address').fill('http://127.0.0.1:9/hook');
    await page.getByLabel('A deal waits for you').check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await sign();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('link', { name: 'End it' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await sign();
    await page.getByText('Nothing more goes there').waitFor();
  });

  it('pays for a check by a transfer that the wallet signs', async () => {
    signer = owner;
    await page.goto(`${service.baseUrl}/determination?address=${selling.account}&chainId=1002`);
    await page.getByRole('link', { name: 'Pay from a wallet in this browser' }).click();
    await page.getByLabel('Your wallet').fill(owner.address);
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.getByRole('heading', { name: 'A transfer of $0.01 in test USDC on eip155:1002' }).waitFor();
    await sign();
    await page.getByRole('row', { name: 'list-known-scam FLAG ' }).waitFor();
    await page.getByRole('link', { name: /^rec_/ }).waitFor();
  });

  it('has a deal evaluated: told what it costs and what is looked at, at its fields what is wrong, and who sat', async () => {
    await page.goto(`${service.baseUrl}/desk/evaluate?handle=${HANDLE}&serial=x`);
    await page.getByLabel('How much to look at').selectOption('tier3');
    await page.getByLabel('Category').selectOption('digital-products');
    await page.getByLabel('Your wallet').fill(owner.address);
    await page.getByRole('row', { name: 'digital-products $0.01 $0.01' }).waitFor();
    await page.getByRole('button', { name: 'Go on to what it costs' }).click();
    await page.getByRole('link', { name: 'Price in dollars: fill it in too' }).click();
    await page.keyboard.type('110');
    await page.getByRole('button', { name: 'Go on to what it costs' }).click();
    await page.getByRole('link', { name: 'Serial: must be 3 to 64' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('9780306406157');
    await page.getByLabel('How deep to look').selectOption('superconsensus');
    await page.getByRole('button', { name: 'Go on to what it costs' }).click();
    await page.getByRole('heading', { name: 'A transfer of $0.01 in test USDC on eip155:1002' }).waitFor();
    await page.getByText('Shill bidding and collusion: it needs a listing and its seller').waitFor();
    await sign();
    await page.getByRole('heading', { name: 'Have a deal evaluated' }).waitFor();
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
    expect(violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`)).toEqual([]);
    // Five seats on each of the four determinations whose facts were there.
    const seats = page.getByRole('region', { name: /^Seats and votes/ }).getByRole('rowheader');
    expect(await seats.count()).toBe(20);
    await page
      .getByRole('heading', { name: /^Provenance and stolen goods (CLEAN|FLAGGED|INCONCLUSIVE)$/ })
      .waitFor();
    await page.getByText('The reasoning, step by step').first().click();
    await page
      .getByRole('region', { name: /^Reasoning/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: /^rec_/ }).click();
    await page.getByRole('heading', { name: 'Proof' }).waitFor();
  });

  it('pauses the agent, and signs what the contract checks as well', async () => {
    await fillIn('Pause, resume', { 'What to do': 'pause' }, 'Do it');
    await sign();
    await until('the pause', async () =>
      (await story.api.get(`/agent/${HANDLE}`)).body.status === 'paused' ? true : null,
    );
    await page.getByText('Sign once more').waitFor();
    await sign();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await until('the chain to hold to it', async () => {
      const { heldBy } = (await story.api.get(`/agent/${HANDLE}`)).body;
      return heldBy?.includes('owner-on-chain') ? true : null;
    });
  });
});
