import { createSIWxPayload, encodeSIWxHeader, wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGN } from '../../../api/words/acts.ts';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { dealings } from '../../fixtures/dealings.ts';
import { type CardDesk, cardDesk } from '../../fixtures/servers/card-desk.ts';
import { challengeOf, stockFetch } from '../../fixtures/wallets/payers.ts';
import { expectProblem, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** A year of wallet determinations, bought by card and used by signing in. */

let stage: WireStage;
let desk: CardDesk;

beforeAll(async () => {
  stage = await wireStage();
  desk = cardDesk(stage);
});
afterAll(() => stage.stop());

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const ASKED = `/determination?address=${ADDRESS}&chainId=1002`;
const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const stranger = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());
const YEAR_MS = 365 * 86_400_000;
/** The time that a slow machine may take between a payment and a quote. */
const SLACK_MS = 3_600_000;

async function member(
  kind: 'individual' | 'institutional' = 'individual',
  options: { wallet?: PrivateKeyAccount; card?: string } = {},
) {
  const wallet = options.wallet ?? stranger();
  const opened = expectStatus(
    await stage.api.post('/membership/checkout', { wallet: wallet.address, kind }),
    201,
    'opening a membership',
  );
  await desk.pay(opened.checkoutUrl, options.card);
  await until('the membership', async () => {
    const { body } = await stage.api.get(`/membership/checkout/${opened.checkoutId}`);
    return body.status === 'paid' ? body : null;
  });
  return { wallet, ...opened } as {
    wallet: PrivateKeyAccount;
    checkoutId: string;
    amountUsd: number;
    checkoutUrl: string;
  };
}

const quoteFor = async (wallet: PrivateKeyAccount, more = '') =>
  (await stage.api.get(`/quote?wallet=${wallet.address}${more}`)).body;

const signedIn = (wallet: PrivateKeyAccount): typeof fetch =>
  wrapFetchWithSIWx(fetch, wallet) as typeof fetch;

/** Signs in with the challenge of `path`, like the stock client, with the test's changes. */
async function signIn(wallet: PrivateKeyAccount, path = ASKED, change: Record<string, unknown> = {}) {
  const asked = await fetch(stage.baseUrl + path);
  const extension = challengeOf(asked).extensions?.['sign-in-with-x'] as {
    info: Record<string, unknown>;
  };
  const info = { ...extension.info, chainId: 'eip155:1002', type: 'eip191', ...change };
  const payload = await createSIWxPayload(info as never, wallet, stage.baseUrl + path);
  return encodeSIWxHeader(payload);
}

const sendSignIn = (header: string, path = ASKED) =>
  fetch(stage.baseUrl + path, { headers: { 'sign-in-with-x': header } });

describe('a membership', () => {
  it('is bought by card and opens wallet determinations to the stock client, unpaid, again and again', async () => {
    const { wallet, amountUsd } = await member();
    expect(amountUsd).toBe(50);
    for (let i = 0; i < 3; i++) {
      const answer = await signedIn(wallet)(stage.baseUrl + ASKED);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('payment-response')).toBeNull();
      expect(await answer.json()).toMatchObject({ chainId: 1002, recorded: { filed: true } });
    }
    expect(await stage.db.selectFrom('payments').selectAll().execute()).toEqual([]);
  });

  it('is used on the page of a check by a sign-in, and nobody else is shown one', async () => {
    const send = async (form: Record<string, string>) => {
      const headers = { accept: 'text/html' };
      const body = new URLSearchParams(form);
      return await (await fetch(`${stage.baseUrl}/desk/check`, { method: 'POST', headers, body })).text();
    };
    const hidden = (page: string, name: string) =>
      new RegExp(`type="hidden" name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';
    const { wallet } = await member();
    const form = { address: ADDRESS, chainId: '1002', wallet: wallet.address, network: 'eip155:84532' };
    const paysFor = await send({ ...form, wallet: stranger().address, transactionUsd: '250' });
    expect(hidden(paysFor, 'payment')).not.toBe('');
    const shown = await send({ ...form, transactionUsd: '250' });
    expect(shown).toContain(SIGN.covered);
    expect([hidden(shown, 'payment'), hidden(shown, 'signIn') === '']).toEqual(['', false]);
    const signIn = hidden(shown, 'signIn');
    const message = unescaped(/data-message="([^"]+)"/.exec(shown)?.[1] ?? '');
    const signature = await wallet.signMessage({ message });
    const signed = { ...form, transactionUsd: '250', signIn, signature };
    expect(await send(signed)).toMatch(/rec_[0-9a-z]+/);
    const again = await send(signed);
    expect(again).toContain('Each sign-in counts once.');
    expect(hidden(again, 'signIn')).not.toBe(signIn);
    expect(await stage.db.selectFrom('payments').selectAll().execute()).toEqual([]);
  });

  it('does not cover tiers 2 and 3, and is not asked for there', async () => {
    const { wallet } = await member();
    const url = `${stage.baseUrl}/determinations/tier2/real-world-assets`;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"priceUsd":1}' };
    const answer = await signedIn(wallet)(url, init);
    expect(answer.status).toBe(402);
    expect(challengeOf(answer).extensions).not.toHaveProperty('sign-in-with-x');
    const header = await signIn(wallet);
    const pushed = await fetch(url, { ...init, headers: { ...init.headers, 'sign-in-with-x': header } });
    expect(pushed.status).toBe(402);
  });

  it('appears in the quote, line by line, and only where it covers something', async () => {
    const { wallet } = await member();
    const basic = await quoteFor(wallet, '&priceUsd=300');
    expect(basic).toMatchObject({
      membership: { kind: 'individual', until: expect.any(String) },
      lines: [
        { id: 'wallet-determination', amountUsd: 0, paidBy: 'membership' },
        { id: 'deal-fee', amountUsd: 6, paidBy: 'seller' },
      ],
      totals: [
        { paidBy: 'membership', amountUsd: 0 },
        { paidBy: 'seller', amountUsd: 6 },
      ],
      totalUsd: 0,
    });
    expect(Date.parse(basic.membership.until) - Date.now()).toBeGreaterThan(YEAR_MS - SLACK_MS);
    const tier = await quoteFor(wallet, '&tier=tier3&category=real-world-assets');
    expect(tier).toMatchObject({ membership: { kind: 'individual' }, totalUsd: 0.01 });
    expect(tier.lines[0]).toMatchObject({
      paidBy: 'caller',
      note: expect.stringContaining('does not cover'),
    });
    expect(await quoteFor(stranger())).toMatchObject({ membership: null, totalUsd: 0.01 });
  });

  it('is extended by a renewal', async () => {
    const { wallet } = await member();
    await member('individual', { wallet });
    const { membership } = await quoteFor(wallet);
    expect(Date.parse(membership.until) - Date.now()).toBeGreaterThan(2 * YEAR_MS - SLACK_MS);
  });

  it('ends after a year', async () => {
    const { wallet, checkoutId } = await member();
    const paid_at = new Date(Date.now() - 367 * 86_400_000);
    await stage.db.updateTable('checkouts').set({ paid_at }).where('id', '=', checkoutId).execute();
    expect((await quoteFor(wallet)).membership).toBeNull();
    const refused = await sendSignIn(await signIn(wallet));
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      code: 'payment-required',
      detail: expect.stringContaining('No membership covers'),
    });
  });
});

describe('an institutional membership', () => {
  it('covers the wallets that its payer names by signature, and those alone', async () => {
    const { wallet, amountUsd } = await member('institutional');
    expect(amountUsd).toBe(500);
    const [desk1, desk2] = [stranger(), stranger()];
    const named = await stage.api.signedPost(wallet, '/membership/wallets', {
      wallet: wallet.address,
      add: [desk1.address, desk2.address],
    });
    expect(expectStatus(named, 200, 'naming')).toMatchObject({ limit: 100 });
    expect(new Set(named.body.wallets)).toEqual(
      new Set([desk1.address.toLowerCase(), desk2.address.toLowerCase()]),
    );
    expect((await sendSignIn(await signIn(desk1))).status).toBe(200);
    expect((await quoteFor(desk1)).membership.kind).toBe('institutional');

    const removed = await stage.api.signedPost(wallet, '/membership/wallets', {
      wallet: wallet.address,
      remove: [desk1.address],
    });
    expect(removed.status).toBe(200);
    expect((await sendSignIn(await signIn(desk1))).status).toBe(402);
    expect((await sendSignIn(await signIn(desk2))).status).toBe(200);
  });

  it('names no wallets for another wallet, beyond its limit, or without such a membership', async () => {
    const { wallet } = await member('institutional');
    const body = { wallet: wallet.address, add: [stranger().address] };
    expectProblem(
      await stage.api.signedPost(stranger(), '/membership/wallets', body),
      401,
      'signature-invalid',
    );
    const many = { wallet: wallet.address, add: Array.from({ length: 100 }, () => stranger().address) };
    expect((await stage.api.signedPost(wallet, '/membership/wallets', many)).status).toBe(200);
    expectProblem(await stage.api.signedPost(wallet, '/membership/wallets', body), 409, 'conflict');
    const single = await member();
    const mine = { ...body, wallet: single.wallet.address };
    expectProblem(await stage.api.signedPost(single.wallet, '/membership/wallets', mine), 409, 'conflict');
  });
});

describe('a sign-in', () => {
  it('counts once, in however many simultaneous requests', async () => {
    const { wallet } = await member();
    const header = await signIn(wallet);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await sendSignIn(header)).status),
    );
    expect(statuses.filter((s) => s === 200)).toHaveLength(1);
    expect(statuses.filter((s) => s === 402)).toHaveLength(9);
  });

  it('counts only for the request whose challenge was signed, within its time, and unchanged', async () => {
    const { wallet } = await member();
    const other = ASKED.replace('976F', '9760');
    expect((await sendSignIn(await signIn(wallet, ASKED), other)).status).toBe(402);
    const changes = [
      { nonce: '0'.repeat(64) },
      { nonce: 'abcdefgh12345678' },
      { expirationTime: new Date(Date.now() + 86_400_000).toISOString() },
      { expirationTime: undefined },
      { issuedAt: new Date(Date.now() + 1_000).toISOString() },
      { uri: `${stage.baseUrl}${other}` },
      { chainId: 'eip155:1' },
    ];
    for (const change of changes) {
      const refused = await sendSignIn(await signIn(wallet, ASKED, change));
      expect([JSON.stringify(change), refused.status]).toEqual([JSON.stringify(change), 402]);
      expect(challengeOf(refused).accepts).toHaveLength(2);
    }
    expect((await sendSignIn(await signIn(wallet))).status).toBe(200);
  });

  it('is refused with a fresh challenge when another key made it or it is none, and uses nothing up', async () => {
    const { wallet } = await member();
    const header = await signIn(wallet);
    const payload = JSON.parse(Buffer.from(header, 'base64').toString()) as Record<string, string>;
    const forge = (change: object) =>
      sendSignIn(Buffer.from(JSON.stringify({ ...payload, ...change })).toString('base64'));
    const foreign = await stranger().signMessage({ message: 'other' });
    for (const change of [{ signature: foreign }, { signature: '0x' }, { address: stranger().address }]) {
      expect((await forge(change)).status).toBe(402);
    }
    for (const nonsense of ['%%%', 'e30=', 'bm90IGpzb24=']) {
      expect((await sendSignIn(nonsense)).status).toBe(402);
    }
    expect((await sendSignIn(header)).status).toBe(200);
  });
});

describe('the contacts of the asker', () => {
  const numbered = (kind: string, n: number) => `${kind}${n.toString(16).padStart(38, '0')}`;
  const friends = [0x11, 0x12].map((n) => ({ owner: numbered('0x0e', n), account: numbered('0x0a', n) }));
  /** Begins and ends like the first friend's wallet. */
  const ALIKE = `0x0e0000${'f'.repeat(30)}0011`;

  it('are compared with the address for a payer and for a member, and no record reveals who asked', async () => {
    const asker = await stage.owner();
    await member('individual', { wallet: asker });
    const known = dealings(stage.db);
    await known.agents('friend', 2, 0x10);
    await known.agents('mine', 1, 0x40);
    await known.owned('mine-1', asker.address.toLowerCase());
    await known.deals('mine-1', ['friend-1', 'friend-2'], new Date());
    const asks = async (by: typeof fetch, address: string) => {
      const answer = await by(`${stage.baseUrl}/determination?address=${address}&chainId=1002`);
      expect(answer.status).toBe(200);
      const { evidence, recorded } = (await answer.json()) as {
        evidence: { checks: { id: string; outcome: string; detail: string }[] };
        recorded: { recordId: string };
      };
      const { body } = await stage.api.get(`/records/${recorded.recordId}`);
      return { ...evidence.checks.find((c) => c.id === 'look-alike'), record: JSON.stringify(body) };
    };

    const one = `it begins and ends like ${friends[0]!.owner}, and is another address`;
    for (const by of [stockFetch(asker, stage.usdc), signedIn(asker)]) {
      const { record, ...found } = await asks(by, ALIKE);
      expect(found).toMatchObject({ outcome: 'FLAG', detail: one });
      expect(record).toContain(one);
      for (const other of [friends[0]!.account, ...Object.values(friends[1]!), asker.address.toLowerCase()])
        expect(record.toLowerCase()).not.toContain(other.slice(2));
    }
    const another = await asks(signedIn(asker), numbered('0xf0', 7));
    expect(another).toMatchObject({ outcome: 'PASS', detail: expect.stringContaining('looks like nobody') });
    for (const friend of friends) expect(another.record).not.toContain(friend.owner.slice(2));

    const { wallet } = await member();
    for (const by of [stockFetch(await stage.owner(), stage.usdc), signedIn(wallet)]) {
      const known = await asks(by, ALIKE);
      expect(known).toMatchObject({ outcome: 'PASS', detail: expect.stringContaining('no dealings known') });
    }
  });
});

describe('money that is charged back', () => {
  it('ends the membership that it bought, and a dispute that is won restores it', async () => {
    const refunded = await member();
    expect((await quoteFor(refunded.wallet)).membership).not.toBeNull();
    await desk.refund(refunded.checkoutUrl);
    await desk.heard('charge.refunded');
    await until('the end', async () => ((await quoteFor(refunded.wallet)).membership === null ? true : null));

    const disputed = await member('individual', { card: '4000000000000259' });
    const covered = async () => (await quoteFor(disputed.wallet)).membership !== null;
    await until('the dispute', async () => ((await covered()) ? null : true));
    expect((await sendSignIn(await signIn(disputed.wallet))).status).toBe(402);
    await desk.decide(disputed.checkoutUrl, 'winning_evidence');
    await until('the verdict', async () => ((await covered()) ? true : null));

    const lost = await member('individual', { card: '4000000000000259' });
    await desk.decide(lost.checkoutUrl, 'losing_evidence');
    await desk.heard('charge.dispute.closed');
    expect((await quoteFor(lost.wallet)).membership).toBeNull();
  });
});
