import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedSnapshot } from '../../../agents/registers/list-snapshot.ts';
import { openLists } from '../../../extension/lists/own-lists.ts';
import { verifySnapshot } from '../../../extension/lists/verify.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { attested } from '../../fixtures/attested.ts';
import { type ServiceFolder, type ServiceProcess, serviceFolder } from '../../fixtures/service.ts';
import { CHROMIUM } from '../chromium.ts';
import { openStage, type Stage } from './stage.ts';

const LISTED = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const REQUEST = `ethereum.request({ method: 'eth_requestAccounts' }).catch((e) => [e.code, e.message])`;

describe.runIf(CHROMIUM !== undefined)('the extension, with its service', () => {
  let folder: ServiceFolder;
  let service: ServiceProcess;
  let stage: Stage;
  let chain: { readonly rpcUrl: string; readonly usdc: string; readonly settlement: string };

  /** Imports a list of one register, as an operator does. */
  async function importList(register: string, rows: readonly object[]): Promise<void> {
    const { operatorApiKey } = JSON.parse(readFileSync(join(folder.dataDir, 'secrets.json'), 'utf8'));
    const response = await fetch(`${service.baseUrl}/register/${register}?source=test&${attested()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorApiKey}`, 'content-type': 'application/x-ndjson' },
      body: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    });
    expect([response.status, await response.text()]).toEqual([201, expect.anything()]);
  }

  beforeAll(async () => {
    folder = await serviceFolder();
    service = await folder.start();
    await importList('phishing-domains', [{ domain: 'drainer.test' }]);
    await importList('known-domains', [{ domain: 'honest-exchange.test' }]);
    await importList('known-scam', [{ address: LISTED }]);
    await importList('sanctions', [{ address: `0x${'9'.repeat(40)}` }]);
    chain = findRunning(folder.dataDir)!.chains['1002']!;
    stage = await openStage({ service: service.baseUrl, rpcUrl: chain.rpcUrl });
    await stage.listsTaken();
  });
  afterAll(async () => {
    await stage?.close();
    await folder?.remove();
  });

  it('takes its lists, signed, with the entries of every register of bad addresses and sites', async () => {
    const signed = (await (await fetch(`${service.baseUrl}/origin/lists`)).json()) as SignedSnapshot;
    await expect(verifySnapshot(signed, signed.signature.signer)).resolves.toBeUndefined();
    const lists = openLists(signed.snapshot, Date.now());
    expect(lists.host('login.drainer.test')).toEqual(['phishing-domains/test']);
    expect(lists.host('honest-exchange.test')).toEqual([]);
    expect(lists.address(LISTED)).toEqual(['known-scam/test']);
    const again = await fetch(`${service.baseUrl}/origin/lists`, {
      headers: { 'if-none-match': `"${signed.hash}"` },
    });
    expect(again.status).toBe(304);
    await importList('known-scam', [{ address: LISTED }, { address: `0x${'8'.repeat(40)}` }]);
    const next = (await (await fetch(`${service.baseUrl}/origin/lists`)).json()) as SignedSnapshot;
    expect(openLists(next.snapshot, Date.now()).address(`0x${'8'.repeat(40)}`)).toEqual(['known-scam/test']);
  });

  it('lets a clean site connect without a window of its own', async () => {
    const page = await stage.open('honest-exchange.test');
    expect(await page.evaluate(REQUEST)).toEqual([stage.owner.address]);
    expect(stage.reached().map((r) => r.method)).toEqual(['eth_requestAccounts']);
    await stage.closeAll();
  });

  it('refuses a site that no list names, and that pretends to be a known one', async () => {
    const page = await stage.open('h0nest-exchange.test');
    expect(await page.evaluate(REQUEST)).toEqual([4001, expect.stringContaining('it is malicious')]);
    expect(await stage.answer(false)).not.toContain('Go on');
    expect(stage.reached()).toEqual([]);
    await stage.closeAll();
  });

  const send = (page: Page, to: string) =>
    page.evaluate(
      `ethereum.request({ method: 'eth_sendTransaction', params: [{ from: '${stage.owner.address}', to: '${to}', value: '0x64' }] }).catch((e) => [e.code, e.message])`,
    );

  const fields = (declared: string) =>
    declared.split(', ').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }));
  const ofUsdc = (primaryType: string, declared: string, message: object) => ({
    types: {
      EIP712Domain: fields('string name, string version, uint256 chainId, address verifyingContract'),
      [primaryType]: fields(declared),
    },
    ...{ primaryType, message },
    domain: { name: 'USDC', version: '2', chainId: 1002, verifyingContract: chain.usdc },
  });
  const permitOf = (value: string, spender: string) =>
    ofUsdc('Permit', 'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline', {
      ...{ owner: stage.owner.address, spender, value, nonce: 0, deadline: 4102444800 },
    });
  const transferOf = (value: string, to: string) =>
    ofUsdc(
      'TransferWithAuthorization',
      'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
      {
        ...{ from: stage.owner.address, to, value, validAfter: 0, validBefore: 4102444800 },
        nonce: `0x${'0a'.repeat(32)}`,
      },
    );

  it('reads a payment on this computer alone until a budget is set, and buys a determination then', async () => {
    await fund(folder.env, stage.owner.address, '5');
    const page = await stage.open('honest-exchange.test');
    const refused = send(page, `0x${'7'.repeat(40)}`);
    expect(await stage.answer(false)).toContain('no budget is set for paid checks');
    expect(await refused).toEqual([4001, expect.anything()]);

    const options = await stage.options();
    const account = /0x[0-9a-fA-F]{40}/.exec(
      await options.getByText('Send it USDC').textContent().then(String),
    )![0];
    await fund(folder.env, account, '1');
    await options.getByLabel('Paid checks, dollars a day at most').fill('0.09');
    await options.getByRole('button', { name: 'Save' }).click();
    await options.getByText('Last fetch').waitFor();

    const sent = send(page, privateKeyToAccount(generatePrivateKey()).address);
    const shown = await stage.answer(true);
    expect(shown).not.toContain('on this computer alone');
    expect(shown).toContain('0.0000000000000001 of the chain’s own coin');
    expect(shown).toContain('What it says');
    expect(shown).not.toContain('It names no chain');
    expect(shown).toContain('Clean');
    expect(await sent).toMatch(/^0x[0-9a-f]{64}$/);
    await options.reload();
    await options.getByText('0.01 dollars').waitFor();

    // The same power by a signature as by a transaction.
    const sign = (typed: object) =>
      page.evaluate(
        `ethereum.request({ method: 'eth_signTypedData_v4', params: ['${stage.owner.address}', '${JSON.stringify(typed)}'] }).catch((e) => [e.code, e.message])`,
      );
    const thief = privateKeyToAccount(generatePrivateKey()).address;
    for (const value of ['5000000', `${2n ** 256n - 1n}`]) {
      const signed = sign(permitOf(value, thief));
      const why = await stage.answer(false);
      expect(why).toContain('Malicious');
      expect(why).toContain(`${thief.toLowerCase()}, an account that a key alone decides over, gets`);
      expect(await signed).toEqual([4001, expect.anything()]);
    }
    const honest = sign(permitOf('5', chain.settlement));
    expect(await stage.answer(true)).toContain('Clean');
    expect(await honest).toMatch(/^0x[0-9a-f]{130}$/);

    // A transfer that is signed is tried out as the same transfer (EIP-3009, by which x402 pays).
    const payment = sign(transferOf('2500000', chain.settlement));
    const paid = await stage.answer(true);
    expect(paid).toMatch(/Leaves: 2\.5 USDC/);
    expect(paid).toContain('Clean');
    expect(await payment).toMatch(/^0x[0-9a-f]{130}$/);

    // Of two transactions at once the service is asked about one party, and tries neither out.
    const to = () => privateKeyToAccount(generatePrivateKey()).address;
    const calls = [to(), to()].map((one) => ({ to: one, value: '0x1' }));
    const batch = [{ version: '2.0.0', chainId: '0x3ea', from: stage.owner.address, calls }];
    const both = page.evaluate(
      `ethereum.request({ method: 'wallet_sendCalls', params: ${JSON.stringify(batch)} }).catch((e) => [e.code, e.message])`,
    );
    const told = await stage.answer(false);
    expect(told).toContain('These 2 transactions were not tried out');
    expect(told).toContain('Not checked');
    expect(await both).toEqual([4001, expect.anything()]);

    // One call is tried out for the account that the batch names; a new contract beside it is a second call.
    const asked = (given: object[]) =>
      page.evaluate(
        `ethereum.request({ method: 'wallet_sendCalls', params: ${JSON.stringify([{ ...batch[0], calls: given }])} }).catch((e) => [e.code, e.message])`,
      );
    const one = asked([{ to: to(), value: '0x64' }]);
    expect(await stage.answer(false)).toContain('Leaves: 0.0000000000000001 of the chain’s own coin\n');
    expect(await one).toEqual([4001, expect.anything()]);
    const made = asked([{ to: to() }, { data: '0x6000', value: '0x4563918244f40000' }]);
    const words = await stage.answer(false);
    expect(words).toContain('Leaves: 5 of the chain’s own coin goes to a new contract.');
    expect(words).toContain('Not checked');
    expect(await made).toEqual([4001, expect.anything()]);
    await stage.closeAll();
  });
});
