import { type Address, createPublicClient, erc721Abi, type Hex, http, type LocalAccount } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { verifyRecord } from '../../../runtime/cli/record/record.ts';
import { attested } from '../../fixtures/attested.ts';
import { voidCertificate } from '../../fixtures/chain/void-certificate.ts';
import { expectProblem, inDays, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

const MANDATE = `Buy and sell real-world assets, max 500 USDC per deal, until ${inDays(30)}.`;
const VIN = '1HGCM82633A004352';

let stage: WireStage;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let sells: WireAgent;
let buys: WireAgent;

beforeAll(async () => {
  stage = await wireStage();
  [seller, buyer] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  [sells, buys] = await Promise.all([
    stage.agent(seller, { mandate: MANDATE }),
    stage.agent(buyer, { mandate: MANDATE }),
  ]);
  await stage.moveUsd(buyer, buys.account, '400');
  for (const register of ['sanctions', 'known-scam']) await importRow(register, `0x${'0b'.repeat(20)}`);
});
afterAll(() => stage.stop());

async function importRow(register: string, row: string): Promise<void> {
  const answer = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'text/csv' },
    body: `${register === 'stolen' ? 'key' : 'address'}\n${row}\n`,
  });
  if (!answer.ok) throw new Error(`${register}: ${answer.status} ${await answer.text()}`);
}

const lot = (serial: object, change: object = {}) => ({
  asset: serial,
  description: 'A saloon car of 2003',
  askUsd: 300,
  negotiable: false,
  category: 'real-world-assets',
  gate: 'deposit',
  ...change,
});
const list = (owner: LocalAccount, agent: WireAgent, body: object) =>
  stage.api.signedPost(owner, `/agent/${agent.handle}/assets`, body);
const order = (asset: object, limitUsd: number) =>
  stage.api.signedPost(buyer, '/order', {
    handle: buys.handle,
    side: 'buy',
    asset,
    category: 'real-world-assets',
    limitUsd,
  });

interface Issued {
  readonly contract: Hex;
  readonly tokenId: string;
  readonly serial: string;
  readonly limit: string;
  readonly url: string;
}

describe('a car, sold by its VIN', () => {
  let certificate: Issued;
  let listingRef: string;

  it('gets a certificate for the agent and is listed on its owner’s signed word, and the answer says what that proves', async () => {
    const path = `/agent/${sells.handle}/assets`;
    const unsigned = await stage.api.post(path, lot({ serial: '1hgcm 82633 a004352' }));
    expectProblem(unsigned, 401, 'signature-required');
    // The line with which the policy on chain compares the signature, and the words on which the certificate is based.
    expect(unsigned.body.sign.message).toMatch(
      /^List token \d+ of 0x[0-9a-f]{40} for at least 150000000 units of 0x[0-9a-f]{40} by agent \d+ of 0x[0-9a-f]{40} on chain 1002 under policy 0x[0-9a-f]{40} for settlement 0x[0-9a-f]{40}, epoch 1, change 0, until \d+\.$/m,
    );
    expect(unsigned.body.sign.message).toContain(`urn:serial:vin:${VIN}`);
    expect(unsigned.body.sign.message).toContain('urn:words:i-have-it-and-may-sell-it');

    const body = expectStatus(
      await list(seller, sells, lot({ serial: '1hgcm 82633 a004352' })),
      201,
      'listing',
    );
    ({ certificate, listingRef } = body);
    expect(certificate).toMatchObject({
      serial: `serial:vin:${VIN}`,
      limit: expect.stringContaining('signed word'),
    });
    const shown = expectStatus(await stage.api.get(`/certificates/${certificate.tokenId}`), 200, 'reading');
    expect(shown).toMatchObject({
      serial: `serial:vin:${VIN}`,
      state: 'live',
      holder: sells.account,
      controller: seller.address.toLowerCase(),
      handle: sells.handle,
      listingRef,
      limit: certificate.limit,
      image: expect.stringMatching(/^data:image\/svg\+xml,/),
      history: [{ kind: 'issued', to: sells.account }],
      historyComplete: true,
    });
    const page = await fetch(certificate.url, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('signed word');
    const row = (await stage.api.get('/catalogue?category=real-world-assets')).body.items[0];
    expect(row).toMatchObject({
      listingRef,
      lot: `serial:vin:${VIN}`,
      contract: certificate.contract,
      tokenId: certificate.tokenId,
    });
  });

  it('describes itself to wallets and explorers at the address that the contract gives', async () => {
    const uri = await createPublicClient({ transport: http(stage.rpcUrl) }).readContract({
      address: certificate.contract,
      abi: erc721Abi,
      functionName: 'tokenURI',
      args: [BigInt(certificate.tokenId)],
    });
    expect(uri).toBe(certificate.url);
    const metadata = (await (await fetch(uri)).json()) as { name: string; attributes: unknown[] };
    expect(metadata.name).toContain(VIN);
    expect(metadata.attributes).toContainEqual({ trait_type: 'serial', value: VIN });
  });

  it('cannot be listed or pledged a second time in any spelling', async () => {
    const spellings = () => [
      { serial: VIN },
      { serial: '1HG-CM82633-A004352' },
      { serial: VIN.toLowerCase(), serialKind: 'generic' },
      { serial: VIN, maker: 'Honda' },
      { serial: `${VIN} (my car)` },
      { contract: certificate.contract, tokenId: certificate.tokenId },
      {
        chainId: 1002,
        contract: `0x${certificate.contract.slice(2).toUpperCase()}`,
        tokenId: `000${certificate.tokenId}`,
      },
      { contract: certificate.contract, tokenId: `0x${BigInt(certificate.tokenId).toString(16)}` },
    ];
    for (const asset of spellings()) {
      const again = await list(seller, sells, lot(asset));
      expectProblem(again, 409, 'double-pledge');
      expect(again.body.listingRef).toBe(listingRef);
      expectProblem(await list(buyer, buys, lot(asset)), 409, 'double-pledge');
      const pledge = { wallet: seller.address, asset, listingRef: 'loan-1' };
      expectProblem(await stage.api.signedPost(seller, '/pledge', pledge), 409, 'double-pledge');
      const byOperator = { authorization: `Bearer ${stage.operatorKey}` };
      expectProblem(await stage.api.post('/pledge', pledge, byOperator), 409, 'double-pledge');
    }
  });

  it('is bought by its serial, settles by its certificate, and the record can be verified', async () => {
    const placed = expectStatus(await order({ serial: VIN, serialKind: 'generic' }, 300), 201, 'the order');
    expect(placed).toMatchObject({ status: 'matched', match: { clearingPriceUsd: 300 } });
    const found = await until('the anchored record of the deal', async () => {
      const { items } = (await stage.api.get(`/agent/${buys.handle}/activity`)).body;
      const item = items.find((i: { kind: string }) => i.kind === 'deal-settled');
      if (!item) {
        const deals = (await stage.api.signedGet(buyer, `/agent/${buys.handle}/deals`)).body.items;
        if (['stopped', 'failed'].includes(deals[0]?.state)) throw new Error(JSON.stringify(deals[0]));
      }
      return item?.state === 'anchored' ? item : null;
    });
    expect(found.subject).toBe(`serial:vin:${VIN}`);
    const checked = await verifyRecord(found.recordUrl, stage.rpcUrl, stage.ledger);
    expect(checked.ok).toBe(true);
    const { record } = (await stage.api.get(`/records/${found.recordId}`)).body;
    expect(record.content.certificate).toEqual({
      token: `eip155:1002/erc721:${certificate.contract}/${certificate.tokenId}`,
      limit: certificate.limit,
    });
    const shown = (await stage.api.get(`/certificates/${certificate.tokenId}`)).body;
    expect(shown).toMatchObject({
      holder: buys.account,
      controller: buyer.address.toLowerCase(),
      handle: buys.handle,
      listingRef: null,
      history: [{ kind: 'transferred', from: sells.account, to: buys.account }, { kind: 'issued' }],
    });
    expect((await stage.api.get('/catalogue?category=real-world-assets')).body.items).toEqual([]);
  });

  it('can then be sold by the buyer, and no longer by the seller', async () => {
    expectProblem(await list(seller, sells, lot({ serial: VIN })), 409, 'not-listed');
    const again = expectStatus(
      await list(buyer, buys, lot({ serial: VIN }, { askUsd: 310 })),
      201,
      'selling on',
    );
    expect(again.certificate.tokenId).toBe(certificate.tokenId);
  });
});

describe('a certificate that its owner transfers', () => {
  const IMEI = '490154203237518';
  let tokenId: string;

  beforeAll(async () => {
    const body = expectStatus(await list(seller, sells, lot({ serial: IMEI })), 201, 'listing');
    tokenId = body.certificate.tokenId;
  });

  const ask = (owner: LocalAccount, to: Address) =>
    stage.api.signedPost(owner, `/certificates/${tokenId}/transfer`, { to });
  const confirm = (signature: Hex) =>
    stage.api.post(`/certificates/${tokenId}/transfer/confirm`, { signature });
  const sign = (owner: PrivateKeyAccount, typedData: Parameters<typeof owner.signTypedData>[0]) =>
    owner.signTypedData(typedData);

  it('is requested only by whoever controls it, with the errors in the order of the interface', async () => {
    const path = `/certificates/${tokenId}/transfer`;
    expectProblem(await stage.api.post(path, { to: 'bob' }), 400, 'bad-request');
    expectProblem(await stage.api.post('/certificates/12/transfer', { to: buys.account }), 404, 'not-found');
    const unsigned = await stage.api.post(path, { to: buys.account });
    expectProblem(unsigned, 401, 'signature-required');
    expect(unsigned.body.sign.wallet).toBe(seller.address.toLowerCase());
    expectProblem(await ask(buyer, buys.account), 401, 'signature-invalid');
    expectProblem(await ask(seller, sells.account), 409, 'conflict');
    expectProblem(await ask(seller, `0x${'0'.repeat(40)}`), 400, 'bad-request');
    expectProblem(await confirm('0x1234'), 404, 'not-found');
  });

  it('moves only with the signature that the contract checks, and then leaves catalogue and book', async () => {
    const asked = await ask(seller, buyer.address);
    const { typedData } = expectStatus(asked, 202, 'asking');
    expectProblem(await confirm(await sign(buyer, typedData)), 401, 'signature-invalid');
    expectProblem(await confirm('0x1234'), 401, 'signature-invalid');
    const resting = expectStatus(await order({ serial: IMEI }, 100), 201, 'an order on it');
    expect(resting.status).toBe('resting');

    const signature = await sign(seller, typedData);
    const done = expectStatus(await confirm(signature), 200, 'confirming');
    expect(done).toMatchObject({
      from: sells.account.toLowerCase(),
      to: buyer.address.toLowerCase(),
      tx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    // The same request again gives the same transfer and the same record.
    expect((await confirm(signature)).body).toEqual(done);

    expect((await stage.api.get(`/certificates/${tokenId}`)).body).toMatchObject({
      holder: buyer.address.toLowerCase(),
      controller: buyer.address.toLowerCase(),
      handle: null,
      listingRef: null,
      history: [{ kind: 'transferred', tx: done.tx }, { kind: 'issued' }],
    });
    const lots = (await stage.api.get(`/orders?lot=serial:imei:${IMEI}`)).body.items;
    expect(lots).toEqual([]);
    const orders = (await stage.api.signedGet(buyer, `/agent/${buys.handle}/orders`)).body.items;
    expect(orders.find((o: { orderId: string }) => o.orderId === resting.orderId).status).toBe('cancelled');
    const { items } = (await stage.api.get(`/agent/${sells.handle}/activity`)).body;
    expect(items[0]).toMatchObject({
      kind: 'transferred',
      subject: `serial:imei:${IMEI}`,
      recordUrl: done.recordUrl,
    });
  });

  it('may then be sold from its owner’s own wallet once it is approved, and at once after a new issue', async () => {
    expectProblem(await list(buyer, buys, lot({ serial: IMEI })), 409, 'not-listed');
    const early = await list(buyer, buys, lot({ serial: IMEI }, { gate: 'owner-signed' }));
    expectProblem(early, 409, 'not-listed');
    expect(early.body.detail).toContain('is not approved for the settlement contract');
    const { contract } = (await stage.api.get(`/certificates/${tokenId}`)).body;
    await stage.approve(buyer, { contract, tokenId });
    const body = expectStatus(
      await list(buyer, buys, lot({ serial: IMEI }, { gate: 'owner-signed' })),
      201,
      'listing from the wallet',
    );
    expect(body.certificate.tokenId).toBe(tokenId);
    const fresh = expectStatus(
      await list(buyer, buys, lot({ serial: 'FRAME 77-1' }, { gate: 'owner-signed' })),
      201,
      'a new one',
    );
    const holder = async () =>
      (await stage.api.get(`/certificates/${fresh.certificate.tokenId}`)).body.holder as string;
    expect(await holder()).toBe(buyer.address.toLowerCase());
    await stage.moveUsd(seller, sells.account, '400');
    const placed = await stage.api.signedPost(seller, '/order', {
      handle: sells.handle,
      side: 'buy',
      asset: { contract: fresh.certificate.contract, tokenId: fresh.certificate.tokenId },
      category: 'real-world-assets',
      limitUsd: 300,
    });
    expect(expectStatus(placed, 201, 'the order').status).toBe('matched');
    await until('the certificate with its buyer', async () =>
      (await holder()) === sells.account.toLowerCase() ? true : null,
    );
  });

  it('leaves the market when its owner’s own transaction moves it', async () => {
    const { certificate, listingRef } = expectStatus(
      await list(buyer, buys, lot({ serial: 'FRAME 77-2' }, { gate: 'owner-signed' })),
      201,
      'listing',
    );
    const listed = async () =>
      (await stage.api.get('/catalogue?limit=100')).body.items.some(
        (row: { listingRef: string }) => row.listingRef === listingRef,
      );
    expect(await listed()).toBe(true);
    await stage.moveToken(buyer, certificate, seller.address);
    await until('the lot to leave', async () => ((await listed()) ? null : true));
  });

  it('is shown as void with the reason once an issuer voided it, and leaves the market', async () => {
    const { certificate, listingRef } = expectStatus(
      await list(buyer, buys, lot({ serial: 'FRAME 77-3' }, { gate: 'owner-signed' })),
      201,
      'listing',
    );
    const hash = await voidCertificate(stage.env, certificate, 'the frame number is of another bicycle');
    const { body } = await stage.api.get(`/certificates/${certificate.tokenId}`);
    expect(body).toMatchObject({ state: 'void', holder: buyer.address.toLowerCase() });
    expect(body.history[0]).toMatchObject({
      kind: 'voided',
      reason: 'the frame number is of another bicycle',
      tx: hash,
    });
    expect(body.history.at(-1).kind).toBe('issued');
    const path = `/certificates/${certificate.tokenId}/transfer`;
    const moved = await stage.api.signedPost(buyer, path, { to: seller.address });
    expectProblem(moved, 409, 'conflict');
    expect(moved.body.detail).toContain('void');
    await until('the lot to leave', async () =>
      (await stage.api.get('/catalogue?limit=100')).body.items.some(
        (row: { listingRef: string }) => row.listingRef === listingRef,
      )
        ? null
        : true,
    );
  });
});

describe('a thing that cannot get a certificate', () => {
  it('is one on the register of stolen goods, and no certificate is issued for it', async () => {
    await importRow('stolen', 'serial:vin:1M8GDM9AXKP042788');
    const refused = await list(seller, sells, lot({ serial: '1m8gdm9axkp042788', serialKind: 'generic' }));
    expectProblem(refused, 409, 'not-listed');
    expect(refused.body).toMatchObject({
      detail: expect.stringContaining('stolen'),
      register: 'stolen/test',
    });
    await importRow('stolen', 'serial:generic:PLOUGH9');
    expectProblem(await list(seller, sells, lot({ serial: 'plough-9' })), 409, 'not-listed');
    await importRow('stolen', 'serial:imei:490154203237518');
    for (const serial of ['490154203237518', '49015420323751', '4901542032375101'])
      expectProblem(await list(seller, sells, lot({ serial, maker: 'Acme' })), 409, 'not-listed');
  });

  it('is one that is pledged elsewhere or refused by the mandate, and nothing is written on chain', async () => {
    const asset = { serial: 'TRACTOR-1' };
    const pledge = { wallet: buyer.address, asset, listingRef: 'bank-loan-7', lender: 'A bank' };
    const authorization = `Bearer ${stage.operatorKey}`;
    expectStatus(await stage.api.post('/pledge', pledge, { authorization }), 201, 'the pledge');
    const taken = await list(seller, sells, lot({ serial: 'tractor 1' }));
    expectProblem(taken, 409, 'double-pledge');
    expect(taken.body.listingRef).toBe('bank-loan-7');
    // A phone's number without its check digit, called a maker's.
    const phone = { ...pledge, asset: { serial: '352099001761481' }, listingRef: 'bank-loan-8' };
    expectStatus(await stage.api.post('/pledge', phone, { authorization }), 201, 'the pledge of a phone');
    const hidden = { serial: '35209900176148', maker: 'Acme' };
    expectProblem(await list(seller, sells, lot(hidden)), 409, 'double-pledge');
    const again = { ...phone, asset: hidden, listingRef: 'bank-loan-9' };
    expectProblem(await stage.api.post('/pledge', again, { authorization }), 409, 'double-pledge');
    const over = await list(seller, sells, lot({ serial: 'TRACTOR-2' }, { askUsd: 501 }));
    expectProblem(over, 422, 'mandate-exceeded');
    const noted = await stage.db
      .selectFrom('certificates')
      .select('asset_key')
      .where('asset_key', 'in', ['serial:generic:TRACTOR1', 'serial:generic:TRACTOR2'])
      .execute();
    expect(noted).toEqual([]);
  });

  it('is listed once when many ask at the same time, each in another spelling', async () => {
    const spellings = ['BOAT 5', 'boat-5', 'B.O.A.T.5', 'boat5'];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        list(i % 2 ? seller : buyer, i % 2 ? sells : buys, lot({ serial: spellings[i % 4] })),
      ),
    );
    const through = answers.filter((a) => a.status === 201);
    expect(through).toHaveLength(1);
    for (const answer of answers.filter((a) => a.status !== 201)) {
      expect(['double-pledge', 'not-listed']).toContain(answer.body.code);
    }
  });
});

describe('a number that two makers may have given', () => {
  it('is ordered as the one maker’s thing only where that maker’s is listed, or no maker is named', async () => {
    const body = lot({ serial: 'FRAME 88-1', maker: 'Giant' });
    const { listingRef } = expectStatus(await list(seller, sells, body), 201, 'listing');
    const other = await order({ serial: 'FRAME 88-1', maker: 'Trek' }, 1);
    expectProblem(other, 409, 'not-listed');
    expect(other.body.detail).toContain(listingRef);
    for (const asset of [{ serial: 'frame 88 1' }, { serial: 'FRAME881', maker: 'giant' }]) {
      expectStatus(await order(asset, 1), 201, 'the order');
      await new Promise((rested) => setTimeout(rested, 2_100));
    }
  });
});
