import { asksWhat, type WalletCall } from '../methods.ts';

/**
 * Every request to a wallet in a message of any form, also where it is written as JSON in a string. A request is searched
 * like anything else: a page may give a message a harmless method, and wallets read what stands beside it.
 */
export function callsIn(data: unknown): WalletCall[] {
  const found: WalletCall[] = [];
  // A page decides how deep its message is and what stands in it twice, so nothing of it is left out for either.
  const open: unknown[] = [data];
  const seen = new Set<unknown>();
  for (const value of open) {
    if (typeof value === 'string' && /^\s*[[{]/.test(value)) open.push(parsed(value));
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const { method, params } = value as { method?: unknown; params?: unknown };
    if (typeof method === 'string' && isWalletMethod(method)) found.push({ method, params });
    const parts = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value);
    for (const part of parts) open.push(part);
  }
  return found;
}

/** Messages of pages among themselves have methods too: only names that wallets answer to count. */
function isWalletMethod(method: string): boolean {
  return /^(?:eth|wallet|personal)_/.test(method) && asksWhat(method) !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
