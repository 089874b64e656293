import { AppError } from '../../agents/errors.ts';
import type { Services } from '../services.ts';

/**
 * Adds to the questions about a mandate a reading that a language model proposes, where one is configured and its
 * proposal holds clause by clause. It binds nobody: its owner may send the proposed text instead.
 * @throws whatever `read` throws; of `mandate-refused`, with `suggestion` beside `questions`
 */
export async function withSuggestion<T>(
  { restater, now }: Pick<Services, 'restater' | 'now'>,
  text: string,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const asked = error instanceof AppError && error.code === 'mandate-refused' && error.extra.questions;
    const restated = asked && restater ? await restater.restate(text, now().toISOString()) : null;
    if (!restated || !restater) throw error;
    const { code, message, extra } = error as AppError;
    throw new AppError(code, message, { extra: { ...extra, suggestion: { ...restated, by: restater.by } } });
  }
}
