import { Type } from 'typebox';
import { AppError, badField } from '../../agents/errors.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import { requireAgent } from '../../runtime/agent/live-agent.ts';
import type { Services } from '../../runtime/services.ts';
import { NotAsked } from '../browser/not-asked.ts';
import { transactionOf } from '../browser/transactions.ts';
import type { App } from '../http/app.ts';
import { replyPage } from '../http/negotiate.ts';
import { Handle } from '../schemas.ts';
import { AGENT } from '../words/agent.ts';
import { type AccountAct, isAccountAct, transactionPage } from './account-transaction-page.ts';
import { agentDocument } from './agents.ts';

/**
 * Serves `/agent/{handle}/transactions/{act}`: what a wallet elsewhere sends to move the money and the tokens of an agent's
 * account. The forms of the agent's page lead here where no script or no wallet answers them.
 */
export function accountTransactionRoutes(app: App, services: Services): void {
  const params = Type.Object({ handle: Handle, act: Type.String({ maxLength: 60 }) });
  app.get('/agent/:handle/transactions/:act', { schema: { hide: true, params } }, async (request, reply) => {
    const { handle, act } = request.params;
    if (!isAccountAct(act)) throw new AppError('not-found', `There is no act "${act}" on an account.`);
    const agent = await agentDocument(services, await requireAgent(services, handle));
    // Of an owner before, it would send the money to somebody else.
    if ('unavailable' in agent.caps)
      throw new AppError('unavailable', 'Its owner is read from the chain, which cannot be read now.');
    const { deployment } = services.home;
    const { owner, account, chainId } = agent;
    const about = {
      wallet: owner,
      account,
      token: deployment.usdc,
      settlement: deployment.settlement,
      handle,
    };
    const transaction = transactionFor(act, request.query as Readonly<Record<string, unknown>>, about);
    const from = act === 'fund' ? null : owner;
    return replyPage(reply, transactionPage(act, { handle, chainId, from, ...transaction }));
  });
}

/** @throws AppError bad-request that names the field */
function transactionFor(
  act: AccountAct,
  query: Readonly<Record<string, unknown>>,
  about: Parameters<typeof transactionOf>[1],
): ReturnType<typeof transactionOf> {
  const field = (name: string): string => String(query[name] ?? '').trim();
  const typed = {
    kind: act,
    amount: field(act),
    contract: field(`${act}-contract`),
    tokenId: field(`${act}-tokenId`),
  };
  const isToken = act === 'deposit' || act === 'approve';
  if (isToken && !isEvmAddress(typed.contract)) throw badField(`${act}-contract`, AGENT.elsewhere.contract);
  if (isToken && !/^\d{1,77}$/.test(typed.tokenId)) throw badField(`${act}-tokenId`, AGENT.elsewhere.number);
  try {
    return transactionOf(typed, about);
  } catch (error) {
    if (!(error instanceof NotAsked)) throw error;
    throw badField(act, error.message);
  }
}
