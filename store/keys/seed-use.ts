import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** What rests on one version of the seed. */
export interface SeedUse {
  readonly version: number;
  /** Agents whose session key comes from it, but for those that retired: their keys do nothing more. */
  readonly agents: number;
  /** Webhook secrets that are encrypted under it. */
  readonly secrets: number;
}

/** What rests on which version of the seed, the newest first. @param perVersion how many indexes a version has */
export async function seedUse(db: Database, perVersion: bigint): Promise<SeedUse[]> {
  const { rows } = await sql<{ version: string; agents: string; secrets: string }>`
    select version::text, sum(agents)::text as agents, sum(secrets)::text as secrets from (
      select session_key_index / ${perVersion}::bigint as version, 1 as agents, 0 as secrets from agents
        where status <> 'retired'
      union all
      select get_byte(decode(secret, 'base64'), 0)::bigint, 0, 1 from webhook_subscriptions
    ) used group by version order by version desc`.execute(db);
  return rows.map((r) => ({
    version: Number(r.version),
    agents: Number(r.agents),
    secrets: Number(r.secrets),
  }));
}
