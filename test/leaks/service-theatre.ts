import { sql } from 'kysely';
import { type Hex, keccak256, toHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { until } from '../../runtime/cli/demo/client.ts';
import { fund } from '../../runtime/cli/dev.ts';
import { findRunning } from '../../runtime/embedded/running.ts';
import type { Database } from '../../store/database.ts';
import { listenTo, type StreamEvent } from '../fixtures/event-stream.ts';
import { serviceFolder } from '../fixtures/service.ts';
import { type Agent, storyOn } from '../fixtures/story-stage.ts';
import type { Random } from '../simulator/random.ts';
import { publicFace, type Script, type Secrets, writeHistory } from './history.ts';
import { faceOf } from './service-face.ts';
import type { Theatre } from './theatre.ts';

const TRADES = 'Buy and sell digital products, max 500 USDC per deal, for 30 days.';
const CATEGORY = 'digital-products';
/** A seller and two who bid: what an owner's second agent may do is played without chains. */
const PEOPLE = 3;
/** Whatever the machine is busy with. */
const PATIENCE = { timeoutMs: 300_000 };

const secret = (of: string): Hex => keccak256(toHex(`a leak would show of ${of}`));

/** The same on both services: so are the addresses of all that stands on their chains. */
const KEYS = {
  OPERATOR_PRIVATE_KEY: secret('the operator'),
  FACILITATOR_PRIVATE_KEY: secret('the facilitator'),
  SESSION_KEY_SEED: secret('the session keys'),
};

/**
 * A history that a service which runs can play in its own time: what waits for hours is left out, nobody bids on what is
 * their own, and a lot that has matched settles, which ends it.
 */
export function writeTrade(r: Random): { script: Script; secrets: Secrets } {
  const { script, secrets } = writeHistory(r);
  const limits: bigint[] = [];
  const numbers = new Map<number, number>();
  const acts = script.acts.flatMap((act): Script['acts'] => {
    if (act.do === 'cancel') return numbers.has(act.n) ? [{ ...act, n: numbers.get(act.n)! }] : [];
    if (act.do !== 'bid' && act.do !== 'reprice') return [];
    numbers.set(act.n, limits.length);
    const n = limits.push(secrets.limits[act.n]!) - 1;
    return [act.do === 'bid' ? { ...act, n, buyer: act.buyer % (PEOPLE - 1), short: false } : { ...act, n }];
  });
  const trade = { ...script, featured: false, acts };
  const kept = { floor: secrets.floor, limits };
  const matched = acts.findIndex((_, i) =>
    publicFace({ ...trade, acts: acts.slice(0, i + 1) }, kept).includes('match '),
  );
  if (matched < 0) return { script: trade, secrets: kept };
  const played = acts.slice(0, matched + 1);
  const last = Math.max(...played.map((act) => ('n' in act ? act.n : 0)));
  return {
    script: { ...trade, acts: [...played, { do: 'settle' }] },
    secrets: { ...kept, limits: limits.slice(0, last + 1) },
  };
}

/**
 * A whole service in its own process, with its chains, that plays histories over its public interface and collects what
 * everybody may read of it: lists, pages, records with their evidence, and the stream of events.
 */
export async function serviceTheatre(database: { url: string; db: Database }): Promise<Theatre> {
  const { db } = database;
  const folder = await serviceFolder();
  const service = await folder.start({ ...KEYS, DATABASE_URL: database.url, ANCHOR_SECONDS: '1' });
  const env = { ...folder.env, ...KEYS };
  const story = storyOn({ ...folder, env });
  const { api } = story;
  await story.importLists();
  const people: { owner: PrivateKeyAccount; agent: Agent }[] = [];
  // One after another: what is numbered by the chain is numbered alike on both.
  for (let n = 0; n < PEOPLE; n++) {
    const owner = privateKeyToAccount(secret(`owner ${n}`));
    await fund(env, owner.address, '1000');
    const agent = await story.assemble(owner, n === 0 ? 'seller' : `buyer-${n}`, TRADES);
    if (n > 0) await story.give(owner, agent.account, 100);
    people.push({ owner, agent });
  }
  const [seller, ...buyers] = people as [(typeof people)[number], ...typeof people];
  const stream = await listenTo(`${service.baseUrl}/events`);
  await until(
    'the stream to say where it stands',
    async () => (stream.comments() > 0 ? true : null),
    PATIENCE,
  );
  const known = new Map<string, string>([[service.baseUrl, '(here)']]);
  for (const [chainId, { rpcUrl }] of Object.entries(findRunning(folder.dataDir)!.chains))
    known.set(new URL(rpcUrl).host, `(node of ${chainId})`);
  const face = faceOf(known);
  const told = new Set<string>();

  /** Until nothing is under way: deals, effects, mail, records on their way to the chain, events on theirs to us. */
  async function quiet(): Promise<void> {
    await until(
      'everything to come to rest',
      async () => {
        const { rows } = await sql<{ open: number }>`
        select (select count(*) from deals where state not in ('recorded', 'stopped', 'failed'))::int
          + (select count(*) from effects where status in ('pending', 'running'))::int
          + (select count(*) from mailbox where consumed_at is null and parked_at is null)::int
          + (select count(*) from records r left join batches b using (batch_id) where b.status is distinct from 'anchored')::int
          as open`.execute(db);
        return rows[0]!.open === 0 ? true : null;
      },
      PATIENCE,
    );
    await heard();
  }

  /** Until all that was written so far has come over the stream. */
  async function heard(): Promise<void> {
    await until(
      'the stream to have told all',
      async () => {
        const { rows } = await sql<{ waiting: number; last: string }>`
        select (select count(*) from event_outbox)::int as waiting, (select last from event_counter)::text as last`.execute(
          db,
        );
        const { waiting, last } = rows[0]!;
        return waiting === 0 && (stream.lastId() === '' ? '0' : stream.lastId()) === last ? true : null;
      },
      PATIENCE,
    );
  }

  async function answer(path: string, accept = 'application/json'): Promise<string> {
    const response = await fetch(`${service.baseUrl}${path}`, { headers: { accept } });
    const body = await response.text();
    const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(response.headers);
    const kept = Object.entries(headers).filter(
      ([name]) => !/^ratelimit-|^content-length$|^keep-alive/.test(name),
    );
    const shown = accept === 'text/html' ? face.text(body) : face.json(JSON.parse(body));
    return `${face.text(path)} ${response.status} ${face.text(JSON.stringify(kept))}\n${shown}`;
  }

  const filed = new Map<string, string[]>();

  /** What came over the stream since, in its order; what tells of a record's way to the chain is kept for the end. */
  function events(): string {
    const since = stream.heard.splice(0);
    const frame = ({ event, data }: StreamEvent): string => `event: ${event}\n${face.json(data)}`;
    for (const one of since.filter((e) => e.event === 'activity')) {
      const of = `${one.data.handle} ${one.data.recordId}`;
      filed.set(of, [...(filed.get(of) ?? []), frame(one)]);
    }
    return (
      since
        // What comes close by the clock of a machine that may be slow is compared where the clock is the test's own.
        .filter((e) => e.event !== 'activity' && e.event !== 'close-call')
        .map(frame)
        .join('\n')
    );
  }

  /** The ways of records to the chain since the last time, record by record: two sides of a deal file at once. */
  function ways(): string {
    const told = [...filed.values()].map((frames) => frames.join('\n')).sort();
    filed.clear();
    return told.join('\n');
  }

  /** An agent's activity, with each record that was not looked at yet; in an order of their own, since two sides file at once. */
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
  const order = (who: (typeof people)[number], body: object) =>
    api.signedPost(who.owner, '/order', { handle: who.agent.handle, category: CATEGORY, ...body });
  const demand = (answered: { status: number; body: unknown }, ...status: number[]): void => {
    if (!status.includes(answered.status))
      throw new Error(
        `${answered.status} ${JSON.stringify(answered.body)} instead of ${status.join(' or ')}`,
      );
  };

  await quiet();
  events();
  ways();

  return {
    async play(script, secrets, refusals) {
      const bytes: string[] = [];
      const { listingRef, contract, tokenId } = await story.list(seller.owner, seller.agent, {
        askUsd: usd(script.ask),
        ...(script.negotiable ? { floorUsd: usd(secrets.floor) } : {}),
        negotiable: script.negotiable,
      });
      const lot = encodeURIComponent(`eip155:1002/erc721:${contract.toLowerCase()}/${tokenId}`);
      const look = async (what: string): Promise<void> => {
        await heard();
        const paths = [`/orders?limit=5`, `/orders?lot=${lot}`, '/matches?limit=3', '/catalogue?limit=3'];
        bytes.push([what, events(), ...(await Promise.all(paths.map((path) => answer(path))))].join('\n'));
      };
      await look('list');
      // What a mandate refuses is on the record, without its amount.
      demand(await order(buyers[0]!, { side: 'buy', listingRef, limitUsd: 501 + usd(secrets.floor) }), 422);
      const ids = new Map<number, string>();
      for (const [i, act] of script.acts.entries()) {
        if (act.do === 'bid' || act.do === 'reprice') {
          if (act.do === 'reprice' && !script.negotiable) continue;
          const limit = usd(secrets.limits[act.n]!);
          const opening = act.do === 'bid' && act.opening !== null ? { openingBidUsd: usd(act.opening) } : {};
          const placed =
            act.do === 'bid'
              ? await order(buyers[act.buyer]!, { side: 'buy', listingRef, limitUsd: limit, ...opening })
              : await order(seller, { side: 'sell', listingRef, limitUsd: limit });
          demand(placed, 201);
          if (act.do === 'bid') ids.set(act.n, placed.body.orderId);
        } else if (act.do === 'cancel' && ids.has(act.n)) {
          const orderId = ids.get(act.n)!;
          const bid = script.acts.find((a) => a.do === 'bid' && a.n === act.n) as { buyer: number };
          const { owner, agent } = buyers[bid.buyer]!;
          // The two seconds that an order must lie are over: on both sides alike, and nobody has to wait for them.
          await sql`update orders set created_at = created_at - interval '3 seconds' where order_id = ${orderId}`.execute(
            db,
          );
          demand(await api.signedPost(owner, `/order/${orderId}/cancel`, { handle: agent.handle }), 200, 409);
        } else if (act.do === 'settle') await quiet();
        for (let n = 0; n < refusals && i % 3 === 0; n++) {
          const body = { side: 'buy', listingRef, limitUsd: 0.01, openingBidUsd: 0.02 };
          demand(await order(buyers[0]!, body), 400);
        }
        // A lot that has matched settles when it will: it is looked at when it has.
        if (act.do !== 'settle' && script.acts[i + 1]?.do !== 'settle') await look(act.do);
      }
      await quiet();
      await look('end');
      bytes.push(ways());
      const lists = ['/orders', '/matches', '/catalogue', '/agents/directory', '/domains/listings'];
      const of = people.flatMap(({ agent: { handle } }) => [`/agent/${handle}`]);
      for (const path of [...lists, ...of]) bytes.push(await answer(path), await answer(path, 'text/html'));
      for (const { agent } of people) bytes.push((await activity(agent.handle)).join('\n'));
      return bytes;
    },
    async stop() {
      stream.stop();
      await folder.remove();
    },
  };
}
