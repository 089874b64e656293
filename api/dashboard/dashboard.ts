import { AppError } from '../../agents/errors.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import { type Answer, read } from '../desk/ask.ts';
import { at } from '../desk/command.ts';
import type { DealShown } from '../desk/pages/desk-lists.ts';
import type { Titles } from '../html/components.ts';
import { html } from '../html/html.ts';
import { page } from '../html/layout.ts';
import type { App, Request } from '../http/app.ts';
import { replyPage } from '../http/negotiate.ts';
import type { ActivityRow, DirectoryRow } from '../shapes.ts';
import { DASHBOARD } from '../words/dashboard.ts';
import {
  type DashboardView,
  dashboardPage,
  type MyAgent,
  type OwnAgent,
  type Waiting,
  welcomePage,
} from './dashboard-page.ts';
import { dealsCsv } from './deals-csv.ts';
import { PERIODS } from './earnings.ts';
import { ownView } from './own-view.ts';

interface DashboardDeps {
  /** Counts the deals of an agent that wait for its owner. */
  readonly waiting: (handle: string) => Promise<Waiting>;
  /** What people call these lots. */
  readonly titles: (keys: readonly string[]) => Promise<Titles>;
}

const hidden = { schema: { hide: true } } as const;
/** An owner of more agents sees the newest here, and each on its own page. */
const MOST = 20;

/**
 * Serves `/dashboard`: the agents of a wallet. What it shows comes from the public API, which this same server answers;
 * what is the owner's alone needs the owner's read session.
 */
export function dashboardRoutes(app: App, deps: DashboardDeps): void {
  app.get('/dashboard', hidden, async (request, reply) => {
    const wallet = walletOf(request as Request);
    if (wallet === null) return replyPage(reply, welcomePage());
    const agents = await agentsOf(app, request as Request, wallet);
    const activity = await activityOf(app, request as Request, agents);
    const view: DashboardView = {
      wallet,
      agents: await fewAtOnce(
        agents,
        async (agent): Promise<MyAgent> => ({ ...agent, waiting: await deps.waiting(agent.handle) }),
      ),
      activity,
      titles: await deps.titles(activity.map(({ subject }) => subject)),
    };
    return replyPage(reply, dashboardPage(view));
  });

  app.get('/dashboard/own', hidden, async (request, reply) => {
    const own = await allOwn(app, request as Request);
    const { period } = request.query as { period?: unknown };
    const asked = PERIODS.find((p) => p === period) ?? null;
    const body = html`<h1>${DASHBOARD.own}</h1>${ownView(own, walletOf(request as Request) ?? '', new Date(), asked)}`;
    reply.header('cache-control', 'no-store');
    return replyPage(reply, page(DASHBOARD.heading, body, '/dashboard'));
  });

  app.get('/dashboard/own.csv', hidden, async (request, reply) => {
    const own = await allOwn(app, request as Request);
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': 'attachment; filename="safe-handshake-deals.csv"',
      })
      .type('text/csv; charset=utf-8')
      .send(dealsCsv(own));
  });
}

/** What is a wallet's own, of all its agents. @throws AppError not-found without a read session; as the API answers */
async function allOwn(app: App, request: Request): Promise<OwnAgent[]> {
  const { authorization } = request.headers;
  const wallet = walletOf(request);
  if (wallet === null || authorization === undefined)
    throw new AppError('not-found', 'This is read with a session of its wallet.');
  const agents = await agentsOf(app, request, wallet);
  return await fewAtOnce(agents, ({ handle }) => ownOf(app, request, handle, authorization));
}

function walletOf(request: Request): string | null {
  const { wallet } = request.query as { wallet?: unknown };
  return typeof wallet === 'string' && isEvmAddress(wallet) ? wallet : null;
}

const items = <Row>(body: Answer['body']): readonly Row[] => (body as { items: readonly Row[] }).items;

async function agentsOf(app: App, request: Request, wallet: string): Promise<readonly DirectoryRow[]> {
  return items(await read(app, request, `/agents/directory?owner=${wallet}&limit=${MOST}`));
}

async function activityOf(
  app: App,
  request: Request,
  agents: readonly DirectoryRow[],
): Promise<DashboardView['activity']> {
  const found = await fewAtOnce(agents, async ({ handle }) => {
    const rows = items<ActivityRow>(await read(app, request, `/agent/${at(handle)}/activity?limit=10`));
    return rows.map((row) => ({ ...row, handle }));
  });
  return found
    .flat()
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, 10);
}

/** Of an agent with more deals, the newest are summed up. */
const MOST_DEALS = 1_000;

/** @throws AppError as the API answers, such as when the session is over */
async function ownOf(app: App, request: Request, handle: string, authorization: string): Promise<OwnAgent> {
  const own = (path: string) => read(app, request, `/agent/${at(handle)}/${path}`, authorization);
  const deals: DealShown[] = [];
  let next: string | undefined;
  do {
    const body = await own(`deals?limit=100${next === undefined ? '' : `&cursor=${at(next)}`}`);
    deals.push(...items<DealShown>(body));
    ({ next } = body as { next?: string });
  } while (next !== undefined && deals.length < MOST_DEALS);
  const orders = await own('orders');
  return {
    handle,
    deals,
    orders: items(orders),
    funds: (orders as Pick<OwnAgent, 'funds'>).funds,
  };
}

/** So many reads of one page at a time: the others who read have their turn meanwhile. */
const AT_ONCE = 4;

/** @returns what became of each, in their order */
async function fewAtOnce<Item, Result>(
  all: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < all.length; i += AT_ONCE)
    results.push(...(await Promise.all(all.slice(i, i + AT_ONCE).map(work))));
  return results;
}
