import { isEvmAddress } from '../../agents/ids.ts';
import { findAgent } from '../../store/agent/agents.ts';
import type { Database } from '../../store/database.ts';
import type { App } from '../http/app.ts';

const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** `GET /search`: leads to what was meant: a record, a lot, an agent, the check of an address, or words of the catalogue. */
export function searchRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get('/search', { schema: { hide: true } }, async (request, reply) => {
    const { q } = request.query as { q?: unknown };
    const asked = typeof q === 'string' ? q.trim().slice(0, 200) : '';
    return reply.redirect(await placeOf(db, asked), 303);
  });
}

async function placeOf(db: Database, asked: string): Promise<string> {
  const text = encodeURIComponent(asked);
  if (asked === '') return '/catalogue';
  if (/^rec_\w+$/.test(asked)) return `/records/${text}`;
  if (/^lst_\w+$/.test(asked)) return `/lots/${text}`;
  if (isEvmAddress(asked) || SOLANA.test(asked)) return `/?address=${text}#check`;
  if (/^[a-z0-9-]{3,32}$/.test(asked) && (await findAgent(db, asked)) !== null) return `/agent/${text}`;
  return `/catalogue?q=${text}`;
}
