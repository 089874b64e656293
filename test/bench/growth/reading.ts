import { challengeOf, stockFetch } from '../../fixtures/wallets/payers.ts';
import { type MeasuredService, withService } from '../measured/service.ts';
import { showStatements } from '../measured/show.ts';
import { resetStatements } from '../measured/usage.ts';
import { type BenchOptions, type BenchRow, quantile } from '../row.ts';
import { seedLists } from './more-history.ts';
import { type Asked, freeQuestions, type PaidQuestion, paidQuestions } from './questions.ts';
import { NOWHERE, seedHistory } from './seed.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const QUICK = 100_000;
const GOAL = 1.5;
const ASKINGS = 41;
const PAID_ASKINGS = 15;

/** One service, the questions about its history, and who pays there. */
interface Side {
  readonly service: MeasuredService;
  readonly asked: Asked;
  readonly baseUrl: string;
  readonly pay: typeof fetch;
}

/**
 * Every free read and every paid determination beside a thousand and a million listings: two services at the same time,
 * asked by turns, so that a busy moment of the machine meets both.
 */
export async function benchReading({ quick, sizes }: BenchOptions): Promise<BenchRow[]> {
  const size = sizes.many ?? (quick ? QUICK : MANY);
  return await withHistory(FEW, (few) =>
    withHistory(size, async (many) => {
      const rows: BenchRow[] = [];
      if (many.service.counting) await resetStatements(many.service.db);
      const questions = freeQuestions(few.asked).map((q, i) => [q, freeQuestions(many.asked)[i]!] as const);
      for (const [one, other] of questions) {
        const name = `${one.operation}${one.what === '' ? '' : `, ${one.what}`}`;
        const ask = (side: Side, path: string) => answered(fetch(`${side.baseUrl}${path}`, JSON_ONLY));
        rows.push(
          await compared(
            name,
            ASKINGS,
            (n) => ask(few, one.path(n)),
            (n) => ask(many, other.path(n)),
          ),
        );
      }
      const paid = paidQuestions(few.asked).map((q, i) => [q, paidQuestions(many.asked)[i]!] as const);
      if (many.service.counting) await resetStatements(many.service.db);
      for (const [one, other] of paid)
        rows.push(
          await compared(
            one.operation,
            PAID_ASKINGS,
            (n) => buy(few, one, n),
            (n) => buy(many, other, n),
          ),
        );
      await showStatements(many.service, { what: 'determination', count: PAID_ASKINGS * paid.length });
      return rows;
    }),
  );
}

const JSON_ONLY = { headers: { accept: 'application/json' } } as const;

async function withHistory<T>(size: number, use: (side: Side) => Promise<T>): Promise<T> {
  const agents = Math.max(50, size / 10);
  const prepare = async (url: string): Promise<void> => {
    await seedHistory(url, { size, every: 2, agents, tier: 'EXECUTOR' });
    await seedLists(url, { size, agents, contract: NOWHERE });
  };
  return await withService({ prepare }, async (service) => {
    const { story } = service;
    await story.importLists();
    const owner = await story.proceedingOwner();
    const text = 'Buy digital products, max 1000 USDC per deal, for 30 days.';
    const checkout = await story.openCheckout(owner, 'real-one', text);
    await story.pay(checkout);
    const agent = await story.minted(checkout);
    const { recordId } = await story.recorded(agent, 'agent-purchase');
    const baseUrl = `http://127.0.0.1:${service.folder.env.PORT}`;
    const { next } = (await (await fetch(`${baseUrl}/orders`, JSON_ONLY)).json()) as { next: string };
    const challenge = challengeOf(await fetch(`${baseUrl}/determination?address=${owner.address}`));
    const usdc = challenge.accepts.find(({ network }) => network === 'eip155:1002')!.asset as `0x${string}`;
    console.log(`On ${service.about}, beside ${size} listings of ${agents} agents.`);
    const asked: Asked = {
      size,
      agents,
      real: { handle: agent.handle, tokenId: agent.tokenId, recordId },
      checkoutId: checkout.checkoutId,
      bookNext: next,
      contract: NOWHERE,
    };
    return await use({ service, asked, baseUrl, pay: stockFetch(owner, usdc) });
  });
}

/** Asks both by turns; the first asking of each warms up. What is refused is a goal that is missed, and stops nothing. */
async function compared(
  name: string,
  times: number,
  few: (n: number) => Promise<unknown>,
  many: (n: number) => Promise<unknown>,
): Promise<BenchRow> {
  const took: [number[], number[]] = [[], []];
  try {
    for (let n = -1; n < times; n++) {
      for (const [i, ask] of [few, many].entries()) {
        const began = performance.now();
        await ask(n + 1);
        if (n >= 0) took[i]!.push(performance.now() - began);
      }
    }
  } catch (error) {
    return { name, measured: (error as Error).message.slice(0, 200), ok: false };
  }
  const [before, after] = [quantile(took[0], 0.5), quantile(took[1], 0.5)];
  const ratio = after / before;
  const measured = `${before.toFixed(1)} ms beside ${FEW}`;
  const ok = ratio <= GOAL;
  if (!ok) console.log(`${name}: ${after.toFixed(1)} ms, ${measured}`);
  return { name, p50Ms: after, p99Ms: quantile(took[1], 0.99), measured, ratio, goal: `at most ${GOAL}`, ok };
}

async function answered(asking: Promise<Response>): Promise<void> {
  const response = await asking;
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.url}: ${response.status} ${text.slice(0, 300)}`);
}

async function buy({ baseUrl, pay }: Side, { path, body }: PaidQuestion, n: number): Promise<void> {
  const sent = body(n);
  const init =
    sent === null
      ? JSON_ONLY
      : {
          method: 'POST',
          headers: { ...JSON_ONLY.headers, 'content-type': 'application/json' },
          body: JSON.stringify(sent),
        };
  await answered(pay(`${baseUrl}${path(n)}`, init));
}
