import { sql } from 'kysely';
import { createPublicClient, type Hex, http, keccak256, toHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { until } from '../../runtime/cli/demo/client.ts';
import { fund } from '../../runtime/cli/dev.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import type { Database } from '../../store/database.ts';
import { listenTo } from '../fixtures/servers/event-stream.ts';
import { webhookReceiver } from '../fixtures/servers/webhook-receiver.ts';
import { serviceFolder } from '../fixtures/service.ts';
import { type Agent, type Lot, storyOn } from '../fixtures/story-stage.ts';
import { chainFace } from './chain-face.ts';
import { Hashes } from './hashes.ts';
import { BID_LIFE_MS, lasts } from './history.ts';
import { faceOf } from './service-face.ts';
import { isPlayed, playedHours } from './service-hours.ts';
import { outside } from './service-outside.ts';
import { PEOPLE } from './service-script.ts';
import { PATIENCE, stillness } from './service-stillness.ts';
import { toldOver } from './service-stream.ts';
import type { Theatre } from './theatre.ts';

const TRADES = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';
const CATEGORY = 'digital-products';
const MINUTE_MS = 60_000;

const secret = (of: string): Hex => keccak256(toHex(`a leak would show of ${of}`));

/** Both services have the same keys, so the addresses of everything on their chains are also the same. */
const KEYS = {
  OPERATOR_PRIVATE_KEY: secret('the operator'),
  FACILITATOR_PRIVATE_KEY: secret('the facilitator'),
  SESSION_KEY_SEED: secret('the session keys'),
  PAY_TO: privateKeyToAccount(secret('who is paid')).address,
};

interface Person {
  readonly owner: PrivateKeyAccount;
  readonly agent: Agent;
}

/**
 * A whole service in its own process, with its chains. It runs histories through its public interface and collects what
 * everybody can read: lists, pages, records with their evidence, the event stream, the contents of the chains, the
 * notifications of owners, and the answers to a stranger who asks for more.
 */
export async function serviceTheatre(database: { url: string; db: Database }): Promise<Theatre> {
  const { db } = database;
  const folder = await serviceFolder();
  const service = await folder.start({ ...KEYS, DATABASE_URL: database.url, ANCHOR_SECONDS: '1' });
  const env = { ...folder.env, ...KEYS };
  const hashes = new Hashes();
  const story = storyOn({ ...folder, env }, (url, init) => {
    if (typeof init?.body === 'string') hashes.sent(init.body);
    return fetch(url, init);
  });
  const { api } = story;
  await story.importLists();
  const receiver = await webhookReceiver();
  const people: Person[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const owner = privateKeyToAccount(secret(`owner ${n}`));
    await fund(env, owner.address, '1000');
    // No sales and no register of goods are known here, so the owners choose to go on without them.
    const goesOn = { wallet: owner.address, onInconclusive: 'proceed' };
    demand(await api.signedPost(owner, '/settings', goesOn), 200);
    const agent = await story.assemble(owner, n === 0 ? 'seller' : `buyer-${n}`, TRADES);
    // Enough for every bid: what an account lacks would make the two histories different.
    if (n > 0) await story.give(owner, agent.account, 900);
    people.push({ owner, agent });
    const told = { wallet: owner.address, url: `${receiver.url}/${agent.handle}` };
    demand(await api.signedPost(owner, '/webhooks/subscriptions', told), 201);
  }
  const [seller, ...buyers] = people as [Person, ...Person[]];
  const stranger = privateKeyToAccount(secret('a stranger'));
  await fund(env, stranger.address, '100');
  const hours = await playedHours(db, () => `cc_${secret(`a close call ${Math.random()}`).slice(2, 34)}`);
  const stream = await listenTo(`${service.baseUrl}/events`);
  await until(
    'the stream to say where it stands',
    async () => (stream.comments() > 0 ? true : null),
    PATIENCE,
  );
  const { chains } = findRunning(folder.dataDir)!;
  const known = new Map<string, string>([
    [service.baseUrl, '(here)'],
    [new URL(service.baseUrl).host, '(here)'],
    [receiver.url, '(there)'],
  ]);
  for (const [chainId, { rpcUrl }] of Object.entries(chains))
    known.set(new URL(rpcUrl).host, `(node of ${chainId})`);
  // The id of a token, and so its account, depends on the payment for it, whose id is random in each service.
  const { rows } = await sql<{ handle: string; account: string; token_id: string }>`
    select handle, account, token_id::text from agents`.execute(db);
  for (const { handle, account, token_id } of rows) {
    known.set(account.slice(2), `(account of ${handle})`);
    known.set(`\\b${token_id}\\b`, `(token of ${handle})`);
  }
  const face = faceOf(known, isPlayed);
  const told = new Set<string>();

  /** Every public text passes through here unchanged. @throws Error when a secret could be guessed from it */
  function raw(text: string): string {
    const found = hashes.foundIn(text);
    if (found !== null)
      throw new Error(
        `what is public holds a hash of ${found}: ${text.replaceAll(/[^ -~\n]+/g, ' ').slice(0, 2_000)}`,
      );
    return text;
  }

  const { quiet, heard } = stillness(db, stream);

  async function read(path: string, response: Response): Promise<string> {
    const body = raw(await response.text());
    const {
      date: _,
      'x-request-id': __,
      'payment-required': challenge,
      ...headers
    } = Object.fromEntries(response.headers);
    const kept = Object.entries(headers).filter(
      ([name]) => !/^ratelimit-|^content-length$|^keep-alive|^payment-response$/.test(name),
    );
    // An agent's picture is drawn from its account's address, which differs between the two services.
    if (headers['content-type']?.startsWith('image/svg+xml'))
      return `${face.text(path)} ${response.status} (the picture of an account)`;
    const isJson = /json/.test(headers['content-type'] ?? '');
    const shown = isJson ? face.json(JSON.parse(body)) : face.text(body);
    const paying = challenge === undefined ? '' : face.text(raw(Buffer.from(challenge, 'base64').toString()));
    return `${face.text(path)} ${response.status} ${face.text(raw(JSON.stringify(kept)))}\n${shown}\n${paying}`;
  }

  const answer = async (path: string): Promise<string> =>
    read(path, await fetch(`${service.baseUrl}${path}`, { headers: { accept: 'application/json' } }));

  const { events, ways } = toldOver(stream, (data) => face.json(JSON.parse(raw(JSON.stringify(data)))));

  /** The notifications of each owner about its own agents and deals, each message once, sorted. */
  function news(): string[] {
    const since = receiver.arrived.splice(0);
    const once = new Map(since.map((message) => [message.headers['webhook-id'], message]));
    const lines = [...once.values()].map(({ path, body }) => `${path} ${face.json(JSON.parse(raw(body)))}`);
    return lines.sort();
  }

  /** An agent's activity, with each record that was not read yet, sorted, because both sides file at the same time. */
  async function activity(handle: string): Promise<string[]> {
    const response = await api.get(`/agent/${handle}/activity?limit=100`);
    const shown: string[] = [];
    for (const row of response.body.items as { recordId: string }[]) {
      if (told.has(`${handle} ${row.recordId}`)) continue;
      told.add(`${handle} ${row.recordId}`);
      shown.push(`${face.json(row)}\n${await answer(`/records/${row.recordId}`)}`);
    }
    return shown.sort();
  }

  const usd = (micro: bigint): number => Number(micro) / 1e6;
  const order = (who: Person, body: object) =>
    api.signedPost(who.owner, '/order', { handle: who.agent.handle, category: CATEGORY, ...body });

  const doors = outside({ baseUrl: service.baseUrl, stranger, usdc: chains['1002']!.usdc, face: read });
  // What came to whom is read from an index that follows the chain: one service's may be behind the other's.
  const { number: funded } = await createPublicClient({ transport: http(chains['1002']!.rpcUrl) }).getBlock();
  await until(
    'the index of transfers to hold what they were given',
    async () => {
      const query = db.selectFrom('transfer_ranges').select('to_block').where('chain_id', '=', 1002n);
      const ends = (await query.execute()).map(({ to_block }) => to_block);
      return ends.some((end) => end >= funded) ? true : null;
    },
    PATIENCE,
  );
  await quiet();
  const onChain = await Promise.all(
    Object.values(chains).map(({ rpcUrl }) => chainFace(rpcUrl, face.json, raw)),
  );
  events();
  ways();
  news();
  let played = 0;

  return {
    async play(script, secrets, refusals) {
      const bytes: string[] = [];
      for (const amount of [secrets.floor, ...secrets.limits]) hashes.amount(amount);
      await hours.begin(played++);
      const listed: Lot = await story.list(seller.owner, seller.agent, {
        askUsd: usd(script.ask),
        ...(script.negotiable ? { floorUsd: usd(secrets.floor) } : {}),
        negotiable: script.negotiable,
      });
      const { listingRef, contract, tokenId } = listed;
      const key = `eip155:1002/erc721:${contract.toLowerCase()}/${tokenId}`;
      const lot = encodeURIComponent(key);
      const everybody = { people, ...listed };
      const look = async (what: string): Promise<void> => {
        await heard();
        const paths = ['/orders?limit=5', `/orders?lot=${lot}`, '/matches?limit=3', '/catalogue?limit=3'];
        const answers = await Promise.all([...paths, `/close-calls?lot=${lot}`].map(answer));
        bytes.push([what, events(), ...answers].join('\n'));
      };
      await look('list');
      // A refusal by the mandate is recorded, without its amount.
      demand(await order(buyers[0]!, { side: 'buy', listingRef, limitUsd: 501 + usd(secrets.floor) }), 422);
      const placed = new Map<number, { orderId: string; ends: number }>();
      const asked = script.acts.findLastIndex((act) => act.do === 'bid' || act.do === 'reprice');
      for (const [i, act] of script.acts.entries()) {
        // This runs with everything on the book, before anything can end it.
        if (i === asked) bytes.push(...(await doors.refused(everybody)), ...(await doors.paid(everybody)));
        await hours.pass(lasts(act));
        const now = hours.now().getTime();
        if (act.do === 'bid') {
          const limitUsd = usd(secrets.limits[act.n]!);
          const opening = act.opening === null ? {} : { openingBidUsd: usd(act.opening) };
          const body = { side: 'buy', listingRef, limitUsd, ...opening };
          const { orderId } = demand(await order(buyers[act.buyer]!, body), 201) as { orderId: string };
          placed.set(act.n, { orderId, ends: now + BID_LIFE_MS[act.short ? 'short' : 'long'] });
        } else if (act.do === 'reprice' && script.negotiable) {
          const limitUsd = usd(secrets.limits[act.n]!);
          demand(await order(seller, { side: 'sell', listingRef, limitUsd }), 201);
        } else if (act.do === 'cancel' && placed.has(act.n)) {
          const { orderId } = placed.get(act.n)!;
          const bid = script.acts.find((a) => a.do === 'bid' && a.n === act.n) as { buyer: number };
          const { owner, agent } = buyers[bid.buyer]!;
          demand(await api.signedPost(owner, `/order/${orderId}/cancel`, { handle: agent.handle }), 200, 409);
        } else if (act.do === 'expire') {
          await hours.runOut([...placed.values()].filter(({ ends }) => ends <= now).map((o) => o.orderId));
        } else if (act.do === 'hour') await hours.endHour();
        else if (act.do === 'settle') await quiet();
        for (let n = 0; n < refusals && i % 3 === 0; n++) {
          const body = { side: 'buy', listingRef, limitUsd: 0.01, openingBidUsd: 0.02 };
          demand(await order(buyers[0]!, body), 400);
        }
        // A lot that has matched settles at its own pace, so it is read after that.
        if (script.acts[i + 1]?.do !== 'settle') await look(act.do);
      }
      // Everything that still rests expires at once, with its lot, and then its hour passes.
      await hours.pass(3_000);
      const left = await db
        .selectFrom('orders')
        .select('order_id')
        .where('asset_key', '=', key)
        .where('status', '=', 'resting')
        .execute();
      await hours.runOut(left.map((o) => o.order_id));
      await hours.pass(60 * MINUTE_MS);
      await hours.endHour();
      await quiet();
      await look('end');
      bytes.push(ways(), ...news(), ...(await doors.refused(everybody)), ...(await doors.free(everybody)));
      for (const { agent } of people) bytes.push((await activity(agent.handle)).join('\n'));
      for (const chain of onChain) bytes.push((await chain.since()).join('\n'));
      return bytes;
    },
    async stop() {
      stream.stop();
      await folder.remove();
      await receiver.stop();
    },
  };
}

function demand(answered: { status: number; body: unknown }, ...status: number[]): unknown {
  if (!status.includes(answered.status))
    throw new Error(`${answered.status} ${JSON.stringify(answered.body)} instead of ${status.join(' or ')}`);
  return answered.body;
}
