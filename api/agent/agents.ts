import { Type } from 'typebox';
import { isCategory } from '../../agents/categories.ts';
import { lowerAddress } from '../../agents/ids.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { limitUsd } from '../../agents/mandate/terms/terms.ts';
import { spendableOf } from '../../agents/market/funds.ts';
import { toUsd } from '../../agents/money.ts';
import { readAgentOnChain } from '../../chain/clients/agents.ts';
import { holdingsOf } from '../../runtime/agent/holdings.ts';
import { requireAgent } from '../../runtime/agent/live-agent.ts';
import type { Services } from '../../runtime/services.ts';
import { type AgentRow, activeMandate, listAgents, noteOwner } from '../../store/agent/agents.ts';
import type { Database } from '../../store/database.ts';
import { lotTitles } from '../../store/market/lot-names.ts';
import { issuedTo } from '../../store/market/orders.ts';
import { type ActivityRow as ActivityEntry, activityOf } from '../../store/records/records.ts';
import { walletChains } from '../desk/wallet-chains.ts';
import { explorerSite } from '../html/explorers.ts';
import type { App } from '../http/app.ts';
import { cursor, PagesOf, pageOf, requirePlace, rowsFrom } from '../http/cursors.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { CategoryName, EvmAddress, Handle, pageQuery, problems, TierName } from '../schemas.ts';
import {
  ActivityRow,
  AgentDocument,
  DirectoryRow,
  type DirectoryRow as DirectoryRowShape,
} from '../shapes.ts';
import { agentPage } from './agent-page.ts';
import { activityPage, directoryPage } from './agents-page.ts';

const StatusName = Type.Enum(['minting', 'active', 'paused', 'suspended', 'retired']);

/**
 * Serves the agents: the directory, one agent with its present state on chain, and its public activity.
 * @param reads where the directory is read
 */
export function agentRoutes(app: App, services: Services, reads: Database = services.db): void {
  app.get(
    '/agents/directory',
    {
      schema: {
        operationId: 'agents-directory',
        summary: 'The agents, newest first',
        tags: ['agents'],
        querystring: Type.Object({
          tier: Type.Optional(TierName),
          status: Type.Optional(StatusName),
          category: Type.Optional(CategoryName),
          owner: Type.Optional({ ...EvmAddress, description: 'the agents of this wallet alone' }),
          ...pageQuery,
          cursor,
        }),
        response: { 200: PagesOf(DirectoryRow), ...problems('bad-request') },
      },
    },
    async (request, reply) => {
      const { limit, offset, cursor: place, ...filters } = request.query;
      const from = rowsFrom(request.query);
      const whose = filters.owner === undefined ? {} : { owner: lowerAddress(filters.owner) };
      const rows = await listAgents(reads, { ...filters, ...whose, ...from });
      await requirePlace(reads, rows, 'agents', from.after);
      const items = rows.map((row) => directoryRow(row, row.structured));
      const list = pageOf(items, { limit, offset }, (row) => row.handle);
      return replyPageOrJson(request, reply, list, (l) => directoryPage(l, { ...filters, cursor: place }));
    },
  );

  app.get(
    '/agent/:handle',
    {
      schema: {
        operationId: 'agent',
        summary: 'An agent: its mandate, its caps read from the chain now, what was issued',
        tags: ['agents'],
        params: Type.Object({ handle: Handle }),
        response: { 200: AgentDocument, ...problems('bad-request', 'not-found') },
      },
    },
    async (request, reply) => {
      const agent = await requireAgent(services, request.params.handle);
      return replyPageOrJson(request, reply, await agentDocument(services, agent), async (shown) => {
        const [rows, holdings] = await Promise.all([
          activityOf(services.db, agent.handle, { limit: 5, offset: 0 }),
          holdingsOf(services, agent),
        ]);
        return agentPage(shown, {
          holdings,
          titles: await lotTitles(
            services.db,
            rows.map(({ subject }) => subject),
          ),
          activity: rows.map((row) => activityRow(row, activityPlace(services))),
          baseUrl: services.config.baseUrl,
          explorer: explorerSite(services, agent.chain_id),
          settlement: services.home.deployment.settlement,
          usdc: services.home.deployment.usdc,
          chains: walletChains(services),
        });
      });
    },
  );

  app.get(
    '/agent/:handle/activity',
    {
      schema: {
        operationId: 'agent-activity',
        summary: 'The public records that name an agent, newest first',
        tags: ['agents'],
        params: Type.Object({ handle: Handle }),
        querystring: Type.Object({ ...pageQuery, cursor }),
        response: { 200: PagesOf(ActivityRow), ...problems('bad-request', 'not-found') },
      },
    },
    async (request, reply) => {
      const { limit, offset, cursor: place } = request.query;
      const from = rowsFrom(request.query);
      const { handle } = await requireAgent(services, request.params.handle);
      const rows = await activityOf(services.db, handle, from);
      await requirePlace(services.db, rows, 'records', from.after);
      const items = rows.map((row) => activityRow(row, activityPlace(services)));
      const list = pageOf(items, { limit, offset }, (row) => row.recordId);
      return replyPageOrJson(request, reply, list, async (l) => {
        const titles = await lotTitles(
          services.db,
          l.items.map(({ subject }) => subject),
        );
        return activityPage(handle, l, { cursor: place }, titles);
      });
    },
  );
}

/** Where records can be read, and on which chain they are anchored. */
export interface ActivityPlace {
  readonly baseUrl: string;
  readonly chainId: number;
  readonly ledger: string;
}

export function activityPlace({ config, home }: Services): ActivityPlace {
  return { baseUrl: config.baseUrl, chainId: home.chainId, ledger: home.deployment.ledger };
}

/** A record of an agent's activity as the wire shows it, with its place on chain once it is anchored. */
export function activityRow(
  { batch, at, kind, ...row }: ActivityEntry,
  { baseUrl, chainId, ledger }: ActivityPlace,
): ActivityRow {
  return {
    ...row,
    kind: kind as ActivityRow['kind'],
    at: at.toISOString(),
    ...(batch?.tx
      ? { ledger: { chainId, contract: ledger, tx: batch.tx, batch: batch.batchId.toString() } }
      : {}),
    recordUrl: `${baseUrl}/records/${row.recordId}`,
  };
}

function directoryRow(agent: AgentRow, mandate: Mandate): DirectoryRowShape {
  return {
    handle: agent.handle,
    tier: agent.tier,
    depth: agent.depth as DirectoryRowShape['depth'],
    status: agent.status,
    owner: agent.owner,
    account: agent.account,
    chainId: agent.chain_id,
    contract: agent.contract,
    tokenId: agent.token_id.toString(),
    categories: (mandate.categories_allow ?? []).filter(isCategory),
    since: agent.since.toISOString(),
  };
}

/** An agent as everybody may read it, with its owner and its caps as the chain has them. */
export async function agentDocument(services: Services, agent: AgentRow): Promise<AgentDocument> {
  const [mandate, issued, live] = await Promise.all([
    activeMandate(services.db, agent.handle),
    issuedTo(services.db, agent.handle),
    liveCaps(services, agent),
  ]);
  const structured = mandate.structured;
  const row = directoryRow(agent, structured);
  return {
    ...row,
    owner: live.owner ?? row.owner,
    ...(agent.display_name === null ? {} : { displayName: agent.display_name }),
    ...(agent.about === null ? {} : { about: agent.about }),
    ...(agent.suspension_reasons.length === 0 ? {} : { heldBy: heldBy(agent.suspension_reasons) }),
    mandate: { text: mandate.text, structured, hash: mandate.hash, version: mandate.version },
    caps: live.caps,
    issued: {
      mintTx: agent.mint_tx,
      accountTx: agent.mint_tx,
      mandateHashOnChain: live.mandateHash,
      ...issued,
    },
  };
}

/**
 * Hides from the public that an agent is suspended over a disputed payment: it is shown as suspended by the operator.
 */
function heldBy(reasons: readonly string[]): NonNullable<AgentDocument['heldBy']> {
  return [...new Set(reasons.map((hold) => (hold === 'money' ? 'operator' : hold)))] as ['owner'];
}

interface LiveCaps {
  readonly owner: string | null;
  readonly mandateHash: string | null;
  readonly caps: AgentDocument['caps'];
}

/** Reads the caps from the chain. When they cannot be read, the answer says so and shows no cached values instead. */
async function liveCaps(services: Services, agent: AgentRow): Promise<LiveCaps> {
  const { readers, deployment, chainId } = services.home;
  try {
    const { number } = await readers.viem.head();
    const chain = await readAgentOnChain(readers.viem, deployment, agent.token_id, number);
    const owner = chain.owner.toLowerCase();
    if (owner !== agent.owner) await noteOwner(services.db, agent.handle, owner);
    const { limits } = chain;
    return {
      owner,
      mandateHash: chain.mandateHash,
      caps: {
        asOfBlock: number.toString(),
        remaining: [
          {
            token: deployment.usdc,
            perDealUsd: limitUsd(limits.perDeal),
            perDayUsd: limitUsd(limits.day),
            perWeekUsd: limitUsd(limits.week),
            perMonthUsd: limitUsd(limits.month),
            totalUsd: limitUsd(limits.total),
            balanceUsd: toUsd(chain.balance),
            // What is in flight is left out: it would tell of limits.
            spendableUsd: toUsd(spendableOf(limits.spendable, { balance: chain.balance, inFlight: 0n })),
          },
        ],
      },
    };
  } catch (error) {
    services.log.warn({ handle: agent.handle, error }, 'the caps of an agent could not be read');
    return { owner: null, mandateHash: null, caps: { unavailable: `chain ${chainId} cannot be read now` } };
  }
}
