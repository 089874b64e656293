import type {
  MandateChainFacts,
  MandateCommon,
} from '../../../../agents/determinations/mandate/mandate-evidence.ts';
import type { DeterminationEvidence, PinnedBlocks } from '../../../../agents/determinations/panel/types.ts';
import type { PriceCommon } from '../../../../agents/determinations/price/price-evidence.ts';
import type { Mandate } from '../../../../agents/mandate/terms/schema.ts';
import { faceValueOf } from '../../../../agents/market/pricing/face-value.ts';
import { worthOf } from '../../../../agents/market/pricing/worth.ts';
import type { Deployment } from '../../../../chain/deploy/deployment.ts';
import type { ChainReader } from '../../../../chain/rpc/reader.ts';
import { findMandates, type AgentRow as StoredAgent } from '../../../../store/agent/agents.ts';
import { beneficialOwnersOf } from '../../../../store/agent/beneficial-owners.ts';
import type { Database } from '../../../../store/database.ts';
import { attributesOf } from '../../../../store/market/listings.ts';
import { caip2, type EvidenceDeps, faultOf } from '../../deps.ts';
import { pinnedPlace } from '../../pins.ts';
import { AGENT_ABI } from '../agent/agent-abi.ts';
import { gatherDealPrice } from '../price/prices.ts';
import { withTies } from '../price/sale-ties.ts';
import { NO_TRADE, type TradeQuestion, tradeOf } from './trade-so-far.ts';

export interface AgentRow {
  readonly handle: string;
  readonly owner: string;
  readonly status: string;
  readonly chainId: number;
  readonly tokenId: bigint;
  readonly account: string;
  readonly sessionKey: string;
}

/** The agent of this handle, addresses in lower case; null when there is none. */
export async function findAgent(db: Database, handle: string): Promise<AgentRow | null> {
  const row = await db.selectFrom('agents').selectAll().where('handle', '=', handle).executeTakeFirst();
  return row === undefined ? null : asAgent(row);
}

/** An agent as determinations speak of it, addresses in lower case. */
export function asAgent(row: StoredAgent): AgentRow {
  return {
    handle: row.handle,
    owner: row.owner.toLowerCase(),
    status: row.status,
    chainId: row.chain_id,
    tokenId: row.token_id,
    account: row.account.toLowerCase(),
    sessionKey: row.session_key.toLowerCase(),
  };
}

interface MandateQuestion extends TradeQuestion {
  readonly agent: AgentRow | null;
  /** The agents of the deal that is judged, the buyer first: both sides then read one row of each. */
  readonly sides?: readonly [AgentRow, AgentRow];
  readonly proposal: Omit<MandateCommon['proposal'], 'aliases'>;
  readonly verdicts: MandateCommon['verdicts'];
  /** The lot of the deal, if it is known. */
  readonly lot?: string | null;
  /** What the price of the same deal was judged by; left out: its sales are gathered and weighed here in the same way. */
  readonly price?: Pick<DeterminationEvidence<PriceCommon>, 'common' | 'at'>;
}

/** What the platform's own rows say. Only public figures count, never the limit of a resting order. */
export async function gatherMandate(deps: EvidenceDeps, question: MandateQuestion): Promise<MandateCommon> {
  const { db } = deps;
  const { handle, agent, proposal, verdicts } = question;
  const mandates =
    agent === null ? null : await findMandates(db, question.sides?.map((side) => side.handle) ?? [handle]);
  const mandate = mandates?.get(handle);
  const structured = mandate?.structured;
  const listed = [...(structured?.counterparties_allow ?? []), ...(structured?.counterparties_deny ?? [])];
  const [trade, aliases, names] = await Promise.all([
    agent === null ? NO_TRADE : tradeOf(db, question, agent, mandates ?? new Map()),
    aliasesOf(db, proposal.counterparty, question.sides),
    accountsOf(db, listed),
  ]);
  const parties = [...aliases, ...(agent === null ? [] : [agent.owner]), ...(question.owners ?? [])];
  const [market, face] = await Promise.all([
    marketMedian(deps, question, structured, parties),
    faceValue(db, question, structured),
  ]);
  return {
    handle,
    chain: caip2(agent?.chainId ?? proposal.chainId),
    agent:
      agent === null || mandate === undefined || structured === undefined
        ? null
        : { status: agent.status, mandate: structured, mandateHash: mandate.hash },
    proposal: { ...proposal, aliases },
    ...trade,
    ...market,
    ...face,
    verdicts,
    names,
  };
}

/**
 * What the market pays, read only if the mandate names a share of it: what the lot's attributes lead to expect, or the
 * median of sales of the lot itself or of its kind, by the sales that the price of a deal is judged by, weighed by the money
 * behind them. Null where these tell no price, and where that money could not be followed.
 */
async function marketMedian(
  deps: EvidenceDeps,
  question: MandateQuestion,
  mandate: Mandate | undefined,
  parties: readonly string[],
): Promise<Pick<MandateCommon, 'marketMedian'>> {
  const { proposal, lot = null, now } = question;
  if (proposal.side !== 'buy' || mandate?.max_pct_of_market === undefined || lot === null) return {};
  const { common, at } = question.price ?? {
    common: await weighedSales(deps, { ...proposal, lot, now }, parties),
    at: now.toISOString(),
  };
  const { attributes = null, comparables = [], ties } = common;
  if (ties !== undefined && ties.fault !== null) return { marketMedian: null };
  const worth = worthOf({ attributes, comparables, category: proposal.category, at });
  return { marketMedian: 'value' in worth ? worth.value.toString() : null };
}

async function weighedSales(
  deps: EvidenceDeps,
  {
    category,
    price,
    lot,
    now,
  }: Pick<MandateCommon['proposal'], 'category' | 'price'> & { lot: string; now: Date },
  parties: readonly string[],
): Promise<PriceCommon> {
  const all = [...new Set([...parties, ...(await beneficialOwnersOf(deps.db, parties))])];
  const asked = { category, lot, parties: all, price: BigInt(price), now };
  return await withTies(deps, await gatherDealPrice(deps.db, asked));
}

/** What the lot's listing states as its face value, read only if the mandate names a share of it. */
async function faceValue(
  db: Database,
  { proposal, lot = null }: MandateQuestion,
  mandate: Mandate | undefined,
): Promise<Pick<MandateCommon, 'faceValue'>> {
  if (proposal.side !== 'buy' || mandate?.max_pct_of_face === undefined || lot === null) return {};
  const stated = faceValueOf(await attributesOf(db, lot));
  return {
    faceValue: stated === null ? null : { amount: stated.amount.toString(), source: stated.source },
  };
}

/** Handle, account, key and owner of an agent are the same party for a mandate. */
async function aliasesOf(
  db: Database,
  counterparty: string | null,
  known?: readonly AgentRow[],
): Promise<string[]> {
  if (counterparty === null) return [];
  const name = counterparty.toLowerCase();
  const agent = known?.find((side) => side.account === name);
  const rows = agent
    ? [agent]
    : await db
        .selectFrom('agents')
        .select(['handle', 'account', 'owner'])
        .where((eb) => eb.or([eb('handle', '=', name), eb('account', '=', name)]))
        .execute();
  return [
    ...new Set([name, ...rows.flatMap((r) => [r.handle, r.account.toLowerCase(), r.owner.toLowerCase()])]),
  ].sort();
}

/** The handles on a mandate's lists, with the accounts of these agents. */
async function accountsOf(db: Database, listed: readonly string[]): Promise<Record<string, string>> {
  const handles = [...new Set(listed.map((l) => l.toLowerCase()).filter((l) => !l.startsWith('0x')))];
  if (handles.length === 0) return {};
  const rows = await db
    .selectFrom('agents')
    .select(['handle', 'account'])
    .where('handle', 'in', handles)
    .execute();
  return Object.fromEntries(rows.map((r) => [r.handle, r.account.toLowerCase()]));
}

/** The agent's live terms through one reader at the pinned block. */
export async function readMandate(
  reader: ChainReader | null,
  deployment: Deployment | undefined,
  agent: AgentRow | null,
  blocks: PinnedBlocks,
): Promise<MandateChainFacts> {
  const unread = { owner: null, keyLive: null, mandateHash: null, remaining: null, funds: null };
  if (agent === null) return { ...unread, fault: 'there is no such agent' };
  if (reader === null || deployment === undefined) {
    return { ...unread, fault: `no RPC URL is configured for ${caip2(agent.chainId)}` };
  }
  try {
    const block = pinnedPlace(blocks, reader.chainId);
    const { agentNft, policy, usdc } = deployment;
    const ask = (address: `0x${string}`, functionName: string, args: readonly unknown[]): Promise<unknown> =>
      reader.read({ address, abi: AGENT_ABI, functionName, args, block });
    const [owner, keyLive, mandate, remaining, funds] = await Promise.all([
      ask(agentNft, 'ownerOf', [agent.tokenId]),
      ask(policy, 'keyIsLive', [agent.tokenId, agent.sessionKey]),
      ask(policy, 'mandates', [agent.tokenId]),
      ask(policy, 'remaining', [agent.tokenId, usdc]),
      ask(usdc, 'balanceOf', [agent.account]),
    ]);
    return {
      owner: String(owner).toLowerCase(),
      keyLive: keyLive === true,
      mandateHash: String(mandate).toLowerCase(),
      remaining: limitsIn(remaining),
      funds: String(funds),
      fault: null,
    };
  } catch (error) {
    return { ...unread, fault: faultOf(error) };
  }
}

function limitsIn(limits: unknown): NonNullable<MandateChainFacts['remaining']> {
  const { day, week, month, total, spendable } = limits as Record<string, bigint>;
  return {
    day: String(day),
    week: String(week),
    month: String(month),
    total: String(total),
    spendable: String(spendable),
  };
}
