import { normalizeIP } from '@fastify/rate-limit';
import type { Asker } from '../../runtime/agent/suggest-mandate.ts';

/** Whose budgets pay for a question to a language model. The address is the one that the rate limit counts. */
export function askerOf(request: { readonly ip: string }, wallet: string): Asker {
  return { wallet, address: normalizeIP(request.ip) };
}
