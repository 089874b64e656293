import { Type } from 'typebox';
import { AppError, badField } from '../../agents/errors.ts';
import { parseUsd } from '../../agents/money.ts';
import { requireAgent } from '../../runtime/agent/live-agent.ts';
import type { Services } from '../../runtime/services.ts';
import { NotAsked } from '../browser/not-asked.ts';
import { transactionOf } from '../browser/transactions.ts';
import type { App, Reply, Request } from '../http/app.ts';
import { replyPageOrJson } from '../http/negotiate.ts';
import { Handle, problems } from '../schemas.ts';
import { transactionPage } from './account-transaction-page.ts';
import {
  type AccountAct,
  AccountTransaction,
  Amount,
  MONEY_ACTS,
  TOKEN_ACTS,
  Token,
} from './account-transaction-shapes.ts';
import { agentDocument } from './agents.ts';

/**
 * Serves `/agent/{handle}/transactions/{act}`: what a wallet elsewhere sends to move the money and the tokens of an agent's
 * account. The forms of the agent's page lead here where no script or no wallet answers them.
 */
export function accountTransactionRoutes(app: App, services: Services): void {
  const schemaOf = (act: AccountAct, summary: string) => ({
    operationId: `agent-${act}`,
    summary,
    description: 'Nothing is sent: the wallet named `from` sends it, and the chain does the rest.',
    tags: ['agents'],
    params: Type.Object({ handle: Handle }),
    response: { 200: AccountTransaction, ...problems('bad-request', 'not-found') },
  });
  for (const [act, summary] of entries(MONEY_ACTS))
    app.get(
      `/agent/:handle/transactions/${act}`,
      { schema: { ...schemaOf(act, summary), querystring: Amount }, preValidation: trimmed },
      async (request, reply) => {
        const { amountUsd } = request.query;
        parseUsd(amountUsd, 'amountUsd');
        const typed = { kind: act, amount: String(amountUsd), contract: '', tokenId: '' };
        const told = await prepared(services, request.params.handle, typed);
        return answer(request as Request, reply as Reply, act, told);
      },
    );
  for (const [act, summary] of entries(TOKEN_ACTS))
    app.get(
      `/agent/:handle/transactions/${act}`,
      { schema: { ...schemaOf(act, summary), querystring: Token }, preValidation: trimmed },
      async (request, reply) => {
        const typed = { kind: act, amount: '', ...request.query };
        const told = await prepared(services, request.params.handle, typed);
        return answer(request as Request, reply as Reply, act, told);
      },
    );
}

/** Where no script runs, a form sends what was pasted as it stands. */
async function trimmed({ query }: { query: unknown }): Promise<void> {
  const sent = query as Record<string, unknown>;
  for (const [name, value] of Object.entries(sent)) if (typeof value === 'string') sent[name] = value.trim();
}

const entries = <K extends string>(of: Readonly<Record<K, string>>) => Object.entries(of) as [K, string][];

const answer = (request: Request, reply: Reply, act: AccountAct, told: AccountTransaction) =>
  replyPageOrJson(request, reply, told, (shown) => transactionPage(act, shown));

/** @throws AppError not-found, bad-request that names the field, unavailable */
async function prepared(
  services: Services,
  handle: string,
  typed: Parameters<typeof transactionOf>[0],
): Promise<AccountTransaction> {
  const agent = await agentDocument(services, await requireAgent(services, handle));
  // Of an owner before, it would send the money to somebody else.
  if ('unavailable' in agent.caps)
    throw new AppError('unavailable', 'Its owner is read from the chain, which cannot be read now.');
  const { usdc: token, settlement } = services.home.deployment;
  const { owner, account, chainId } = agent;
  try {
    const transaction = transactionOf(typed, { wallet: owner, account, token, settlement, handle });
    return { handle, chainId, from: typed.kind === 'fund' ? null : owner, value: '0', ...transaction };
  } catch (error) {
    if (!(error instanceof NotAsked)) throw error;
    // All else was validated: a number of so many digits may still be too large.
    throw badField('tokenId', error.message);
  }
}
