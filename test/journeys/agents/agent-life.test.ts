import { type Abi, createPublicClient, createWalletClient, http, publicActions } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spendPolicyAbi } from '../../../chain/abi/spend-policy.ts';
import { type Answer, expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { applyEvent } from '../../../runtime/durable/actors/apply-event.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { agentActor } from '../../../runtime/machines.ts';
import { attested } from '../../fixtures/attested.ts';
import { runCommand } from '../../fixtures/service.ts';
import {
  expectProblem,
  inDays,
  TRADES,
  type WireAgent,
  type WireStage,
  wireStage,
} from '../wire/wire-stage.ts';

/** What an owner can do with an agent: stop it, give it other terms and keys, and retire it. */

let stage: WireStage;
let seller: PrivateKeyAccount;
let owner: PrivateKeyAccount;
/** The owner of the agent before it was sold. */
let former: PrivateKeyAccount;
let sells: WireAgent;
let agent: WireAgent;

beforeAll(async () => {
  stage = await wireStage({ WATCH_SECONDS: '1' });
  [seller, owner] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  [sells, agent] = await Promise.all([stage.agent(seller), stage.agent(owner)]);
  await stage.moveUsd(owner, agent.account, '900');
  // A deal is CLEAN only if both lists of bad addresses were read.
  for (const register of ['sanctions', 'known-scam'])
    await importRows(register, ['{"address":"0x00000000000000000000000000000000deadbeef"}']);
});
afterAll(() => stage.stop());

const documentOf = async () => (await stage.api.get(`/agent/${agent.handle}`)).body;
const becomes = (status: string) =>
  until(`${status}`, async () => ((await documentOf()).status === status ? true : null));
const session = (action: string, by = owner) =>
  stage.api.signedPost(by, `/agent/${agent.handle}/session`, { action });
const propose = (mandate: string, by = owner) =>
  stage.api.signedPost(by, `/agent/${agent.handle}/mandate`, { mandate });
const sign = (by: PrivateKeyAccount, document: unknown) =>
  by.signTypedData(document as Parameters<typeof by.signTypedData>[0]);

async function importRows(register: string, lines: readonly string[]): Promise<void> {
  const response = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  });
  expect(response.status, await response.text()).toBe(201);
}

/** Confirms a proposed act and waits until it is on chain. */
async function confirmed(proposed: Answer, by = owner): Promise<{ tx: string; status: string }> {
  const { typedData, keyTypedData, confirm } = expectStatus(proposed, 202, 'proposing');
  const body = {
    signature: await sign(by, typedData),
    ...(keyTypedData === undefined ? {} : { keySignature: await sign(by, keyTypedData) }),
  };
  const path = confirm.slice(stage.baseUrl.length);
  // However often it is confirmed at the same time, it is one act.
  const said = await Promise.all([1, 2, 3].map(() => stage.api.post(path, body)));
  const acts = said.map((answer) => expectStatus(answer, 202, 'confirming').actId);
  expect(new Set(acts).size).toBe(1);
  return await until('the chain', async () => {
    const act = expectStatus(await stage.api.post(path, body), 202, 'asking again');
    if (act.status === 'failed') throw new Error(act.reason);
    return act.status === 'done' ? act : null;
  });
}

async function order(limitUsd: number, listingRef: string): Promise<Answer> {
  return await stage.api.signedPost(owner, '/order', {
    handle: agent.handle,
    side: 'buy',
    listingRef,
    category: 'digital-products',
    limitUsd,
  });
}

const orderStatus = async (orderId: string): Promise<string> =>
  (await stage.api.signedGet(owner, `/agent/${agent.handle}/orders`)).body.items.find(
    (o: { orderId: string }) => o.orderId === orderId,
  ).status;

async function dealOf(by: PrivateKeyAccount, dealId: string, query = '') {
  const { body } = await stage.api.signedGet(by, `/agent/${agent.handle}/deals${query}`);
  return body.items.find((d: { dealId: string }) => d.dealId === dealId);
}

/** Pauses from the owner's wallet, without telling the service. */
async function pausedOnChain(paused: boolean): Promise<void> {
  const { rpcUrl, policy } = findRunning(stage.env.DATA_DIR as string)!.chains['1002']!;
  const wallet = createWalletClient({ account: owner, transport: http(rpcUrl) }).extend(publicActions);
  const { token_id } = await stage.db
    .selectFrom('agents')
    .select('token_id')
    .where('handle', '=', agent.handle)
    .executeTakeFirstOrThrow();
  const hash = await wallet.writeContract({
    address: policy,
    abi: spendPolicyAbi as Abi,
    functionName: 'setPaused',
    args: [token_id, paused],
    chain: null,
  });
  await wallet.waitForTransactionReceipt({ hash });
}

async function isLive(key: string): Promise<boolean> {
  const { rpcUrl, policy } = findRunning(stage.env.DATA_DIR as string)!.chains['1002']!;
  const { token_id } = await stage.db
    .selectFrom('agents')
    .select('token_id')
    .where('handle', '=', agent.handle)
    .executeTakeFirstOrThrow();
  return (await createPublicClient({ transport: http(rpcUrl) }).readContract({
    address: policy,
    abi: spendPolicyAbi as Abi,
    functionName: 'keyIsLive',
    args: [token_id, key],
  })) as boolean;
}

/** A lot with an ask far above every bid here. */
const dear = () => stage.listed(seller, sells, { askUsd: 480, negotiable: true, floorUsd: 470 });

describe('an owner of an agent', () => {
  it('pauses it at once, before the chain knows, and resumes it', async () => {
    const lot = await dear();
    const placed = expectStatus(await order(10, lot.listingRef), 201, 'ordering');
    const paused = await session('pause');
    expect(paused.body.typedData).toMatchObject({ primaryType: 'SetPaused', message: { paused: true } });
    expect(await documentOf()).toMatchObject({ status: 'paused', heldBy: ['owner'] });
    expect(await orderStatus(placed.orderId)).toBe('cancelled');
    expectProblem(await order(10, lot.listingRef), 409, 'agent-not-active');

    // The pause was never signed for the chain, so it resumes at once.
    expect((await session('resume')).status).toBe(202);
    await becomes('active');
    expect((await documentOf()).heldBy).toBeUndefined();
    expectStatus(await order(10, lot.listingRef), 201, 'ordering again');
    expectProblem(await session('resume'), 409, 'conflict');
  });

  it('has the chain enforce a pause, and the agent resumes only once the chain has lifted it', async () => {
    const { tx } = await confirmed(await session('pause'));
    expect(tx).toMatch(/^0x[0-9a-f]{64}$/);
    expect((await documentOf()).caps.remaining[0].spendableUsd).toBe(0);
    const resumed = await session('resume');
    expect((await documentOf()).status).toBe('paused');
    await confirmed(resumed);
    await becomes('active');
    expect((await documentOf()).caps.remaining[0].spendableUsd).toBeGreaterThan(0);
  });

  it('raises and lowers its caps: the chain enforces them, and orders that no longer fit leave the book', async () => {
    const lot = await dear();
    expectProblem(await order(510, lot.listingRef), 422, 'mandate-exceeded');
    const until90 = `until ${inDays(90)}.`;
    const raised = await propose(`Buy and sell digital products, max 600 USDC per deal, ${until90}`);
    expect(raised.body).toMatchObject({ version: 2, mandate: { cap_per_deal: '600' } });
    expect(raised.body.typedData.primaryType).toBe('SetMandate');
    expect(raised.body.keyTypedData.primaryType).toBe('GrantKey');
    const stranger = await stage.proceedingOwner();
    const path = `/agent/${agent.handle}/mandate/2/confirm`;
    const foreign = await sign(stranger, raised.body.typedData);
    expectProblem(await stage.api.post(path, { signature: foreign }), 401, 'signature-invalid');
    expectProblem(
      await stage.api.post(`/agent/${agent.handle}/mandate/9/confirm`, { signature: foreign }),
      404,
      'not-found',
    );
    const { tx } = await confirmed(raised);
    const now = await until('the new mandate', async () => {
      const document = await documentOf();
      return document.mandate.version === 2 ? document : null;
    });
    expect(now.caps.remaining[0].perDealUsd).toBe(600);
    expect(now.issued.mandateHashOnChain).toBe(now.mandate.hash);
    const kept = expectStatus(await order(10, lot.listingRef), 201, 'ordering little');
    const other = await dear();
    const large = expectStatus(await order(300, other.listingRef), 201, 'ordering much');
    const record = await until('the record', async () => {
      const { body } = await stage.api.get(`/agent/${agent.handle}/activity`);
      return body.items.find((r: { kind: string }) => r.kind === 'mandate-changed') ?? null;
    });
    expect((await stage.api.get(new URL(record.recordUrl).pathname)).body.record.content.tx).toBe(tx);

    await confirmed(await propose(`Buy and sell digital products, max 50 USDC per deal, ${until90}`));
    await until('the large order gone', async () =>
      (await orderStatus(large.orderId)) === 'cancelled' ? true : null,
    );
    expect(await orderStatus(kept.orderId)).toBe('resting');
    expectProblem(await order(60, other.listingRef), 422, 'mandate-exceeded');
  });

  it('gets a question about a mandate that cannot be enforced, and only the owner may propose one', async () => {
    const refused = await propose('Buy something nice.');
    expectProblem(refused, 422, 'mandate-refused');
    expect(refused.body.questions.length).toBeGreaterThan(0);
    expectProblem(await propose(TRADES, seller), 401, 'signature-invalid');
    // Two simultaneous proposals get two numbers, and the earlier one can no longer be signed.
    const two = await Promise.all([propose(TRADES), propose(TRADES)]);
    const [earlier, later] = two.map((a) => a.body).sort((a, b) => a.version - b.version);
    expect(later.version).toBe(earlier.version + 1);
    const signature = await sign(owner, earlier.typedData);
    const path = `/agent/${agent.handle}/mandate/${earlier.version}/confirm`;
    expectProblem(await stage.api.post(path, { signature }), 409, 'conflict');
    expectProblem(await stage.api.post(`/agent/nobody-here/mandate`, { mandate: TRADES }), 404, 'not-found');
  });

  it('may pause it by a transaction of its own: the service notices the pause and its end', async () => {
    const lot = await dear();
    const placed = expectStatus(await order(10, lot.listingRef), 201, 'ordering');
    await pausedOnChain(true);
    await becomes('paused');
    await until('the book', async () => ((await orderStatus(placed.orderId)) === 'cancelled' ? true : null));
    await pausedOnChain(false);
    await becomes('active');
  });

  it('gives it another session key, and the old one no longer works on chain', async () => {
    const rowOf = async () =>
      await stage.db
        .selectFrom('agents')
        .selectAll()
        .where('handle', '=', agent.handle)
        .executeTakeFirstOrThrow();
    const before = await rowOf();
    const proposed = await session('rotate');
    await confirmed(proposed);
    const after = await rowOf();
    expect(after.session_key).not.toBe(before.session_key);
    expect(proposed.body.typedData.message.key).toBe(after.session_key);
    const live = await Promise.all([before, after].map(({ session_key }) => isLive(session_key)));
    expect(live).toEqual([false, true]);
    // A deal that the new key signs settles.
    const lot = await stage.listed(seller, sells, { askUsd: 20, negotiable: false });
    expectStatus(await order(20, lot.listingRef), 201, 'buying');
    await until('the settled deal', async () => {
      const { body } = await stage.api.signedGet(owner, `/agent/${agent.handle}/deals`);
      return body.items[0]?.lot === lot.key && body.items[0].tx !== null ? true : null;
    });
  });

  it('moves its money by a wallet that the pages never see, as its forms say', async () => {
    const { rpcUrl } = findRunning(stage.env.DATA_DIR as string)!.chains['1002']!;
    const read = async (path: string) => {
      const answer = await fetch(stage.baseUrl + path, { headers: { accept: 'text/html' } });
      return { status: answer.status, page: await answer.text() };
    };
    const balance = async () => (await documentOf()).caps.remaining[0].balanceUsd as number;
    const move = async (act: string, by: PrivateKeyAccount) => {
      const { page: forms } = await read(`/agent/${agent.handle}`);
      const [, path] = new RegExp(`<form action="([^"]+/${act})" method="get">`).exec(forms) ?? [];
      const { page } = await read(`${path}?amountUsd=1.50`);
      const [to, data] = ['To', 'Data'].map(
        (name) =>
          new RegExp(`<dt>${name}</dt><dd><code[^>]*>(0x[0-9a-f]+)`, 'i').exec(page)?.[1] as `0x${string}`,
      );
      const wallet = createWalletClient({ account: by, transport: http(rpcUrl) }).extend(publicActions);
      const hash = await wallet.sendTransaction({ to: to!, data: data!, chain: null });
      expect((await wallet.waitForTransactionReceipt({ hash })).status).toBe('success');
    };
    const before = await balance();
    // Not by the seller: its money in the buyer's account would be a tie, and no deal of theirs CLEAN.
    await move('fund', owner);
    expect(await balance()).toBe(before + 1.5);
    await move('withdraw', owner);
    expect(await balance()).toBe(before);
    const wrong = await read(`/agent/${agent.handle}/transactions/deposit?contract=0x12&tokenId=1`);
    expect([wrong.status, wrong.page.includes('the token contract: 0x and 40 hex digits')]).toEqual([
      400,
      true,
    ]);
  });

  it('changes its public profile', async () => {
    const path = `/agent/${agent.handle}/profile`;
    const changed = await stage.api.signedPost(owner, path, {
      displayName: ' The desk\u200b ',
      about: 'Buys licences.',
      depth: 'superconsensus',
    });
    expect(expectStatus(changed, 200, 'changing')).toMatchObject({ displayName: 'The desk' });
    expect(await documentOf()).toMatchObject({
      displayName: 'The desk',
      about: 'Buys licences.',
      depth: 'superconsensus',
    });
    expectProblem(await stage.api.post(path, {}), 400, 'bad-request');
    const executor = await stage.agent(seller, { tier: 'EXECUTOR' });
    const deep = await stage.api.post(`/agent/${executor.handle}/profile`, { depth: '1-of-1' });
    expectProblem(deep, 400, 'bad-request');
  });

  it('sees the documents that it was given to sign, and nobody else does', async () => {
    const { body } = await stage.api.signedGet(owner, `/agent/${agent.handle}/acts`);
    const kinds = body.items.map((a: { kind: string; status: string }) => `${a.kind} ${a.status}`);
    expect(kinds).toContain('rotate done');
    expect(kinds).toContain('pause replaced');
    expect((await stage.api.signedGet(seller, `/agent/${agent.handle}/acts`)).status).toBe(401);
  });
});

describe('an operator', () => {
  const command = (verb: string, reason = 'complaint 4711', ...more: string[]) =>
    runCommand(['agent', verb, agent.handle, '--reason', reason, ...more], {
      env: { ...stage.env, DATABASE_URL: stage.databaseUrl },
    });

  it('suspends an agent by command, whatever its owner signs, and reinstates it', async () => {
    const lot = await dear();
    const placed = expectStatus(await order(10, lot.listingRef), 201, 'ordering');
    const { code, stdout, stderr } = await command('suspend');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ suspended: true, withdrawn: 1 });
    expect((await documentOf()).status).toBe('suspended');
    expect(await orderStatus(placed.orderId)).toBe('cancelled');
    expectProblem(await session('resume'), 409, 'conflict');
    expectProblem(await order(10, lot.listingRef), 409, 'agent-not-active');
    expect((await command('reinstate', 'settled')).code).toBe(0);
    await becomes('active');
    const again = await command('reinstate');
    expect([again.code, again.stderr]).toEqual([2, `"${agent.handle}" is not suspended by the operator.\n`]);
  });

  it("lifts what a first buyer's refund did to an agent, by a word that says so", async () => {
    const absent = await command('reinstate', 'sold before', '--payment');
    expect([absent.code, absent.stderr]).toEqual([
      2,
      `No money for "${agent.handle}" was taken back: nothing of that kind holds it.\n`,
    ]);
    await stage.db.transaction().execute((trx) =>
      applyEvent(trx, agentActor, {
        key: agent.handle,
        eventId: 'reversal:test',
        event: { type: 'SUSPEND' },
        now: new Date(),
      }),
    );
    await becomes('suspended');
    const unsaid = await command('reinstate', 'sold before');
    expect([unsaid.code, unsaid.stderr]).toEqual([
      2,
      `"${agent.handle}" is not suspended by the operator. The money for it was taken back: lift what came of that with --payment.\n`,
    ]);
    expect((await command('reinstate', 'sold before', '--payment')).code).toBe(0);
    await becomes('active');
  });
});

describe('an agent that is sold', () => {
  let waiting: string;

  it('has a deal that waits for its owner', async () => {
    await confirmed(
      await propose(
        `Buy and sell digital products, max 50 USDC per deal, ask me before anything above 5 USDC, until ${inDays(90)}.`,
      ),
    );
    const lot = await stage.listed(seller, sells, { askUsd: 20, negotiable: false });
    waiting = expectStatus(await order(20, lot.listingRef), 201, 'buying').match.dealId;
    await until('the question', async () =>
      (await dealOf(owner, waiting)).state === 'awaiting-owner' ? true : null,
    );
    await until('the agent to know of its deal', async () => {
      const { snapshot } = await stage.db
        .selectFrom('actors')
        .select('snapshot')
        .where('id', '=', `agent:${agent.handle}`)
        .executeTakeFirstOrThrow();
      return JSON.stringify(snapshot).includes('"value":{"active":"dealing"}') ? true : null;
    });
  });

  it('serves its new owner once that owner has signed a mandate and a key', async () => {
    const next = await stage.proceedingOwner();
    const stale = await propose(TRADES);
    const token = await stage.db
      .selectFrom('agents')
      .selectAll()
      .where('handle', '=', agent.handle)
      .executeTakeFirstOrThrow();
    await stage.moveToken(
      owner,
      { contract: token.contract as `0x${string}`, tokenId: String(token.token_id) },
      next.address,
    );
    const late = { signature: await sign(owner, stale.body.typedData) };
    expectProblem(
      await stage.api.post(stale.body.confirm.slice(stage.baseUrl.length), late),
      403,
      'not-owner',
    );
    const proposed = await propose(TRADES, next);
    expect(proposed.status, JSON.stringify(proposed.body)).toBe(202);
    expect((await documentOf()).status).toBe('paused');
    const path = `/agent/${agent.handle}/mandate/${proposed.body.version}/confirm`;
    const signature = await sign(next, proposed.body.typedData);
    expectProblem(await stage.api.post(path, { signature }), 400, 'bad-request');
    await confirmed(proposed, next);
    await becomes('active');
    const after = await documentOf();
    expect(after).toMatchObject({ owner: next.address.toLowerCase(), mandate: { text: TRADES } });
    former = owner;
    owner = next;
    const lot = await stage.listed(seller, sells, { askUsd: 20, negotiable: false });
    expectStatus(await order(20, lot.listingRef), 201, 'buying');
    await until('the settled deal', async () => {
      const { body } = await stage.api.get('/matches');
      return body.items.find((m: { lot: string; tx?: string }) => m.lot === lot.key && m.tx) ?? null;
    });
  });

  it('settles nothing with its new key that its previous owner had ordered', async () => {
    const path = `/deals/${waiting}/decision`;
    const decided = await stage.api.signedPost(owner, path, { handle: agent.handle, decision: 'proceed' });
    expect(decided.status).toBe(202);
    const deal = await until('its end', async () => {
      // The deal was made in the time of the previous owner, who alone can read it.
      expect(await dealOf(owner, waiting)).toBeUndefined();
      const found = await dealOf(former, waiting, `?owner=${former.address}`);
      return found?.state === 'stopped' ? found : null;
    });
    expect(deal).toMatchObject({ tx: null, reason: expect.stringContaining('has changed hands') });
  });

  it('evaluates the market by itself, and buys what it can value', async () => {
    const lot = await stage.listed(seller, sells, { askUsd: 110, negotiable: true, floorUsd: 80 });
    const rows = [96, 98, 99, 100, 100, 100, 101, 102, 103, 104].map((priceUsd, i) =>
      JSON.stringify({
        item: `eip155:1002/erc721:${lot.contract}/${900_000 + i}`,
        category: 'digital-products',
        priceUsd,
        soldAt: new Date(Date.now() - (i + 1) * 86_400_000).toISOString(),
      }),
    );
    await importRows('comparables', rows);
    await until('its purchase', async () => {
      const { body } = await stage.api.get('/matches');
      return body.items.find((m: { lot: string; tx?: string }) => m.lot === lot.key && m.tx) ?? null;
    });
    const { body } = await stage.api.signedGet(owner, `/agent/${agent.handle}/log`);
    expect(body.items.some((i: { listingRef: string }) => i.listingRef === lot.listingRef)).toBe(true);
  });

  it('retires for good', async () => {
    const lot = await dear();
    const placed = expectStatus(await order(10, lot.listingRef), 201, 'ordering');
    const retired = await session('retire');
    expect((await documentOf()).status).toBe('retired');
    expect(await orderStatus(placed.orderId)).toBe('cancelled');
    await confirmed(retired);
    expectProblem(await session('resume'), 409, 'agent-not-active');
    expectProblem(await propose(TRADES), 409, 'agent-not-active');
    expectProblem(await order(10, lot.listingRef), 409, 'agent-not-active');
    expect((await documentOf()).caps.remaining[0].spendableUsd).toBe(0);
    expect((await documentOf()).status).toBe('retired');
    // Signed again, the act fails at once instead of waiting for ever, because nobody is left to send it.
    await expect(confirmed(await session('retire'))).rejects.toThrow('nothing is left to be sent');
  });
});
