import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIER_DETERMINATIONS } from '../../../agents/determinations/panel/types.ts';
import { readMandate } from '../../../agents/mandate/grammar/read.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { attested } from '../../fixtures/attested.ts';
import { dealings } from '../../fixtures/dealings.ts';
import { type Asked, modelServer, says, votes } from '../../fixtures/servers/model-server.ts';
import { runCommand } from '../../fixtures/service.ts';
import { stockFetch } from '../../fixtures/wallets/payers.ts';
import { expectProblem, inDays, type WireStage, wireStage } from '../wire/wire-stage.ts';

/**
 * The subject of a record has it determined again, and anyone judges a record again from its evidence, on a service
 * whose panels include language models.
 */

let stage: WireStage;
let pay: typeof fetch;
let models: Awaited<ReturnType<typeof modelServer>>;

beforeAll(async () => {
  models = await modelServer();
  stage = await wireStage({
    RATE_LIMIT_WRITES: '1000',
    OPENAI_BASE_URL: models.url,
    OPENAI_MODELS: 'judge-1,judge-2',
  });
  pay = stockFetch(await stage.owner(), stage.usdc);
  await list('sanctions', []);
  await list('known-scam', []);
});
afterAll(async () => {
  await stage?.stop();
  await models?.stop();
});

/** @param asOf the day as of which the list is complete; absent: now */
async function list(register: string, addresses: readonly string[], asOf?: string): Promise<void> {
  const rows = ['0x00000000000000000000000000000000deadbeef', ...addresses];
  const response = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested(asOf)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: rows.map((address) => `${JSON.stringify({ address })}\n`).join(''),
  });
  expect(response.status).toBe(201);
}

const wallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

/** @returns the record's id and its verdict */
async function determined(about: string): Promise<{ recordId: string; verdict: string }> {
  const response = await pay(`${stage.baseUrl}/determination?address=${about}&chainId=1002`);
  expect(response.status).toBe(200);
  const { verdict, recorded } = (await response.json()) as {
    verdict: string;
    recorded: { recordId: string };
  };
  return { verdict, recordId: recorded.recordId };
}

const appeal = (by: PrivateKeyAccount, recordId: string, body: object = {}) =>
  stage.api.signedPost(by, `/records/${recordId}/appeal`, { wallet: by.address, ...body });

const record = async (recordId: string) => (await stage.api.get(`/records/${recordId}`)).body;

describe('an appeal against a determination', () => {
  it('is judged again on fresh evidence, and clears somebody who was listed by mistake', async () => {
    const wronged = wallet();
    await list('known-scam', [wronged.address]);
    const first = await determined(wronged.address);
    expect(first.verdict).toBe('FLAGGED');
    await list('known-scam', []);
    // The corrected list clears the address at once; the record made with the wrong list stays until it is appealed.
    expect((await determined(wronged.address)).verdict).toBe('CLEAN');

    const grounds = 'The list named me by mistake. <script>alert(1)</script>';
    const answer = await appeal(wronged, first.recordId, { grounds });
    expect(answer.body).toMatchObject({ verdict: 'CLEAN', before: 'FLAGGED', overturned: true });
    expect(answer.status).toBe(201);
    expect((await determined(wronged.address)).verdict).toBe('CLEAN');

    const [before, after] = [await record(first.recordId), await record(answer.body.recordId)];
    expect(before.appeal).toMatchObject({ recordId: after.recordId, recordUrl: after.recordUrl });
    expect(after.appealOf).toMatchObject({ recordId: before.recordId, recordUrl: before.recordUrl });
    expect([before.appealOf, after.appeal]).toEqual([null, null]);
    expect(after.record.content.appeal).toEqual({
      of: first.recordId,
      wallet: wronged.address.toLowerCase(),
      grounds,
    });
    expect(before.record.content.record.verdict).toBe('FLAGGED');
    const html = await fetch(after.recordUrl, { headers: { accept: 'text/html' } }).then((r) => r.text());
    expect(html).toContain(`href="${before.recordUrl}"`);
    expect(html).not.toContain('<script>alert');
  });

  it('changes nothing when it finds the same again, except that it was heard, and is heard once', async () => {
    const guilty = wallet();
    await list('known-scam', [guilty.address]);
    const { recordId } = await determined(guilty.address);
    const both = await Promise.all([appeal(guilty, recordId), appeal(guilty, recordId)]);
    expect(both.map((a) => a.status).sort()).toEqual([200, 201]);
    expect(both[0].body).toEqual(both[1].body);
    expect(both[0].body).toMatchObject({ verdict: 'FLAGGED', overturned: false });
    const again = await appeal(guilty, recordId, { grounds: 'other words' });
    expect([again.status, again.body]).toEqual([200, both[0].body]);
    expect((await determined(guilty.address)).verdict).toBe('FLAGGED');
  });

  it('clears whoever appealed before the mistake was found, by an appeal against what confirmed it', async () => {
    const [early, other] = [wallet(), wallet()];
    await list('known-scam', [early.address, other.address]);
    const [first, another] = [await determined(early.address), await determined(other.address)];
    const confirmed = await appeal(early, first.recordId);
    expect(confirmed.body).toMatchObject({ verdict: 'FLAGGED', overturned: false });
    const twice = await appeal(early, confirmed.body.recordId);
    expect(twice.body).toMatchObject({ verdict: 'FLAGGED', overturned: false });
    expect((await appeal(other, another.recordId)).body.overturned).toBe(false);

    await list('known-scam', []);
    expect((await appeal(early, first.recordId)).status).toBe(200);
    const cleared = await appeal(early, twice.body.recordId);
    expect([cleared.status, cleared.body.overturned]).toEqual([201, true]);
    for (const { recordId } of [first, confirmed.body, twice.body])
      expect((await record(recordId)).overturned).toBe(true);
    expect((await appeal(early, first.recordId)).body).toMatchObject({
      verdict: 'FLAGGED',
      overturned: true,
    });
    expect((await record(another.recordId)).overturned).toBeUndefined();
  });

  it('is refused while what it is about cannot be judged, and is not used up by that', async () => {
    const listed = wallet();
    await list('known-scam', [listed.address]);
    const { recordId } = await determined(listed.address);
    await list('known-scam', [], inDays(-400));
    const refused = await appeal(listed, recordId);
    expectProblem(refused, 503, 'unavailable');
    expect(refused.body.detail).toContain('wallet');
    expect((await record(recordId)).appeal).toBeNull();
    await list('known-scam', []);
    const heard = await appeal(listed, recordId);
    expect([heard.status, heard.body.overturned]).toEqual([201, true]);
  });

  it("is compared again with the first asker's contacts, though nobody says who asked", async () => {
    const payer = await stage.owner();
    const known = dealings(stage.db);
    const alike = wallet();
    await known.agents('friend', 1, 0x10);
    await known.agents('mine', 1, 0x40);
    await known.owned('mine-1', payer.address.toLowerCase());
    const ends = [alike.address.slice(0, 8), alike.address.slice(-6)].map((s) => s.toLowerCase());
    await known.owned('friend-1', ends.join('0'.repeat(28)));
    await known.deals('mine-1', ['friend-1'], new Date());
    const flagged = await stockFetch(
      payer,
      stage.usdc,
    )(`${stage.baseUrl}/determination?address=${alike.address}&chainId=1002`);
    const { verdict, recorded } = await flagged.json();
    expect(verdict).toBe('FLAGGED');
    const { status, body } = await appeal(alike, recorded.recordId);
    expect([status, body.verdict]).toEqual([201, 'FLAGGED']);
    // The check is a soft one. Found again, it stands as any other does.
    expect(body.overturned).toBe(false);
    const { checks } = (await record(body.recordId)).record.content.record.evidence;
    expect(checks.find((c: { id: string }) => c.id === 'look-alike')).toMatchObject({ outcome: 'FLAG' });
    // For another asker the address resembles none of his contacts.
    expect((await determined(alike.address)).verdict).toBe('CLEAN');
  });

  it("can be made only by the record's subject, with a signature, and only against FLAGGED", async () => {
    const [about, stranger] = [wallet(), wallet()];
    const clean = await determined(about.address);
    expect(clean.verdict).toBe('CLEAN');
    const path = `/records/${clean.recordId}/appeal`;
    expectProblem(await stage.api.post(path, { wallet: about.address }), 401, 'signature-required');
    expectProblem(
      await stage.api.signedPost(stranger, path, { wallet: about.address }),
      401,
      'signature-invalid',
    );
    expectProblem(await appeal(stranger, clean.recordId), 403, 'not-owner');
    expectProblem(await appeal(about, clean.recordId), 409, 'conflict');
    expectProblem(await appeal(about, 'rec_none'), 404, 'not-found');
    expectProblem(await appeal(about, clean.recordId, { grounds: 'x'.repeat(501) }), 400, 'bad-request');
  });

  it('costs nothing, so a wallet has five in a day', async () => {
    const busy = wallet();
    await list('known-scam', [busy.address]);
    const records: string[] = [];
    for (let i = 0; i < 6; i++) records.push((await determined(busy.address)).recordId);
    await list('known-scam', []);
    for (const id of records.slice(0, 5)) expect((await appeal(busy, id)).status).toBe(201);
    const sixth = await appeal(busy, records[5]!);
    expectProblem(sixth, 429, 'rate-limited');
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(80_000);
    // A repeated appeal still gets its first answer.
    expect((await appeal(busy, records[0]!)).status).toBe(200);
  });

  it("is made for an agent by its owner, repeats the question, and reads the agent's mandate as it is now", async () => {
    const owner = await stage.owner();
    const agent = await stage.agent(owner);
    const proposal = { side: 'buy', category: 'digital-products', priceUsd: 501 };
    const body = { handle: agent.handle, proposal, priceUsd: 501, depth: 'superconsensus' };
    const paid = await pay(`${stage.baseUrl}/determinations/tier2/digital-products`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const first = (await paid.json()) as { recorded: { recordId: string }; determinationsRun: string[] };
    expect(first).toMatchObject({ verdict: 'FLAGGED', flagged: ['mandate-compliance'] });
    expectProblem(await appeal(wallet(), first.recorded.recordId), 403, 'not-owner');
    const answer = await appeal(owner, first.recorded.recordId);
    expect(answer.body).toMatchObject({ verdict: 'FLAGGED', overturned: false });
    const [before, after] = [await record(first.recorded.recordId), await record(answer.body.recordId)];
    expect(after.record.content.record.determinationsRun).toEqual(first.determinationsRun);
    const proposals = [before, after].map(
      (r) =>
        r.evidence.determinations.find((d: { id: string }) => d.id === 'mandate-compliance').common.proposal,
    );
    expect(proposals[1]).toEqual(proposals[0]);
    expect(after.record.content.record.determinations[0].panel).toMatchObject({
      depth: 'superconsensus',
      seats: 5,
    });
    const { votes: cast } = after.record.content.record.determinations[0].panel;
    expect(cast.map((v: { method: string }) => v.method)).toEqual([
      'rules',
      'llm',
      'statistics',
      'llm',
      'adversarial',
    ]);
    expect(cast[1].source).toContain(`judge-1 at ${new URL(models.url).host}`);
  });
});

describe('a deal of agents whose panels include language models', () => {
  it('settles when the models find nothing, and stops when they give no vote, which is never CLEAN', async () => {
    const [selling, buying] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
    const seller = await stage.agent(selling);
    const buyer = await stage.agent(buying);
    for (const [owner, { handle }] of [
      [selling, seller],
      [buying, buyer],
    ] as const) {
      const set = await stage.api.signedPost(owner, `/agent/${handle}/profile`, { depth: 'superconsensus' });
      expect(set.status).toBe(200);
    }
    await stage.moveUsd(buying, buyer.account, '300');
    const ended = async () => {
      const { listingRef } = await stage.listed(selling, seller);
      const order = {
        handle: buyer.handle,
        side: 'buy',
        listingRef,
        category: 'digital-products',
        limitUsd: 100,
      };
      const placed = await stage.api.signedPost(buying, '/order', order);
      expect(placed.body).toMatchObject({ status: 'matched' });
      const { dealId } = placed.body.match;
      return await until('the end of the deal', async () => {
        const { body } = await stage.api.signedGet(buying, `/agent/${buyer.handle}/deals`);
        const deal = body.items.find((d: { dealId: string }) => d.dealId === dealId);
        return ['settled', 'recorded', 'stopped', 'failed'].includes(deal.state) ? deal : null;
      });
    };

    const before = models.asked.length;
    expect((await ended()).state).toMatch(/settled|recorded/);
    const heard = models.asked.slice(before).map((a) => a.question.evidence as { determination: string });
    expect(new Set(heard.map((e) => e.determination))).toEqual(new Set(['wallet', ...TIER_DETERMINATIONS]));

    models.behave(says('{"vote":"CLEAN"}'));
    const stopped = await ended();
    models.behave(votes('CLEAN'));
    expect([stopped.state, stopped.tx]).toEqual(['stopped', null]);
    expect(stopped.reason).toContain('wallet');
  });
});

describe('recomputing a record by command', () => {
  it('gives the recorded verdict by its id, and detects a changed byte in a file', async () => {
    const { recordId } = await determined(wallet().address);
    const command = (...args: string[]) => runCommand(['record', 'recompute', ...args], { env: stage.env });
    const told = await command(recordId, '--json');
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(JSON.parse(told.stdout)).toMatchObject({
      ok: true,
      recordId,
      verdict: 'CLEAN',
      recorded: 'CLEAN',
    });

    const document = JSON.stringify(await record(recordId));
    const file = join(stage.env.DATA_DIR as string, 'record.json');
    writeFileSync(file, document.replace('"maxAgeDays":7', '"maxAgeDays":8'));
    const changed = await command(file);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('NO   the evidence is the one the record was made of');
  });
});

describe('a mandate about which the grammar has a question', () => {
  const end = inDays(60);
  const text = `Grab grooves, 50 USDC a pop, until ${end}.`;
  const restate = (asked: Asked) => ({
    nonce: asked.question.nonce,
    clauses: [
      { quote: 'Grab grooves', says: 'Buy music and video rights.' },
      { quote: '50 USDC a pop', says: 'At most 50 USDC per deal.' },
      { quote: `until ${end}`, says: `Until ${end}.` },
    ],
  });
  const checkout = (mandate: string, handle: string) =>
    stage.api.post('/agent/checkout', { owner: wallet().address, handle, mandate, tier: 'AGENT' });

  it('comes back with a reading that a model proposes, and is accepted once its owner sends that', async () => {
    models.behave((asked, response) => says(JSON.stringify(restate(asked)))(asked, response));
    const refused = await checkout(text, 'groove-desk');
    expectProblem(refused, 422, 'mandate-refused');
    const { questions, suggestion } = refused.body;
    expect(questions.length).toBeGreaterThan(0);
    expect(suggestion).toMatchObject({
      by: `judge-1 at ${new URL(models.url).host}`,
      mandate: { cap_per_deal: '50' },
    });
    expect(readMandate(suggestion.text, new Date().toISOString())).toEqual({
      decision: 'ACCEPT',
      mandate: suggestion.mandate,
    });
    const taken = await checkout(suggestion.text, 'groove-desk');
    expect([taken.status, taken.body.mandate]).toEqual([201, suggestion.mandate]);
    models.behave(votes('CLEAN'));
  });

  it('comes back with its question alone when the model says anything else', async () => {
    models.behave(says('{"decision":"ACCEPT"}'));
    const refused = await checkout(text, 'other-desk');
    expectProblem(refused, 422, 'mandate-refused');
    expect(refused.body.suggestion).toBeUndefined();
    models.behave(votes('CLEAN'));
  });

  it('is read by the command in the same way', async () => {
    models.behave((asked, response) => says(JSON.stringify(restate(asked)))(asked, response));
    const env = { ...stage.env, OPENAI_BASE_URL: models.url, OPENAI_MODELS: 'judge-1' };
    const told = await runCommand(['mandate', 'parse'], { env, input: `${text}\n` });
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(JSON.parse(told.stdout)).toMatchObject({
      decision: 'REFUSE',
      question: expect.any(String),
      suggestion: { mandate: { side: 'buy', cap_per_deal: '50' } },
    });
    models.behave(votes('CLEAN'));
  });
});
