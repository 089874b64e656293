import { AppError } from '../../agents/errors.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import type { WaitingDeals } from '../../store/deal/waiting-deals.ts';
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
  welcomePage,
} from './dashboard-page.ts';
import { dealsCsv } from './deals-csv.ts';
import { PERIODS } from './earnings.ts';
import { ownView } from './own-view.ts';

interface DashboardDeps {
  /** The deals of these agents that wait for their owner; an agent without any has no entry. */
  readonly waiting: (handles: readonly string[]) => Promise<ReadonlyMap<string, WaitingDeals>>;
  /** What people call these lots. */
  readonly titles: (keys: readonly string[]) => Promise<Titles>;
}

const hidden = { schema: { hide: true } } as const;
/** Of an owner of more agents the newest are listed, and each has a page of its own. */
const MOST_LISTED = 500;
/** Of so many it is told what happened and what is the owner's alone: those that wait for the owner, then the newest. */
const MOST_READ = 20;

/**
 * Serves `/dashboard`: the agents of a wallet. What it shows comes from the public API, which this same server answers;
 * what is the owner's alone needs the owner's read session.
 */
export function dashboardRoutes(app: App, deps: DashboardDeps): void {
  app.get('/dashboard', hidden, async (request, reply) => {
    const wallet = walletOf(request as Request);
    if (wallet === null) {
      const typed = typedIn(request as Request);
      return replyPage(typed === '' ? reply : reply.code(400), welcomePage(typed));
    }
    const { agents, more } = await agentsOf(app, request as Request, wallet, deps);
    const activity = await activityOf(app, request as Request, mostUrgent(agents));
    const view: DashboardView = {
      ...{ wallet, agents, more, activity, toldOf: Math.min(agents.length, MOST_READ) },
      titles: await deps.titles(activity.map(({ subject }) => subject)),
    };
    return replyPage(reply, dashboardPage(view));
  });

  app.get('/dashboard/own', hidden, async (request, reply) => {
    const { wallet, authorization } = sessionOf(request as Request);
    const { agents } = await agentsOf(app, request as Request, wallet, deps);
    const shown = mostUrgent(agents);
    const own = await fewAtOnce(shown, ({ handle }) =>
      ownOf(app, request as Request, handle, authorization, MOST_DEALS),
    );
    const { period } = request.query as { period?: unknown };
    const asked = PERIODS.find((p) => p === period) ?? null;
    const left = shown.length < agents.length && html`<p class="soft">${DASHBOARD.ownOf(shown.length)}</p>`;
    const body = html`<h1>${DASHBOARD.own}</h1>${left}${ownView(own, wallet, new Date(), asked)}`;
    reply.header('cache-control', 'no-store');
    return replyPage(reply, page(DASHBOARD.heading, body, '/dashboard'));
  });

  app.get('/dashboard/own.csv', hidden, async (request, reply) => {
    const { wallet, authorization } = sessionOf(request as Request);
    const { agents, more } = await agentsOf(app, request as Request, wallet, deps);
    if (more)
      throw new AppError(
        'bad-request',
        `wallet owns more than ${MOST_LISTED} agents: read /agent/{handle}/deals of each.`,
      );
    const own = await fewAtOnce(agents, ({ handle }) =>
      ownOf(app, request as Request, handle, authorization, Number.POSITIVE_INFINITY),
    );
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': 'attachment; filename="safe-handshake-deals.csv"',
      })
      .type('text/csv; charset=utf-8')
      .send(dealsCsv(own));
  });
}

/** Whose the read session is. @throws AppError not-found without one */
function sessionOf(request: Request): { readonly wallet: string; readonly authorization: string } {
  const { authorization } = request.headers;
  const wallet = walletOf(request);
  if (wallet === null || authorization === undefined)
    throw new AppError('not-found', 'This is read with a session of its wallet.');
  return { wallet, authorization };
}

function walletOf(request: Request): string | null {
  const wallet = typedIn(request);
  return isEvmAddress(wallet) ? wallet : null;
}

function typedIn(request: Request): string {
  const { wallet } = request.query as { wallet?: unknown };
  return typeof wallet === 'string' ? wallet.trim() : '';
}

const items = <Row>(body: Answer['body']): readonly Row[] => (body as { items: readonly Row[] }).items;

/** The agents of a wallet, the newest first, with what waits of each; and whether it has more than are listed. */
async function agentsOf(
  app: App,
  request: Request,
  wallet: string,
  { waiting }: DashboardDeps,
): Promise<{ readonly agents: readonly MyAgent[]; readonly more: boolean }> {
  const rows: DirectoryRow[] = [];
  let next: string | undefined;
  do {
    const after = next === undefined ? '' : `&cursor=${at(next)}`;
    const body = await read(app, request, `/agents/directory?owner=${wallet}&limit=100${after}`);
    rows.push(...items<DirectoryRow>(body));
    ({ next } = body as { next?: string });
  } while (next !== undefined && rows.length < MOST_LISTED);
  const waits = await waiting(rows.map(({ handle }) => handle));
  const agents = rows.map((row) => {
    const { deals, until } = waits.get(row.handle) ?? { deals: 0, until: null };
    return { ...row, waiting: { deals, until: until?.toISOString() ?? null } };
  });
  return { agents, more: next !== undefined };
}

/** Those that wait for their owner come first. */
function mostUrgent(agents: readonly MyAgent[]): readonly MyAgent[] {
  const waits = ({ waiting }: MyAgent) => (waiting.deals > 0 ? 0 : 1);
  return [...agents].sort((a, b) => waits(a) - waits(b)).slice(0, MOST_READ);
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
async function ownOf(
  app: App,
  request: Request,
  handle: string,
  authorization: string,
  mostDeals: number,
): Promise<OwnAgent> {
  const own = (path: string) => read(app, request, `/agent/${at(handle)}/${path}`, authorization);
  const deals: DealShown[] = [];
  let next: string | undefined;
  do {
    const body = await own(`deals?limit=100${next === undefined ? '' : `&cursor=${at(next)}`}`);
    deals.push(...items<DealShown>(body));
    ({ next } = body as { next?: string });
  } while (next !== undefined && deals.length < mostDeals);
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
