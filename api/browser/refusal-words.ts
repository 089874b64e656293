import { WALLET } from '../words/browser.ts';

/** By the selector of a contract's error, what it says. */
export type Refusals = Readonly<Record<string, string>>;

/**
 * What a wallet said when it refused, in a sentence. Wallets put what a contract reverted with into the message, or
 * somewhere into the data.
 */
export function refusalWords(error: unknown, refusals: Refusals = {}): string {
  const { message = '', data } = (error ?? {}) as { message?: string; data?: unknown };
  const selectors = `${message} ${textOf(data)}`.toLowerCase().match(/0x[0-9a-f]{8}/g) ?? [];
  const known = selectors.map((selector) => refusals[selector]).find((words) => words !== undefined);
  if (known !== undefined) return WALLET.refused(WALLET.byContract(known));
  const short = message.trim().replace(/(0x[0-9a-f]{8})[0-9a-f]{8,}/gi, '$1…');
  return WALLET.refused(short.endsWith('.') ? short.slice(0, -1) : short || WALLET.noReason);
}

/** Whatever a wallet put there: what cannot be written down says nothing. */
function textOf(data: unknown): string {
  try {
    return JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
  } catch {
    return '';
  }
}
