import { asksWhat, type WalletCall } from '../methods.ts';

const DEEPEST = 10;

/** Every request to a wallet in a message of any form, also where it is written as JSON in a string. */
export function callsIn(data: unknown): WalletCall[] {
  const found: WalletCall[] = [];
  search(data, 0, new Set(), found);
  return found;
}

function search(value: unknown, depth: number, seen: Set<unknown>, found: WalletCall[]): void {
  if (depth > DEEPEST) return;
  if (typeof value === 'string') {
    if (value.includes('method') && /^\s*[[{]/.test(value)) search(parsed(value), depth + 1, seen, found);
    return;
  }
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  const { method, params } = value as { method?: unknown; params?: unknown };
  if (typeof method === 'string' && isWalletMethod(method)) {
    found.push({ method, params });
    return;
  }
  const parts = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value);
  for (const part of parts) search(part, depth + 1, seen, found);
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
