import { AppError } from '../../agents/errors.ts';
import { type Question, REFUSALS } from '../../agents/mandate/terms/schema.ts';
import { takeModelAsk } from '../../store/determinations/model-asks.ts';
import type { Services } from '../services.ts';

const RESTATABLE: ReadonlySet<string> = new Set(
  REFUSALS.filter((r) => r !== 'INJECTION_SUSPECTED' && r !== 'NEVER_WAIVED'),
);

/** The person for whom a language model would be asked. */
export interface Asker {
  /** The wallet that the request names; for a checkout that nobody has paid for, an unproven claim. */
  readonly wallet: string;
  /** Where the request came from, as the rate limit counts it. */
  readonly address: string;
}

/**
 * Adds to the questions about a mandate a reading that a language model proposes, if one is configured and its proposal
 * is valid clause by clause. It binds nobody: the owner may send the proposed text instead. The model is asked within
 * the daily budgets of the wallet, the client's address and the service. Beyond them, or when they cannot be read, the
 * answer contains only the grammar's questions.
 * @throws whatever `read` throws; a `mandate-refused` has `suggestion` beside `questions`
 */
export async function withSuggestion<T>(
  services: Pick<Services, 'restater' | 'now' | 'db' | 'config' | 'log'>,
  text: string,
  asker: Asker,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { restater, now } = services;
    if (!restater || !worthAsking(error) || !(await mayAsk(services, asker))) throw error;
    const restated = await restater.restate(text, now().toISOString());
    if (!restated) throw error;
    const { code, message, extra } = error;
    throw new AppError(code, message, { extra: { ...extra, suggestion: { ...restated, by: restater.by } } });
  }
}

/**
 * Whether a model may help with the questions. An attack on the reader is never sent to a model. A clause that was
 * understood but cannot be enforced is not sent either, because no other wording could be.
 */
function worthAsking(error: unknown): error is AppError {
  if (!(error instanceof AppError) || error.code !== 'mandate-refused') return false;
  const questions = error.extra.questions as readonly Question[] | undefined;
  return questions?.every(({ reason }) => RESTATABLE.has(reason)) === true;
}

async function mayAsk(
  { db, config, now, log }: Pick<Services, 'db' | 'config' | 'now' | 'log'>,
  { wallet, address }: Asker,
): Promise<boolean> {
  const { perWalletDay, perAddressDay, perDay } = config.modelBudget;
  try {
    return await takeModelAsk(
      db,
      [
        { name: `wallet:${wallet.toLowerCase()}`, perDay: perWalletDay },
        { name: `address:${address}`, perDay: perAddressDay },
        { name: 'all', perDay },
      ],
      now(),
    );
  } catch (error) {
    log.warn({ err: error }, 'the budget of the language model could not be read: it is not asked');
    return false;
  }
}
