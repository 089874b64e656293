import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { PrivateKeyAccount } from 'viem/accounts';
import { mintAsset } from '../../../runtime/cli/dev.ts';
import { everyLifeIsWhole } from '../../fixtures/actors/whole-lives.ts';
import { type PoolStage, poolStage } from '../../fixtures/pool-stage.ts';
import { type Story, storyOn } from '../../fixtures/story-stage.ts';
import { type Furnished, furnished, LIMIT_USD, settledDown } from '../deals/trade.ts';
import { type Payer, payerOf } from './payer.ts';

export interface RacesTorture {
  /** How often each was run, each time by so many requests spread over all processes. */
  readonly rounds: number;
  readonly requestsEach: number;
  readonly processes: number;
  /** How many requests were answered with each status, by race. */
  readonly answers: Readonly<Record<string, Readonly<Record<number, number>>>>;
  readonly faults: readonly string[];
}

const APIS = 3;
const EACH = 12;
/** What a wallet signs names the service's address, which is one for all. */
const BASE_URL = 'http://pool.test';

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Race {
  readonly stage: PoolStage;
  readonly story: Story;
  readonly market: Furnished;
  readonly payer: Payer;
  readonly operatorKey: string;
  /** Sends all of them at once, one to each process in turn. */
  all(requests: readonly Sent[]): Promise<readonly Answer[]>;
  /** What a wallet that asks for this signs. */
  signed(owner: PrivateKeyAccount, path: string, body: object): Promise<Sent>;
  /** Of one kind, a number that no round had before. */
  readonly round: number;
}

interface Sent {
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A race: who takes part, and what must be so in the end. @returns the answers, and what is not as it must be */
type Run = (race: Race) => Promise<{ answers: readonly Answer[]; faults: readonly string[] }>;

const alike = (sent: Sent): Sent[] => Array.from({ length: EACH }, () => sent);
const count = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
const must = (holds: boolean, what: string): string[] => (holds ? [] : [what]);

const RACES: Readonly<Record<string, Run>> = {
  async 'one payment'({ all, payer }) {
    const before = await payer.balance();
    const path = payer.question();
    const answers = await all(alike({ path, headers: await payer.paid(path) }));
    const charged = before - (await payer.balance());
    return {
      answers,
      faults: [
        ...must(count(answers, 200) === EACH, 'not every request of one payment was answered'),
        ...must(new Set(answers.map(({ text }) => text)).size === 1, 'one payment bought several answers'),
        ...must(charged === payer.price, `one payment was charged ${charged} micro-dollars`),
      ],
    };
  },

  async 'one payment for two questions'({ all, payer }) {
    const before = await payer.balance();
    const paths = [payer.question(), payer.question()] as const;
    const headers = await payer.paid(paths[0]);
    const answers = await all(alike({ path: '' }).map((_, i) => ({ path: paths[i % 2]!, headers })));
    const charged = before - (await payer.balance());
    const answered = paths.filter((_, of) => answers.some(({ status }, i) => i % 2 === of && status === 200));
    return {
      answers,
      faults: [
        ...must(answered.length === 1, `one payment bought ${answered.length} answers`),
        ...must(count(answers, 200) + count(answers, 402) === EACH, 'neither an answer nor a refusal'),
        ...must(charged === payer.price, `one payment was charged ${charged} micro-dollars`),
      ],
    };
  },

  async 'one signature'({ all, signed, market, stage, round }) {
    const { lots } = market.opening;
    const lot = lots[2 * round]!;
    const buyer = market.buyers[0]!;
    const answers = await all(
      alike(await signed(buyer.owner, '/order', order(buyer.handle, lot.listingRef))),
    );
    const orders = await stage.db
      .selectFrom('orders')
      .select('order_id')
      .where('listing_ref', '=', lot.listingRef)
      .where('side', '=', 'buy')
      .execute();
    return {
      answers,
      faults: [
        ...must(orders.length === 1, `one signature made ${orders.length} orders`),
        ...must(count(answers, 201) >= 1, 'one signature was taken by nobody'),
        ...must(count(answers, 201) + count(answers, 401) === EACH, 'neither the order nor a used signature'),
      ],
    };
  },

  async 'one lot'({ all, signed, market, stage, round }) {
    const lot = market.opening.lots[2 * round + 1]!;
    const sent = await Promise.all(
      alike({ path: '' }).map((_, i) => {
        const buyer = market.buyers[i % market.buyers.length]!;
        return signed(buyer.owner, '/order', order(buyer.handle, lot.listingRef));
      }),
    );
    const answers = await all(sent);
    const matches = await stage.db
      .selectFrom('matches')
      .innerJoin('orders', 'orders.order_id', 'matches.buy_order')
      .select('matches.match_id')
      .where('orders.listing_ref', '=', lot.listingRef)
      .execute();
    return { answers, faults: must(matches.length === 1, `one lot was matched ${matches.length} times`) };
  },

  async 'one thing listed'({ all, signed, market, stage, story }) {
    const seller = market.sellers[0]!;
    const { contract, tokenId } = await mintAsset(stage.folder.env, seller.account);
    const body = {
      ...{ asset: { chainId: 1002, contract, tokenId }, description: 'A thing', negotiable: true },
      ...{ category: 'digital-products', gate: 'deposit', askUsd: 120, floorUsd: 100 },
    };
    const path = `/agent/${seller.handle}/assets`;
    const answers = await all(await Promise.all(alike({ path }).map(() => signed(seller.owner, path, body))));
    const { body: found } = await story.api.get('/catalogue?limit=100');
    const listed = found.items.filter((item: { tokenId: string }) => item.tokenId === String(tokenId));
    return {
      answers,
      faults: [
        ...must(count(answers, 201) === 1, `one thing was listed ${count(answers, 201)} times`),
        ...must(count(answers, 201) + count(answers, 409) === EACH, 'neither a listing nor a refusal'),
        ...must(listed.length === 1, `one thing stands ${listed.length} times in the catalogue`),
      ],
    };
  },

  async 'one pledge'({ all, operatorKey }) {
    const asset = { serial: `TRACTOR-${randomBytes(6).toString('hex')}` };
    const wallet = `0x${'ab'.repeat(20)}`;
    const headers = { authorization: `Bearer ${operatorKey}` };
    const answers = await all(
      alike({ path: '/pledge' }).map(({ path }, i) => ({
        ...{ path, headers, body: { wallet, asset, listingRef: `loan-${i}`, lender: 'A bank' } },
      })),
    );
    return {
      answers,
      faults: [
        ...must(count(answers, 201) === 1, `one thing was pledged ${count(answers, 201)} times`),
        ...must(count(answers, 201) + count(answers, 409) === EACH, 'neither a pledge nor a refusal'),
      ],
    };
  },

  async 'one Idempotency-Key'({ all }) {
    const body = { wallet: `0x${randomBytes(20).toString('hex')}`, kind: 'individual' };
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const answers = await all(alike({ path: '/membership/checkout', body, headers }));
    return {
      answers,
      faults: [
        ...must(count(answers, 201) === EACH, 'not every repetition was answered'),
        ...must(new Set(answers.map(({ text }) => text)).size === 1, 'one key opened several checkouts'),
      ],
    };
  },
};

function order(handle: string, listingRef: string): object {
  return { handle, side: 'buy', listingRef, category: 'digital-products', limitUsd: LIMIT_USD };
}

/** Has what only one may get asked for at several processes at the same time. */
export async function tortureByRaces(rounds: number): Promise<RacesTorture> {
  const stage = await poolStage();
  try {
    const story = storyOn(stage.folder);
    await story.importLists();
    for (let i = 0; i < 2; i++) await stage.worker();
    const market = await furnished(stage, story, 2 * rounds);
    const { operatorApiKey: operatorKey } = JSON.parse(
      readFileSync(join(stage.folder.dataDir, 'secrets.json'), 'utf8'),
    ) as { operatorApiKey: string };
    const urls: string[] = [];
    for (let i = 0; i < APIS; i++)
      urls.push((await stage.anotherApi({ BASE_URL, OPERATOR_API_KEY: operatorKey })).baseUrl);
    const payer = await payerOf(stage.folder, urls[0]!);
    const all = (requests: readonly Sent[]): Promise<readonly Answer[]> =>
      Promise.all(requests.map((sent, i) => send(urls[i % urls.length]!, sent)));
    const signed = async (owner: PrivateKeyAccount, path: string, body: object): Promise<Sent> => {
      const asked = await send(urls[0]!, { path, body });
      const { sign } = JSON.parse(asked.text) as { sign: { message: string; nonce: string } };
      const signature = await owner.signMessage({ message: sign.message });
      const authorization = `EIP191 nonce="${sign.nonce}", signature="${signature}"`;
      return { path, body, headers: { authorization } };
    };

    const answers: Record<string, Record<number, number>> = {};
    const faults: string[] = [];
    for (let round = 0; round < rounds; round++)
      for (const [name, run] of Object.entries(RACES)) {
        const race = { stage, story, market, payer, operatorKey, all, signed, round };
        const ended = await run(race);
        faults.push(...ended.faults.map((what) => `${name}, round ${round}: ${what}`));
        const statuses = answers[name] ?? {};
        for (const { status } of ended.answers) statuses[status] = (statuses[status] ?? 0) + 1;
        answers[name] = statuses;
      }
    await settledDown(stage);
    await everyLifeIsWhole(stage.db);
    const twice = await sql`
      select match_id from deals group by match_id having count(*) > 1`.execute(stage.db);
    if (twice.rows.length > 0) faults.push(`${twice.rows.length} matches have two deals`);
    return { rounds, requestsEach: EACH, processes: APIS, answers, faults };
  } finally {
    await stage.stop();
  }
}

async function send(baseUrl: string, { path, body, headers = {} }: Sent): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
