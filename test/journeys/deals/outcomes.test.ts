import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attested } from '../../fixtures/attested.ts';
import { stockFetch } from '../../fixtures/wallets/payers.ts';
import { expectProblem, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** Parties and the operator say what turned out of a determination. It is shown and counted, and judges nobody. */

let stage: WireStage;
let pay: typeof fetch;

beforeAll(async () => {
  stage = await wireStage({ RATE_LIMIT_WRITES: '1000' });
  pay = stockFetch(await stage.owner(), stage.usdc);
  for (const register of ['sanctions', 'known-scam']) {
    const response = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
      method: 'POST',
      headers: { ...operator(), 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify({ address: '0x00000000000000000000000000000000deadbeef' })}\n`,
    });
    expect(response.status).toBe(201);
  }
});
afterAll(async () => {
  await stage?.stop();
});

const operator = () => ({ authorization: `Bearer ${stage.operatorKey}` });
const wallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());
const HASH = `0x${'ab'.repeat(32)}`;
const FRAUD = { outcome: 'fraudulent', kind: 'counterparty', evidence: [HASH, 'https://court.example/1'] };

async function determined(about: string) {
  const response = await pay(`${stage.baseUrl}/determination?address=${about}&chainId=1002`);
  expect(response.status).toBe(200);
  const { verdict, confidence, checks, recorded } = (await response.json()) as Record<string, unknown>;
  const { recordId } = recorded as { recordId: string };
  return { recordId, found: { verdict, confidence, checks } };
}

const say = (by: PrivateKeyAccount, recordId: string, body: object) =>
  stage.api.signedPost(by, `/records/${recordId}/outcome`, { wallet: by.address, ...body });

async function sayAsOperator(recordId: string, body: object) {
  const response = await fetch(`${stage.baseUrl}/records/${recordId}/outcome`, {
    method: 'POST',
    headers: { ...operator(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const rates = async () => (await stage.api.get('/verdicts')).body.items;

describe('what turned out of a determination', () => {
  it('is said by its party and the operator, once each and for good, and shown with the record', async () => {
    const about = wallet();
    const { recordId } = await determined(about.address);
    expect(await rates()).toEqual([]);
    const honest = await say(about, recordId, { outcome: 'honest' });
    expect([honest.status, honest.body]).toEqual([
      201,
      expect.objectContaining({ by: about.address.toLowerCase(), outcome: 'honest', evidence: [] }),
    ]);
    const again = await say(about, recordId, { outcome: 'honest' });
    expect([again.status, again.body]).toEqual([200, honest.body]);
    expectProblem(await say(about, recordId, FRAUD), 409, 'conflict');
    const fraud = await sayAsOperator(recordId, FRAUD);
    expect([fraud.status, fraud.body]).toMatchObject([201, { by: 'operator', ...FRAUD }]);

    const { body } = await stage.api.get(`/records/${recordId}`);
    expect(body.outcomes).toEqual([honest.body, fraud.body]);
    const html = await fetch(body.recordUrl, { headers: { accept: 'text/html' } }).then((r) => r.text());
    expect(html).toContain('fraudulent (counterparty), says the operator');

    const counted = { determination: 'wallet', verdict: 'CLEAN', contested: 0, wrongPercent: null };
    expect(await rates()).toEqual([
      { ...counted, by: 'operator', honest: 0, fraudulent: 1 },
      { ...counted, by: 'parties', honest: 1, fraudulent: 0 },
    ]);
    await expect(
      stage.db.updateTable('record_outcomes').set({ outcome: 'honest', kind: null }).execute(),
    ).rejects.toThrow('record_outcomes is only added to');
    await expect(stage.db.deleteFrom('record_outcomes').execute()).rejects.toThrow('is only added to');
  });

  it('is said by nobody else, and fraud only with its kind, which the record looked for, and evidence', async () => {
    const [about, stranger] = [wallet(), wallet()];
    const { recordId } = await determined(about.address);
    const path = `/records/${recordId}/outcome`;
    const { api } = stage;
    expectProblem(await api.post(path, { outcome: 'honest' }), 400, 'bad-request');
    expectProblem(await api.post(path, { wallet: about.address, outcome: 'fraudulent' }), 400, 'bad-request');
    expectProblem(
      await api.post(path, { wallet: about.address, outcome: 'honest' }),
      401,
      'signature-required',
    );
    expectProblem(await say(stranger, recordId, { outcome: 'honest' }), 403, 'not-owner');
    expectProblem(await say(about, 'rec_none', { outcome: 'honest' }), 404, 'not-found');
    expectProblem(await say(about, recordId, { ...FRAUD, kind: 'shill-bidding' }), 409, 'conflict');
    expectProblem(
      await stage.api.post(path, { outcome: 'honest' }, { authorization: 'Bearer op_not-a-key-of-this-one' }),
      403,
      'operator-key-invalid',
    );
  });

  it('changes no verdict, however often it is said', async () => {
    const about = wallet();
    // Until the chain is followed from its first block on, a check of what was sent to others is not made.
    await expect
      .poll(async () => (await determined(about.address)).found.checks, { timeout: 30_000 })
      .toContain('address-poisoning');
    const first = await determined(about.address);
    for (let i = 0; i < 12; i++) {
      const { recordId } = await determined(about.address);
      const told = i % 2 === 0 ? await say(about, recordId, FRAUD) : await sayAsOperator(recordId, FRAUD);
      expect(told.status).toBe(201);
    }
    expect((await determined(about.address)).found).toEqual(first.found);
  });

  it('is read by no code that determines', () => {
    const root = join(import.meta.dirname, '../../..');
    const reading = ['agents', 'runtime', 'store', 'api'].flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
        .map((file) => `${room}/${file}`)
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .filter((file) => /records\/outcomes?\.ts'/.test(readFileSync(join(root, file), 'utf8'))),
    );
    expect(reading.sort()).toEqual([
      'api/determinations/outcomes.ts',
      'api/records/outcome-document.ts',
      'api/records/records.ts',
      'api/shapes.ts',
      'api/words/desk/wallets.ts',
      'runtime/determinations/outcome.ts',
      'store/json-columns.ts',
      'store/records/outcomes.ts',
    ]);
  });
});
