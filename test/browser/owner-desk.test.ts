import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESK_COMMANDS } from '../../api/desk/commands.ts';
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

  /** The key by which the seller acts. */
  let listed: string;

  beforeAll(async () => {
    folder = await serviceFolder();
    service = await folder.start();
    story = storyOn(folder);
    await story.importLists();
    [owner, seller] = await Promise.all([story.proceedingOwner(), story.proceedingOwner()]);
    signer = owner;
    selling = await story.assemble(
      seller,
      'sells-to-hands',
      'Sell digital products, max 500 USDC per deal, for 30 days.',
    );
    // Its custody holds nobody who is listed below, so the seller's own determinations find nothing.
    lot = await story.list(seller, selling, { askUsd: 120, floorUsd: 100 }, await story.owner());
    // Listed first, found out about later: the deal's own determination sees it.
    listed = await story.sessionKeyOf(selling);
    await story.importLists({ register: 'known-scam', address: listed });
    browser = await launchChromium();
    context = await browser.newContext();
    await context.exposeFunction('walletAsks', wallet);
    // What crosses into the page keeps no code of its own: it is made an error there.
    await context.addInitScript(`window.ethereum = { request: async (r) => {
      const { refused, said } = await window.walletAsks(r);
      if (refused) throw Object.assign(new Error(refused.message), { code: refused.code });
      return said;
    } }`);
    page = patient(await context.newPage());
  });
  afterAll(async () => {
    await browser?.close();
    await folder?.remove();
  });

  /** Of the wallet in the browser: where it is, which chains it knows, and what it was asked to do about them. */
  let onChain = 1;
  const known = new Map<number, { chainName: string; rpcUrls: string[] } | null>([[1, null]]);
  const switches: string[] = [];

  /** What a wallet in a browser answers (EIP-1193, 3326, 3085): it begins on mainnet, and signs documents for its own chain alone. */
  async function wallet(asked: { method: string; params: unknown[] }): Promise<unknown> {
    try {
      return { said: await answered(asked) };
    } catch (error) {
      const { message, code = -32603 } = error as { message: string; code?: number };
      return { refused: { message, code } };
    }
  }

  async function answered({ method, params }: { method: string; params: unknown[] }): Promise<unknown> {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [signer.address];
    if (method === 'eth_chainId') return `0x${onChain.toString(16)}`;
    if (method === 'personal_sign') return signer.signMessage({ message: { raw: params[0] as Hex } });
    if (method === 'wallet_switchEthereumChain') {
      const id = Number((params[0] as { chainId: string }).chainId);
      switches.push(`switch ${id}`);
      if (!known.has(id)) throw Object.assign(new Error('Unrecognized chain ID.'), { code: 4902 });
      onChain = id;
      return null;
    }
    if (method === 'wallet_addEthereumChain') {
      const chain = params[0] as { chainId: string; chainName: string; rpcUrls: string[] };
      switches.push(`add ${Number(chain.chainId)}`);
      known.set(Number(chain.chainId), chain);
      return null;
    }
    if (method === 'eth_signTypedData_v4') {
      const typed = JSON.parse(params[1] as string) as { domain: { chainId: number } };
      if (Number(typed.domain.chainId) !== onChain)
        throw new Error(
          `Provided chainId "${typed.domain.chainId}" must match the active chainId "${onChain}"`,
        );
      return signer.signTypedData(typed as never);
    }
    throw new Error(`${method} is none of a wallet's methods here`);
  }

  /** Goes to an act of the desk as a person does, fills in its form and sends it. */
  async function fillIn(command: string, fields: Record<string, string>, button: string): Promise<void> {
    const { id } = DESK_COMMANDS.find(({ title }) => title.includes(command))!;
    await page.goto(`${service.baseUrl}/desk/${id}?handle=${HANDLE}`);
    for (const [name, value] of Object.entries(fields)) await set(name, value);
    await page.getByRole('button', { name: button }).click();
  }

  /** A field that the page knows the values of is a choice once the wallet is connected. */
  async function set(name: string, value: string): Promise<void> {
    await page.waitForLoadState('networkidle');
    const field = page.getByLabel(name, { exact: true });
    const choice = await field.evaluate((e: { tagName: string }) => e.tagName === 'SELECT');
    await (choice ? field.selectOption(value) : field.fill(value));
  }

  /** Pictures for whoever looks at the pages: SHOTS names the folder. */
  async function shot(name: string): Promise<void> {
    const folder = process.env.SHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  async function sign(): Promise<void> {
    const button = page.getByRole('button', { name: 'Sign with the wallet in this browser' });
    await button.waitFor();
    await page.waitForLoadState();
    // Once the wallet has signed, the form is sent: what is answered is another page, or stands in its place.
    const loaded = page.waitForEvent('load');
    loaded.catch(() => {});
    const shown = await button.elementHandle();
    await button.click();
    const gone = shown!.waitForElementState('hidden').catch(() => loaded);
    await Promise.race([loaded, gone]);
    await page.waitForLoadState();
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
    for (const command of DESK_COMMANDS) {
      // What is optional is left out; a figure or a choice is the first that the form would send.
      const typed = Object.fromEntries(
        command.fields.map(({ name, kind, options, optional }) => [
          name,
          optional
            ? ''
            : (options?.find(([value]) => value !== '')?.[0] ?? (kind === 'money' ? '12.50' : 'X')),
        ]),
      );
      const { method, path, body } = command.request(typed);
      const operation = operationOf(method, path);
      found.add(operation?.operationId);
      const signed = operation?.security?.some((s: object) => 'ownerSignature' in s) ?? false;
      expect([command.id, signed]).toEqual([command.id, command.by === undefined]);
      const confirm = command.confirm?.(typed, '2');
      if (confirm !== undefined)
        expect([command.id, operationOf('POST', confirm)?.operationId]).toEqual([
          command.id,
          `${operation.operationId}-confirm`,
        ]);
      const query = operation.parameters?.map((p: { name: string }) => p.name) ?? [];
      const asked = [...new URLSearchParams(path.split('?')[1]).keys()];
      expect([command.id, query]).toEqual([command.id, expect.arrayContaining(asked)]);
      if (body === undefined) continue;
      const taken = operation.requestBody.content['application/json'].schema;
      const schema = taken.anyOf?.[0] ?? taken;
      expect([command.id, Object.keys(schema.properties)]).toEqual([
        command.id,
        expect.arrayContaining(Object.keys(body)),
      ]);
      expect([command.id, Object.keys(body)]).toEqual([
        command.id,
        expect.arrayContaining(schema.required ?? []),
      ]);
      // What may be chosen is what is taken.
      for (const { name, options } of command.fields) {
        const field = schema.properties[name] ?? schema.properties.asset?.properties[name];
        const allowed = field?.enum ?? field?.items?.enum;
        if (options === undefined || allowed === undefined) continue;
        const offered = options.flatMap(([value]) => (value === '' ? [] : [value]));
        expect([command.id, name, allowed]).toEqual([command.id, name, expect.arrayContaining(offered)]);
      }
    }
    const owners = Object.values<object>(paths)
      .flatMap((p) => Object.values<{ operationId: string; security?: object[] }>(p as never))
      .filter((o) => o.security?.some((s) => 'ownerSignature' in s))
      .map((o) => o.operationId);
    // The dashboard itself opens a session to read.
    expect(owners.filter((id) => !found.has(id))).toEqual(['read-session']);
  });

  it('writes a mandate with the keyboard alone, is asked about it, pays, and finds the agent minted', async () => {
    await page.goto(`${service.baseUrl}/dashboard`);
    await page.getByRole('link', { name: 'Make an agent' }).first().click();
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
    await page.getByText('Sign elsewhere and paste the signature').click();
    await page.getByLabel('Signature').fill('0x1234');
    await page.getByRole('button', { name: 'Send the signature' }).click();
    await page.getByRole('alert').getByText('is not one of').waitFor();
    expect((await story.api.get(`/settings/${seller.address}`)).body.onFlagged).toBe('stop');
  });

  it('is offered no wallet where the browser has none, and reads all that is to be signed on a small screen', async () => {
    const bare = patient(await browser.newPage({ viewport: { width: 320, height: 640 } }));
    await bare.goto(`${service.baseUrl}/desk/settings`);
    await bare.getByLabel('Your wallet').fill(owner.address);
    await bare.getByLabel('A deal that is FLAGGED').selectOption('ask');
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
      'Buy, or change a price',
      { Listing: lot.listingRef, Category: 'digital-products', 'Limit in dollars': '110' },
      'Place the order',
    );
    const words = `Buy 'A thing' (eip155:1002/erc721:${lot.contract.toLowerCase()}/${lot.tokenId}) with agent ${HANDLE} for at most 110.00 USD, for 7 days from now.`;
    expect(await page.getByText(words).count()).toBe(2);
    await shot('order-to-sign');
    await sign();
    await page.getByRole('status').getByText('It matched at $105.00').waitFor();
    expect(await page.getByText('is on the book').count()).toBe(0);
    await shot('order-matched');

    // Nobody told the owner: the desk does.
    await until('the deal to wait', async () => {
      await page.goto(`${service.baseUrl}/dashboard?wallet=${owner.address}`);
      return (await page.getByRole('heading', { name: 'A deal waits for you' }).count()) === 1 ? true : null;
    });
    await shot('desk-waiting');
    await page.goto(`${service.baseUrl}/dashboard?wallet=${seller.address}`);
    expect(await page.getByRole('heading', { name: 'A deal waits for you' }).count()).toBe(0);
    await page.goto(`${service.baseUrl}/dashboard?wallet=${owner.address}`);
    await page.getByRole('link', { name: 'See it, and decide' }).click();
    await page.getByRole('button', { name: 'Show the deals' }).click();
    await sign();
    await page
      .locator('.finding')
      .filter({ hasText: /FLAGGED\s*Counterparty wallet/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Stop it: nothing moves' }).waitFor();
    await shot('deal-waiting');
    await page.evaluate(axe.source);
    const waiting = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
    expect(waiting.violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`)).toEqual([]);
    await page.getByRole('button', { name: 'Proceed: let it settle' }).click();
    const named = page.getByText(
      /^Proceed with deal .* for 105\.00 USD\. Found: .*Counterparty wallet FLAGGED/,
    );
    await named.first().waitFor();
    await shot('decision-to-sign');
    await sign();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.getByRole('status').getByText('You let the deal go on.').waitFor();

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
    await page.getByLabel('Due (optional)').fill('2199-01-31');
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
    await page.goto(`${service.baseUrl}/determination?address=${listed}&chainId=1002`);
    await page.getByRole('link', { name: 'Pay from a wallet in this browser' }).click();
    await page.getByLabel('Your wallet').fill(owner.address);
    await page.getByRole('button', { name: 'Check it' }).click();
    await page
      .getByRole('heading', { name: 'A transfer of $0.01 in test USDC on Safe Handshake test chain' })
      .waitFor();
    await shot('payment-to-sign');
    await sign();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'list-known-scam' })
      .getByText('FLAG')
      .first()
      .waitFor();
    await page.getByText(/2 of 2 reviewers found a flag: .*Lists of known scams/).waitFor();
    await shot('checked');
    await page.getByRole('link', { name: /^rec_/ }).waitFor();
  });

  it('has a deal evaluated: told what it costs and what is looked at, at its fields what is wrong, and who sat', async () => {
    await page.goto(`${service.baseUrl}/desk/evaluate?handle=${HANDLE}&serial=x`);
    await page.getByLabel('How much to look at').selectOption('tier3');
    await page.getByLabel('Category').selectOption('digital-products');
    await page.getByLabel('Your wallet').fill(owner.address);
    await page.getByRole('row', { name: 'Digital products $0.01 $0.01' }).waitFor();
    await page.getByRole('button', { name: 'Go on to what it costs' }).click();
    await page.getByRole('link', { name: 'Price in dollars: fill it in too' }).click();
    await page.keyboard.type('110');
    await page.getByRole('button', { name: 'Go on to what it costs' }).click();
    await page.getByRole('link', { name: 'Serial: must be 3 to 64' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('9780306406157');
    await page.getByLabel('How deep to look').selectOption('superconsensus');
    await page.getByRole('button', { name: 'Go on to what it costs' }).click();
    await page
      .getByRole('heading', { name: 'A transfer of $0.01 in test USDC on Safe Handshake test chain' })
      .waitFor();
    await page.getByText('Shill bidding and collusion: it needs a listing and its seller').waitFor();
    await sign();
    await page.getByRole('heading', { name: 'Have a deal evaluated' }).waitFor();
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
    expect(violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`)).toEqual([]);
    await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
    // Five seats on each of the four determinations whose facts were there.
    const seats = page.getByRole('region', { name: /^Reviewers and votes/ }).getByRole('rowheader');
    expect(await seats.count()).toBe(20);
    await page
      .getByRole('heading', { name: /^Provenance and stolen goods (CLEAN|FLAGGED|INCONCLUSIVE)$/ })
      .waitFor();
    await page
      .getByRole('region', { name: /^Reasoning/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: /^rec_/ }).click();
    await page.getByRole('heading', { name: 'Proof' }).waitFor();
  });

  it('checks a Solana address without choosing a chain for it, and an EVM address on the home chain unless told', async () => {
    await page.goto(`${service.baseUrl}/desk/check`);
    expect(await page.getByLabel('Chain it is checked on').inputValue()).toBe('1002');
    await shot('check');
    await page.getByLabel('Address to check').fill('So11111111111111111111111111111111111111112');
    await page.getByLabel('Your wallet').fill(owner.address);
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.getByRole('heading', { name: /^A transfer of/ }).waitFor();
    await sign();
    await page.getByText('So11111111111111111111111111111111111111112').first().waitFor();
    await page.getByRole('link', { name: /^rec_/ }).waitFor();
  });

  it('has its wallet, which begins on mainnet, take on and change to each chain that a document is for', async () => {
    expect(switches.slice(0, 2)).toEqual(['switch 1002', 'add 1002']);
    expect(known.get(1002)).toMatchObject({
      chainName: 'Safe Handshake test chain',
      rpcUrls: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:/)],
    });
    // Words are signed wherever it is.
    onChain = 1;
    const before = switches.length;
    await fillIn(
      'Choose what a finding causes',
      { 'Your wallet': owner.address, 'A deal that is FLAGGED': 'ask' },
      'Choose',
    );
    await sign();
    await page.getByRole('status').getByText('From now on').waitFor();
    expect([onChain, switches.length]).toEqual([1, before]);
    // Paid on the other network, from the chain that it knows by now.
    await page.goto(`${service.baseUrl}/desk/check?address=${selling.account}&chainId=1002`);
    await page.getByLabel('Your wallet').fill(owner.address);
    await page.getByLabel('It pays on').selectOption('eip155:84532');
    await page.getByRole('button', { name: 'Check it' }).click();
    await sign();
    await page.getByRole('link', { name: /^rec_/ }).waitFor();
    expect([onChain, ...switches.slice(before)]).toEqual([
      84532,
      'switch 84532',
      'add 84532',
      'switch 84532',
    ]);
  });

  it('changes a mandate from the words of today, reads old and new side by side, and folds what the contract checks', async () => {
    await page.goto(`${service.baseUrl}/desk/mandate?handle=${HANDLE}`);
    const box = page.getByLabel('What it may do');
    expect(await box.inputValue()).toBe('Buy digital products, max 150 USDC per deal, for 30 days.');
    await page.goto(`${service.baseUrl}/desk/mandate`);
    await set('Agent’s handle', HANDLE);
    await page.getByRole('button', { name: 'Propose it' }).click();
    expect(await box.inputValue()).toBe('Buy digital products, max 150 USDC per deal, for 30 days.');
    await box.fill('Buy digital products, max 200 USDC per deal.');
    await page.getByRole('button', { name: 'Propose it' }).click();
    await page.getByRole('alert').getByText('On which date does the mandate expire?').waitFor();
    await box.fill('Buy digital products, max 200 USDC per deal, for 40 days.');
    await page.getByRole('button', { name: 'Propose it' }).click();
    for (const at of ['proposed', 'to-confirm']) {
      await page.getByRole('deletion').getByText('At most 150 USDC per deal.').waitFor();
      await page.getByRole('insertion').getByText('At most 200 USDC per deal.').waitFor();
      await shot(`mandate-${at}`);
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
      expect(violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`)).toEqual([]);
      if (at === 'proposed') await sign();
    }
    const tall = Number(await page.evaluate('document.documentElement.scrollHeight'));
    expect(tall).toBeLessThan(2_200);
    await sign();
    await page.getByRole('status').getByText('the chain').waitFor();
    await until('the new terms', async () =>
      (await story.api.get(`/agent/${HANDLE}`)).body.mandate.text.includes('max 200') ? true : null,
    );
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
