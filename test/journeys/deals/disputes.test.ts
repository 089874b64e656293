import type { LocalAccount } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { attested } from '../../fixtures/attested.ts';
import { operatorCommand } from '../../fixtures/operator-command.ts';
import { expectProblem, inDays, type WireAgent, type WireStage, wireStage } from '../wire/wire-stage.ts';

const MANDATE = `Buy and sell real-world assets, max 500 USDC per deal, until ${inDays(30)}.`;
const HOSTILE = 'It is of another bicycle. <script>alert(1)</script> $(reboot)';
const CAUSE = 'The police report names this frame number.';
const EVIDENCE = [`0x${'AB'.repeat(32)}`, 'https://example.org/report?id=7'];

let stage: WireStage;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let stranger: PrivateKeyAccount;
let sells: WireAgent;
let buys: WireAgent;
let command: ReturnType<typeof operatorCommand>;

beforeAll(async () => {
  stage = await wireStage();
  command = operatorCommand(stage, 'dispute');
  [seller, buyer] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  stranger = await stage.owner();
  [sells, buys] = await Promise.all([
    stage.agent(seller, { mandate: MANDATE }),
    stage.agent(buyer, { mandate: MANDATE }),
  ]);
  await stage.moveUsd(buyer, buys.account, '400');
  for (const register of ['sanctions', 'known-scam']) {
    const answer = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'text/csv' },
      body: `address\n0x${'0b'.repeat(20)}\n`,
    });
    if (!answer.ok) throw new Error(`${register}: ${answer.status} ${await answer.text()}`);
  }
});
afterAll(() => stage.stop());

async function operator(...args: string[]) {
  const { code, out, err } = await command(...args);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}

const list = (serial: string) =>
  stage.api.signedPost(seller, `/agent/${sells.handle}/assets`, {
    asset: { serial },
    description: 'A bicycle',
    askUsd: 300,
    negotiable: false,
    category: 'real-world-assets',
    gate: 'deposit',
  });
const dispute = (wallet: LocalAccount, tokenId: string, body: object = {}) =>
  stage.api.signedPost(wallet, `/certificates/${tokenId}/dispute`, {
    wallet: wallet.address,
    grounds: HOSTILE,
    evidence: EVIDENCE,
    ...body,
  });
const reply = (wallet: LocalAccount, tokenId: string, disputeId: string) =>
  stage.api.signedPost(wallet, `/certificates/${tokenId}/dispute/${disputeId}/reply`, {
    reply: 'Here is the bill of sale.',
  });
const certificate = async (tokenId: string) => (await stage.api.get(`/certificates/${tokenId}`)).body;
const isListed = async (listingRef: string): Promise<boolean> =>
  (await stage.api.get('/catalogue?limit=100')).body.items.some(
    (row: { listingRef: string }) => row.listingRef === listingRef,
  );
const recordOf = (tokenId: string, which: 'decision' | 'secondDecision'): Promise<string> =>
  until('the record of the decision', async () => {
    const { disputes } = await certificate(tokenId);
    return disputes[0][which]?.recordUrl ?? null;
  });

describe('a certificate that somebody disputes', () => {
  let tokenId: string;
  let listingRef: string;
  let disputeId: string;
  let proposed: { typedData: Parameters<PrivateKeyAccount['signTypedData']>[0] };
  let firstRecord: string;

  it('stays on the market while the dispute is a disclosure, and shows the words of a stranger as a quotation', async () => {
    const listed = expectStatus(await list('FRAME 9-1'), 201, 'listing');
    ({ listingRef } = listed);
    tokenId = listed.certificate.tokenId;
    const body = { wallet: stranger.address, grounds: HOSTILE, evidence: EVIDENCE };
    const unsigned = await stage.api.post(`/certificates/${tokenId}/dispute`, body);
    expectProblem(unsigned, 401, 'signature-required');
    expect(unsigned.body.sign.says).toContain(`Dispute certificate ${tokenId} of serial:generic:FRAME91`);

    const filed = expectStatus(await dispute(stranger, tokenId), 201, 'disputing');
    ({ disputeId } = filed);
    expect(filed).toMatchObject({
      ...{ state: 'disclosed', wallet: stranger.address.toLowerCase(), grounds: HOSTILE },
      ...{ evidence: [EVIDENCE[0]!.toLowerCase(), EVIDENCE[1]], reply: null, decision: null },
    });
    expect(Date.parse(filed.replyUntil) - Date.parse(filed.filedAt)).toBe(7 * 86_400_000);
    expect((await certificate(tokenId)).disputes).toEqual([filed]);
    const page = await fetch(`${stage.baseUrl}/certificates/${tokenId}`, {
      headers: { accept: 'text/html' },
    });
    const text = await page.text();
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain(`href="${EVIDENCE[1]}"`);

    expect(await isListed(listingRef)).toBe(true);
    const open = [{ disputeId, tokenId, wallet: stranger.address.toLowerCase(), filedAt: filed.filedAt }];
    expect((await stage.api.get(`/lots/${listingRef}`)).body.openDisputes).toEqual(open);
    const order = { handle: buys.handle, side: 'buy', listingRef, category: 'real-world-assets' };
    const offered = await stage.api.post('/order', { ...order, limitUsd: 300 });
    expectProblem(offered, 401, 'signature-required');
    expect(offered.body.openDisputes).toEqual(open);
    const path = `/certificates/${tokenId}/transfer`;
    const asked = await stage.api.signedPost(seller, path, { to: buyer.address });
    proposed = expectStatus(asked, 202, 'proposing') as typeof proposed;
  });

  it('is disputed once by a wallet, with evidence that is a hash or an address', async () => {
    const again = await dispute(stranger, tokenId);
    expectProblem(again, 409, 'conflict');
    expect(again.body.disputeId).toBe(disputeId);
    for (const piece of ['0x12', 'ftp://example.org', 'javascript:alert(1)', 'https://example.org/"><b>'])
      expectProblem(await dispute(buyer, tokenId, { evidence: [piece] }), 400, 'bad-request');
    expectProblem(await dispute(buyer, tokenId, { grounds: ' too short  ' }), 400, 'bad-request');
    expectProblem(await dispute(buyer, '1'), 404, 'not-found');
  });

  it('leaves the market while the operator holds it, and is neither listed, pledged nor transferred', async () => {
    expect((await command('list')).out).toContain(disputeId);
    expect(await command('hold', disputeId, '--cause', 'short')).toMatchObject({ code: 2 });
    expect(await command('hold', disputeId, '--cause', CAUSE, '--hours', '73')).toMatchObject({ code: 2 });
    expect(await isListed(listingRef)).toBe(true);
    const held = await operator('hold', disputeId, '--cause', CAUSE);
    expect(held).toMatchObject({ state: 'held', hold: { cause: CAUSE } });
    expect(await isListed(listingRef)).toBe(false);
    const [shown] = (await certificate(tokenId)).disputes;
    expect(shown).toMatchObject({ state: 'held', cause: CAUSE, heldUntil: held.hold.until });
    expect(await command('hold', disputeId, '--cause', CAUSE)).toMatchObject({ code: 1 });

    for (const serial of ['FRAME 9-1', 'frame91']) {
      // What is signed tells of the hold, which may become known between the question and the signature.
      const listed = await until('the words of the hold', async () => {
        const answer = await list(serial);
        return answer.status === 401 ? null : answer;
      });
      expectProblem(listed, 409, 'disputed');
    }
    const contract = (await certificate(tokenId)).contract;
    for (const asset of [{ serial: 'FRAME 9-1' }, { contract, tokenId }]) {
      const pledge = { wallet: seller.address, asset, listingRef: 'loan-1' };
      const pledged = await stage.api.signedPost(seller, '/pledge', pledge);
      expectProblem(pledged, 409, 'disputed');
      expect(pledged.body.disputeId).toBe(disputeId);
    }
    const path = `/certificates/${tokenId}/transfer`;
    expectProblem(await stage.api.signedPost(seller, path, { to: buyer.address }), 409, 'disputed');
    const signature = await seller.signTypedData(proposed.typedData);
    expectProblem(await stage.api.post(`${path}/confirm`, { signature }), 409, 'disputed');
  });

  it('is decided once its controller had its say, and the record holds the words of both', async () => {
    const reason = 'The bill of sale names the frame number.';
    const early = await command('decide', disputeId, '--reject', '--reason', reason);
    expect(early).toMatchObject({ code: 1, err: expect.stringContaining('may reply') });
    expectProblem(await reply(stranger, tokenId, disputeId), 401, 'signature-invalid');
    expectProblem(await reply(seller, tokenId, 'dsp_unknown'), 404, 'not-found');
    const replied = expectStatus(await reply(seller, tokenId, disputeId), 200, 'replying');
    expect(replied).toMatchObject({
      state: 'held',
      reply: { text: 'Here is the bill of sale.', wallet: seller.address.toLowerCase() },
    });
    expectProblem(await reply(seller, tokenId, disputeId), 409, 'conflict');
    expect(await command('decide', disputeId, '--reason', reason)).toMatchObject({ code: 2 });

    await operator('decide', disputeId, '--reject', '--reason', reason);
    firstRecord = await recordOf(tokenId, 'decision');
    const { record } = (await stage.api.get(new URL(firstRecord).pathname)).body;
    const said = { grounds: HOSTILE, reply: 'Here is the bill of sale.', cause: CAUSE, reason };
    expect(record).toMatchObject({
      ...{ kind: 'dispute-decision', subject: 'serial:generic:FRAME91', parties: [sells.handle] },
      content: { disputeId, ...said, decision: 'rejected' },
    });
    expect((await command('decide', disputeId, '--uphold', '--reason', reason)).code).toBe(1);
    ({ listingRef } = expectStatus(await list('FRAME 9-1'), 201, 'listing it again'));
  });

  it('is decided a second time on the appeal of a side, and then it is void where it is', async () => {
    const path = `${new URL(firstRecord).pathname}/appeal`;
    const by = (wallet: LocalAccount) =>
      stage.api.signedPost(wallet, path, { wallet: wallet.address, grounds: 'The bill is forged.' });
    expectProblem(await by(buyer), 403, 'not-owner');
    const appealed = expectStatus(await by(stranger), 202, 'appealing');
    expect(appealed).toMatchObject({ disputeId, state: 'appealed' });
    expect(expectStatus(await by(stranger), 202, 'sending it again')).toEqual(appealed);
    expectProblem(await by(seller), 409, 'conflict');
    expect((await certificate(tokenId)).disputes[0]).toMatchObject({ state: 'appealed' });
    expect(await isListed(listingRef)).toBe(true);

    await operator('decide', disputeId, '--uphold', '--reason', 'The seller of the bill denies it.');
    expect(await isListed(listingRef)).toBe(false);
    const second = await recordOf(tokenId, 'secondDecision');
    const shown = (await stage.api.get(new URL(second).pathname)).body;
    expect(shown).toMatchObject({ appealOf: { recordUrl: firstRecord } });
    expect(shown.record.content).toMatchObject({
      decision: 'upheld',
      appeal: { wallet: stranger.address.toLowerCase(), grounds: 'The bill is forged.' },
    });
    const ended = await until('the certificate to be void', async () => {
      const now = await certificate(tokenId);
      return now.state === 'void' ? now : null;
    });
    expect(ended).toMatchObject({
      holder: sells.account.toLowerCase(),
      history: [{ kind: 'voided', reason: expect.stringContaining(shown.recordId) }, { kind: 'issued' }],
      disputes: [{ state: 'upheld' }],
    });
    expectProblem(await dispute(buyer, tokenId), 409, 'conflict');
    const fresh = await until('the serial to be free', async () => {
      const answer = await list('FRAME 9-1');
      return answer.status === 201 ? answer.body : null;
    });
    expect(fresh.certificate.tokenId).not.toBe(tokenId);
  });
});

describe('a certificate that was sold', () => {
  it('stays with its buyer when it is found wrong, and is off the market until anybody can appeal', async () => {
    const listed = expectStatus(await list('FRAME 9-2'), 201, 'listing');
    const { tokenId } = listed.certificate;
    const placed = await stage.api.signedPost(buyer, '/order', {
      handle: buys.handle,
      side: 'buy',
      listingRef: listed.listingRef,
      category: 'real-world-assets',
      limitUsd: 300,
    });
    expect(expectStatus(placed, 201, 'the order').status).toBe('matched');
    await until('the certificate with its buyer', async () =>
      (await certificate(tokenId)).holder === buys.account.toLowerCase() ? true : null,
    );
    const { disputeId } = expectStatus(await dispute(stranger, tokenId), 201, 'disputing');
    // Who holds it now replies, and who sold it does not.
    expectProblem(await reply(seller, tokenId, disputeId), 401, 'signature-invalid');
    expectStatus(await reply(buyer, tokenId, disputeId), 200, 'replying');
    await operator('decide', disputeId, '--uphold', '--reason', 'The frame number is of another bicycle.');
    await recordOf(tokenId, 'decision');
    expect(await certificate(tokenId)).toMatchObject({
      state: 'live',
      holder: buys.account.toLowerCase(),
      disputes: [{ state: 'upheld', appealUntil: expect.any(String) }],
    });
    const path = `/certificates/${tokenId}/transfer`;
    expectProblem(await stage.api.signedPost(buyer, path, { to: seller.address }), 409, 'disputed');
  });
});

describe('a certificate that somebody disputes while its deal waits', () => {
  it('is told as disputed in the deal and in what its owner signs', async () => {
    const careful = await stage.agent(buyer, { mandate: `${MANDATE} Ask me before any deal above 50 USDC.` });
    await stage.moveUsd(buyer, careful.account, '400');
    const listed = expectStatus(await list('FRAME 9-3'), 201, 'listing');
    const { tokenId } = listed.certificate;
    const placed = await stage.api.signedPost(buyer, '/order', {
      ...{ handle: careful.handle, side: 'buy', listingRef: listed.listingRef },
      ...{ category: 'real-world-assets', limitUsd: 300 },
    });
    const { dealId } = expectStatus(placed, 201, 'the order').match;
    const own = () =>
      until('the deal to wait', async () => {
        const { body } = await stage.api.signedGet(buyer, `/agent/${careful.handle}/deals`);
        const [deal] = body.items;
        return deal.state === 'awaiting-owner' ? deal : null;
      });
    const says = async (decision: string) =>
      (await stage.api.post(`/deals/${dealId}/decision`, { handle: careful.handle, decision })).body.sign
        .says;
    expect((await own()).openDisputes).toEqual([]);
    expect(await says('proceed')).toContain('Nothing was found against it.');
    const { disputeId } = expectStatus(await dispute(stranger, tokenId), 201, 'disputing');
    const wallet = stranger.address.toLowerCase();
    expect((await own()).openDisputes).toMatchObject([{ disputeId, tokenId, wallet }]);
    expect(await says('proceed')).toContain(
      `Found: disputed, not decided (${disputeId}). I know what was found.`,
    );
    const stop = { handle: careful.handle, decision: 'stop' };
    expectStatus(await stage.api.signedPost(buyer, `/deals/${dealId}/decision`, stop), 202, 'stopping');
  });
});
