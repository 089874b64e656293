import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { App } from '../http/app.ts';
import { SIGN } from '../words/acts.ts';
import { deskRoutes } from './desk.ts';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly payment?: unknown;
}

const unpacked = (text: unknown) => JSON.parse(Buffer.from(String(text), 'base64').toString());

const WALLET = `0x${'cd'.repeat(20)}`;
const TO = `0x${'ab'.repeat(20)}`;

/** The desk before an API that gives the prepared answers and notes the requests. */
async function stage(
  status: number,
  answer: object,
  held: Promise<unknown> | null = null,
  askedChains: readonly number[] = [],
) {
  const app = fastify() as unknown as App;
  app.decorateRequest('rawBody');
  const asked: Asked[] = [];
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/*',
    handler: async ({ method, url, body, headers }, reply) => {
      const payment = headers['payment-signature'];
      asked.push({ method, url, body, ...(payment === undefined ? {} : { payment: unpacked(payment) }) });
      await held;
      return reply.code(status).send(answer);
    },
  });
  let ids = 0;
  await deskRoutes(app, {
    now: () => new Date('2026-11-21T07:00:00Z'),
    newId: (prefix) => `${prefix}${ids++}`,
    config: { prices: { setting: 'live', standardListing: null } },
    askedChains: () => askedChains,
    // Only the test that keeps the page waiting uses a short wait.
    patienceMs: held === null ? 600_000 : 1,
  });
  const send = async (command: string, form: Record<string, string>) => {
    const sent = await app.inject({
      method: 'POST',
      url: `/desk/${command}`,
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    return { status: sent.statusCode, headers: sent.headers, text: sent.body };
  };
  const open = async (path: string) => (await app.inject({ method: 'GET', url: path })).body;
  return { asked, send, open };
}

const sign = {
  message: 'words',
  nonce: 'n'.repeat(16),
  expiresAt: '2026-11-21T07:00:00.000Z',
  wallet: WALLET,
};

describe('a form of the desk', () => {
  it('sends what was chosen of several, and carries it to the page that is signed', async () => {
    const { asked, send } = await stage(401, { sign });
    const form = { wallet: WALLET, url: 'https://x.test/hook' };
    const page = await send('subscribe', {
      ...form,
      'events:deal.settled': 'on',
      'events:agent.status': 'on',
    });
    const body = { ...form, events: ['deal.settled', 'agent.status'] };
    expect(asked).toEqual([{ method: 'POST', url: '/webhooks/subscriptions', body }]);
    expect(page.text).toContain('name="events" value="deal.settled agent.status"');
    // The same form as it comes back with the signature.
    await send('subscribe', {
      ...form,
      events: 'deal.settled agent.status',
      nonce: sign.nonce,
      signature: '0x12',
    });
    expect(asked[1]).toEqual(asked[0]);
  });

  it('leaves out what was not filled in, and reads a list and a day as the interface wants them', async () => {
    const { asked, send } = await stage(401, { sign });
    await send('covered', { wallet: WALLET, add: `${TO}\r\n\r\n${WALLET},`, remove: '' });
    await send('pledge', { wallet: WALLET, serial: 'AB-1', listingRef: 'loan-1', until: '2027-01-31' });
    await send('unsubscribe', { subscriptionId: 'whs/1' });
    expect(asked).toEqual([
      { method: 'POST', url: '/membership/wallets', body: { wallet: WALLET, add: [TO, WALLET] } },
      {
        method: 'POST',
        url: '/pledge',
        body: {
          wallet: WALLET,
          asset: { serial: 'AB-1' },
          listingRef: 'loan-1',
          until: '2027-01-31T23:59:59Z',
        },
      },
      { method: 'DELETE', url: '/webhooks/subscriptions/whs%2F1', body: undefined },
    ]);
  });

  it('gives an order the end of the day that was chosen, and none where none was', async () => {
    const { asked, send } = await stage(401, { sign });
    const order = {
      handle: 'desk',
      side: 'sell',
      listingRef: 'lst',
      category: 'digital-products',
      limitUsd: '60',
    };
    await send('order', { ...order, expiresAt: '2027-01-31' });
    await send('order', { ...order, expiresAt: '' });
    expect(asked.map(({ body }) => body)).toEqual([{ ...order, expiresAt: '2027-01-31T23:59:59Z' }, order]);
  });

  it('asks for nothing while something is missing', async () => {
    const { asked, send } = await stage(500, {});
    const page = await send('release', { pledgeId: '' });
    expect(page.status).toBe(400);
    expect(page.text).toContain('<a href="#pledgeId">Pledge: fill it in</a>');
    expect(asked).toEqual([]);
  });

  it('tells a fault at its field, by what the form calls it', async () => {
    const errors = [
      { path: 'add[1]', message: 'must be an address' },
      { path: 'elsewhere', message: 'is odd' },
      { path: 'wallet', message: 'must match ^0x[0-9a-fA-F]{40}$ (0x and 40 hex digits)' },
    ];
    const { send } = await stage(400, { title: 'Not valid', detail: 'd', errors });
    const page = await send('covered', { wallet: WALLET, add: 'x' });
    expect(page.status).toBe(400);
    expect(page.text).toContain('role="alert"');
    expect(page.text).toContain('<a href="#add">To cover: must be an address</a>');
    expect(page.text).toMatch(
      /<textarea id="add"[^>]* aria-describedby="add-hint add-problem" aria-invalid="true"/,
    );
    expect(page.text).toContain('<p class="wrong" id="add-problem">must be an address</p>');
    expect(page.text).toContain('elsewhere: is odd');
    expect(page.text).toContain('<a href="#wallet">Your wallet: must be 0x and 40 hex digits</a>');
  });

  it('leads to the page of what is paid by card', async () => {
    const { asked, send } = await stage(201, { checkoutId: 'co_1', checkoutUrl: 'https://pay.test/1' });
    const membership = await send('membership', { wallet: WALLET, kind: 'individual' });
    const placement = await send('feature', { listingRef: 'lst_1' });
    expect([membership.status, membership.headers.location]).toEqual([303, '/membership/checkout/co_1']);
    expect([placement.status, placement.headers.location]).toEqual([303, '/listing/checkout/co_1']);
    expect(asked[1]?.body).toEqual({ listingRef: 'lst_1', featured: true });
  });

  it('sends what a contract checks where that is checked, and nowhere else', async () => {
    const { asked, send } = await stage(200, {
      tokenId: '7',
      from: WALLET,
      to: TO,
      tx: '0x1',
      recordUrl: '/r',
    });
    const signed = { confirm: '1', signature: '0x12' };
    await send('certificate-transfer', { tokenId: '7', to: TO, ...signed });
    await send('mandate', { handle: 'desk', mandate: 'm', ...signed, confirm: '3', keySignature: '0x34' });
    await send('session', { handle: 'desk', action: 'pause', ...signed });
    expect(asked.map(({ url, body }) => [url, body])).toEqual([
      ['/certificates/7/transfer/confirm', { signature: '0x12' }],
      ['/agent/desk/mandate/3/confirm', { signature: '0x12', keySignature: '0x34' }],
      ['/agent/desk/session/confirm', { signature: '0x12' }],
    ]);
    for (const confirm of ['../../x', '0', '']) {
      const refused = await send('session', { handle: 'desk', action: 'pause', ...signed, confirm });
      expect(refused.status).not.toBe(200);
    }
    await send('pledge', { wallet: WALLET, listingRef: 'l', ...signed });
    expect(asked).toHaveLength(3);
  });
});

describe('what a wallet pays for', () => {
  const offer = (network: string) => ({
    scheme: 'exact',
    network,
    asset: TO,
    amount: '10000',
    payTo: WALLET,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2' },
  });
  const challenge = { detail: 'Pay.', accepts: [offer('eip155:1002'), offer('eip155:84532')] };
  const form = { address: TO, chainId: '1002', wallet: WALLET, network: 'eip155:84532' };

  it('is a transfer that it is shown, and that goes with the same request once it is signed', async () => {
    const { asked, send } = await stage(402, challenge);
    const shown = await send('check', form);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('A transfer of $0.01 in test USDC on Base Sepolia');
    expect(shown.text).toContain('&quot;primaryType&quot;: &quot;TransferWithAuthorization&quot;');
    const payment = /name="payment" value="([^"]+)"/.exec(shown.text)?.[1] ?? '';
    const again = await send('check', { ...form, payment, signature: '0x12' });
    const url = `/determination?address=${TO}&chainId=1002`;
    const authorization = {
      from: WALLET,
      to: WALLET,
      value: '10000',
      validAfter: '0',
      validBefore: String(Date.parse('2026-11-21T07:05:00Z') / 1000),
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    };
    expect(asked).toEqual([
      { method: 'GET', url, body: undefined },
      {
        method: 'GET',
        url,
        body: undefined,
        payment: {
          x402Version: 2,
          accepted: challenge.accepts[1],
          payload: { signature: '0x12', authorization },
        },
      },
    ]);
    // After a refusal the page shows a new transfer, with another nonce.
    expect(again.status).toBe(402);
    expect(again.text).toContain('Pay. Here is a new transfer to sign.');
    expect(again.text).not.toContain(payment);
  });

  it.each([
    ['1', '0.000001'],
    ['10000', '0.01'],
    ['14900', '0.0149'],
    ['123456', '0.123456'],
    ['5000000', '5.00'],
    ['1234567890', '1,234.56789'],
  ])('of %s units says $%s in its sentence, as the wallet shows the transfer itself', async (amount, usd) => {
    const accepts = [{ ...offer('eip155:84532'), amount }];
    const { text } = await (await stage(402, { ...challenge, accepts })).send('check', form);
    expect(text).toContain(`Pay $${usd} in test USDC on Base Sepolia to ${WALLET}.`);
    expect(text).toContain(`A transfer of $${usd} in test USDC`);
    expect(text).toContain(
      `The wallet shows a transfer: to ${WALLET}, value ${amount} (= $${usd}, six decimals).`,
    );
    expect(text).not.toContain('this same sentence');
    const typed = /data-typed="([^"]+)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect(JSON.parse(typed).message).toMatchObject({ to: WALLET, value: amount });
  });

  it('can be asked otherwise before it is signed, such as paid on another chain', async () => {
    const { asked, send } = await stage(402, challenge);
    const shown = (await send('check', form)).text;
    const back = shown.slice(shown.indexOf('</sign-form>'));
    expect(back).toContain('<button class="second" name="step" value="change">');
    const sent = [...back.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name, value] as const,
    );
    const again = await send('check', { ...Object.fromEntries(sent), step: 'change' });
    expect(again.status).toBe(200);
    expect(again.text).toMatch(new RegExp(`name="address"[^>]* value="${TO}"`));
    expect(again.text).toMatch(new RegExp(`name="wallet"[^>]* value="${WALLET}"`));
    expect(again.text).toContain('<option value="eip155:84532" selected>');
    expect(asked).toHaveLength(1);
  });

  it('asks about the chain that was said, whether the form offers it or not', async () => {
    const chosen = (page: string) => page.match(/<option value="\d+" selected>[^<]*/g);
    for (const chains of [[], [1002, 8453]]) {
      const { asked, send, open } = await stage(400, { title: 'Not valid', detail: 'No.' }, null, chains);
      const words = chains.length === 0 ? '8453' : 'Chain 8453';
      const kept = [`<option value="8453" selected>${words}`];
      expect(chosen(await open(`/desk/check?address=${TO}&chainId=8453`))).toEqual(kept);
      const refused = await send('check', { ...form, chainId: '8453' });
      expect([refused.status, chosen(refused.text)]).toEqual([400, kept]);
      expect(asked.map(({ url }) => url)).toEqual([`/determination?address=${TO}&chainId=8453`]);
      expect((await open('/desk/check')).match(/<option value="1002"/g)).toHaveLength(1);
    }
  });

  it('takes along what is at stake, which its price is a share of', async () => {
    const { asked, send, open } = await stage(402, challenge);
    expect(await open('/desk/check?transactionUsd=250')).toMatch(/name="transactionUsd"[^>]* value="250"/);
    const shown = await send('check', { ...form, transactionUsd: '250' });
    expect(asked[0]?.url).toBe(`/determination?address=${TO}&chainId=1002&transactionUsd=250`);
    expect(shown.text).toContain('name="transactionUsd" value="250"');
  });

  it.each([429, 500, 503])(
    'is carried on with its signature where the service answers %i, so that nobody pays twice',
    async (status) => {
      const { send } = await stage(status, { title: 'Not now', detail: 'Wait a minute.' });
      const payment = Buffer.from(JSON.stringify({ accepted: {}, authorization: {} })).toString('base64');
      const page = await send('check', { ...form, payment, signature: '0x12' });
      expect([page.status, page.text.includes('Wait a minute.')]).toEqual([status, true]);
      expect(page.text).toContain(`name="payment" value="${payment}"`);
      expect(page.text).toContain('name="signature" value="0x12"');
    },
  );

  it('needs the address of a wallet, and no forged payment is sent on', async () => {
    const { asked, send } = await stage(402, challenge);
    const nobody = await send('check', { ...form, wallet: 'me' });
    expect([nobody.status, nobody.text.includes('Your wallet: must be 0x')]).toEqual([400, true]);
    await send('check', { ...form, payment: 'e30', signature: 'no' });
    await send('check', { ...form, payment: '%', signature: '0x12' });
    expect(asked.filter((a) => a.payment !== undefined)).toEqual([]);
  });

  it('says of a signature that was pasted wrongly how one is written, and offers a new transfer', async () => {
    const { send } = await stage(402, { ...challenge, detail: 'PAYMENT-SIGNATURE: send one.' });
    const page = await send('check', { ...form, payment: 'e30', signature: 'no' });
    expect(page.status).toBe(402);
    expect(page.text).toContain(SIGN.again.transfer(SIGN.malformed));
    expect(page.text).not.toContain('PAYMENT-SIGNATURE');
  });

  it('can be an agent, and leads to the page of its checkout', async () => {
    const { asked, send } = await stage(201, { checkoutId: 'co_1' });
    const terms = { mandate: 'Buy.', handle: 'desk', owner: WALLET, tier: 'EXECUTOR', depth: '2-of-2' };
    const answer = await send('new-agent', { ...terms, step: 'pay' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/agent/checkout/co_1?paid=yes']);
    const { depth: _, ...taken } = terms;
    expect(asked[0]?.body).toEqual({ ...taken, readAt: '2026-11-21T07:00:00.000Z', pay: 'usdc' });
  });

  it.each([
    ['nothing was paid', true, {}],
    ['other terms were paid for', false, { payment: 'e30', signature: '0x12' }],
  ])(
    'does not buy what one owns by the same name already: the form says so where %s',
    async (_why, sameOrder, proof) => {
      const taken = { title: 'It conflicts', detail: 'Taken.', checkoutId: 'co_1', sameOrder };
      const { send } = await stage(409, taken);
      const terms = { mandate: 'Buy.', handle: 'desk', owner: WALLET, tier: 'EXECUTOR', depth: '' };
      const { status, headers, text } = await send('new-agent', { ...terms, ...proof });
      expect([status, headers.location]).toEqual([409, undefined]);
      expect(text).toContain('<a href="#handle">Its handle: Taken.</a>');
      for (const way of ['/agent/checkout/co_1', '/agent/desk', '/desk/mandate?handle=desk'])
        expect(text).toContain(`href="${way}"`);
      expect(text).toContain('Buy.</textarea>');
    },
  );

  it('leads to the checkout that was paid for in the same terms, whose answer may have been lost', async () => {
    const { send } = await stage(409, { title: 'It conflicts', checkoutId: 'co_1', sameOrder: true });
    const terms = { mandate: 'Buy.', handle: 'desk', owner: WALLET, tier: 'EXECUTOR', depth: '' };
    const { status, headers } = await send('new-agent', { ...terms, payment: 'e30', signature: '0x12' });
    expect([status, headers.location]).toEqual([303, '/agent/checkout/co_1?paid=yes']);
  });

  it('is an agent whose mandate ends when it was said to, however long its owner waited', async () => {
    const { asked, send } = await stage(402, challenge);
    const mandate = 'Buy digital products, max 50 USDC per deal, for 30 days.';
    const terms = { mandate, handle: 'desk', owner: WALLET, tier: 'EXECUTOR', depth: '' };
    const readAt = '2026-11-21T06:20:00.000Z';
    const shown = await send('new-agent', { ...terms, readAt });
    expect(shown.text).toContain('Until 2026-12-21 06:20 UTC.');
    expect(shown.text).toContain(`name="readAt" value="${readAt}"`);
    const payment = /name="payment" value="([^"]+)"/.exec(shown.text)?.[1] ?? '';
    // A page that stood open for long sends what was signed all the same: the API says whether it still may be.
    for (const at of [readAt, '2026-11-20T06:20:00.000Z'])
      await send('new-agent', { ...terms, readAt: at, payment, signature: '0x12' });
    expect(asked.map(({ body }) => (body as { readAt: string }).readAt)).toEqual([
      ...[readAt, readAt],
      '2026-11-20T06:20:00.000Z',
    ]);
    // What was read back too long ago is read back once more, and shown.
    const again = await send('new-agent', { ...terms, readAt: '2026-11-21T05:00:00.000Z' });
    expect(again.text).toContain('Until 2026-12-21 07:00 UTC.');
    expect(again.text).toContain('name="readAt" value="2026-11-21T07:00:00.000Z"');
  });
});

describe('an evaluation', () => {
  const form = {
    tier: 'tier2',
    category: 'digital-products',
    side: 'buy',
    wallet: WALLET,
    network: 'eip155:1002',
  };

  it('asks with each fact wherever it is wanted, and leaves out what was not given', async () => {
    const { asked, send } = await stage(402, { detail: 'Pay.', accepts: [] });
    const facts = {
      listingRef: 'lst_1',
      seller: 'quay',
      priceUsd: '12.50',
      handle: 'desk',
      counterparty: 'quay',
    };
    const token = { contract: TO, tokenId: '7', chainId: '84532', serialKind: 'isbn' };
    await send('evaluate', { ...form, ...facts, ...token, tier: 'tier3', depth: 'superconsensus' });
    await send('evaluate', { ...form, serial: 'AB-1', serialKind: 'generic', chainId: '1002' });
    const asset = { chainId: 84_532, contract: TO, tokenId: '7' };
    const { counterparty, handle, ...plain } = facts;
    const { seller: _, ...sale } = plain;
    const proposal = { side: 'buy', category: 'digital-products', ...sale, counterparty, asset };
    const depth = 'superconsensus';
    expect(asked.map(({ url, body }) => [url, body])).toEqual([
      [
        '/determinations/tier3/digital-products',
        { ...plain, handle, lotRef: 'lst_1', asset, subject: asset, proposal, depth },
      ],
      ['/determinations/tier2/digital-products', { asset: { serial: 'AB-1', serialKind: 'generic' } }],
    ]);
  });

  it('is not asked for while a determination that is wanted lacks a part, or none has its facts', async () => {
    const { asked, send } = await stage(500, {});
    const seller = await send('evaluate', { ...form, seller: 'quay' });
    expect(seller.text).toContain('<a href="#listingRef">Listing: fill it in too');
    const agent = await send('evaluate', { ...form, handle: 'desk', contract: TO, tokenId: '7' });
    expect(agent.text).toContain('<a href="#priceUsd">Price in dollars: fill it in too');
    const nothing = await send('evaluate', { ...form, listingRef: 'lst_1' });
    expect([seller.status, agent.status, nothing.status]).toEqual([400, 400, 400]);
    expect(nothing.text).toContain('Say what to look at');
    expect(asked).toEqual([]);
  });

  it('tells what it costs on the form, and what will be looked at where it is signed', async () => {
    const offer = { network: 'eip155:1002', asset: TO, payTo: WALLET, maxTimeoutSeconds: 300 };
    const accepts = [{ ...offer, amount: '15000000', extra: { name: 'USDC', version: '2' } }];
    const { send } = await stage(402, { detail: 'Pay.', accepts });
    const missing = await send('evaluate', { ...form, wallet: '' });
    expect(missing.text).toMatch(/Digital products<\/th><td[^>]*>.*\$2\.00.*\$15\.00/);
    const page = await send('evaluate', { ...form, tier: 'tier3', priceUsd: '20' });
    expect(page.text).toContain('A transfer of $15.00 in test USDC on Safe Handshake test chain');
    expect(page.text).toContain('<dt>Will be looked at</dt><dd>Price intelligence<br></dd>');
    expect(page.text).toContain('Double pledge: it needs a token or a serial');
    expect(page.text).toContain('Provenance and stolen goods: it needs');
    expect((await send('evaluate', { ...form, priceUsd: '20' })).text).not.toContain('Provenance');
    expect(page.text).toContain('data-waiting="Signed. The reviewers read');
  });

  it('tells what is wrong with a thing at its field, once', async () => {
    const message = 'must be 3 to 64 letters';
    const errors = [
      { path: 'asset.serial', message },
      { path: 'subject.serial', message },
      { path: 'subject', message: 'is odd' },
      { path: 'lotRef', message: 'is long' },
    ];
    const { send } = await stage(400, { title: 'Not valid', detail: 'd', errors });
    const page = await send('evaluate', { ...form, serial: '!' });
    const told = [...page.text.matchAll(/<a href="#(\w+)">([^<]*)/g)].map(([, field, words]) => [
      field,
      words,
    ]);
    expect(told).toEqual([
      ['serial', `Serial: ${message}`],
      ['serial', 'Serial: is odd'],
      ['listingRef', 'Listing: is long'],
    ]);
  });

  it('says that it is still worked on, and looks again with the same payment', async () => {
    let answer: (value?: unknown) => void = () => {};
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    const { asked, send } = await stage(503, { detail: 'Send the same payment again.' }, held);
    const payment = Buffer.from(JSON.stringify({ accepted: {}, authorization: {} })).toString('base64');
    const paid = { ...form, priceUsd: '20', payment, signature: '0x12' };
    const page = await send('evaluate', paid);
    expect([page.status, page.text.includes('Still at work')]).toEqual([202, true]);
    const carried = [...page.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    answer();
    const again = await send('evaluate', Object.fromEntries(carried.map(([, name, value]) => [name, value])));
    expect(again.text).toContain('It is one and the same: it is charged once');
    // Both requests were made although neither page waited for an answer.
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(2);
    expect(asked[1]).toEqual(asked[0]);
  });
});

describe('a list that is signed for', () => {
  const row = {
    orderId: 'ord_1',
    side: 'buy',
    lot: 'l',
    limitUsd: 1,
    status: 'filled',
    createdAt: '',
    expiresAt: '',
  };
  const hiddenIn = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, k, v]) => [k, v]),
    );

  it('leads from page to page, and back to the newest', async () => {
    const { asked, send } = await stage(200, { items: [row], hasMore: true, next: 'the-next' });
    const first = await send('orders', { handle: 'desk' });
    expect(hiddenIn(first.text)).toEqual({ handle: 'desk', cursor: 'the-next' });
    expect(first.text).not.toContain('← Newest');
    const second = await send('orders', hiddenIn(first.text));
    expect(second.text).toMatch(
      /<form action="\/desk\/orders" method="post"><input type="hidden" name="handle" value="desk"><button class="second">← Newest/,
    );
    expect(asked.map(({ url }) => url)).toEqual(['/agent/desk/orders', '/agent/desk/orders?cursor=the-next']);
  });

  it.each(['deals', 'orders', 'log', 'acts'])(
    'carries its place to where the %s are signed for',
    async (command) => {
      const { asked, send } = await stage(401, { sign });
      const page = await send(command, { handle: 'desk', cursor: 'the-next' });
      expect(hiddenIn(page.text)).toMatchObject({ handle: 'desk', cursor: 'the-next', nonce: sign.nonce });
      expect(asked[0]?.url).toBe(`/agent/desk/${command}?cursor=the-next`);
    },
  );

  it('ends, and takes no place where there are no pages', async () => {
    const last = await stage(200, { items: [], hasMore: false });
    expect((await last.send('deliveries', { subscriptionId: 'whs_1' })).text).not.toContain('class="pager"');
    await last.send('subscriptions', { wallet: WALLET, cursor: 'x' });
    await last.send('deliveries', { subscriptionId: 'whs_1', cursor: 'x' });
    expect(last.asked.map(({ url }) => url)).toEqual([
      '/webhooks/subscriptions/whs_1/deliveries',
      `/webhooks/subscriptions?wallet=${WALLET}`,
      '/webhooks/subscriptions/whs_1/deliveries?cursor=x',
    ]);
  });
});

describe('what came of an act', () => {
  it('shows a secret once, where nothing keeps it, and how to go on', async () => {
    const { send } = await stage(201, {
      subscriptionId: 'whs_1',
      wallet: WALLET,
      url: 'https://x.test/hook',
      events: [],
      status: 'active',
      secret: 'whsec_abc',
    });
    const page = await send('subscribe', { wallet: WALLET, url: 'https://x.test/hook' });
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text.match(/whsec_abc/g)).toHaveLength(1);
    expect(page.text).toContain(`href="/desk/unsubscribe?subscriptionId=whs_1&amp;wallet=${WALLET}"`);
  });

  it('leads from a pledge to its release', async () => {
    const { send } = await stage(201, {
      pledgeId: 'plg_1',
      asset: 'serial:vin:1',
      listingRef: 'loan',
      wallet: WALLET,
      until: null,
    });
    const page = await send('pledge', { wallet: WALLET, serial: '1', listingRef: 'loan' });
    expect(page.text).toContain('href="/desk/release?pledgeId=plg_1"');
    expect(page.text).toContain('it is released');
  });

  it('says whether a membership covers a wallet', async () => {
    const held = await stage(200, {
      membership: { kind: 'institutional', until: '2027-11-21T07:00:00.000Z' },
    });
    const none = await stage(200, { membership: null });
    expect((await held.send('standing', { wallet: WALLET })).text).toContain('2027-11-21');
    expect((await none.send('standing', { wallet: WALLET })).text).toContain('No membership covers');
    expect(none.asked[0]?.url).toBe(`/quote?wallet=${WALLET}`);
  });
});
