import { hostname, userInfo } from 'node:os';
import type { Json } from '../../agents/canonical.ts';
import type { Database } from '../../store/database.ts';
import { logOperatorAct, type OperatorActor } from '../../store/operators/operator-log.ts';
import type { Config } from '../config/config.ts';
import { withDatabase } from './database.ts';

/** What a command is about to do. */
export interface CommandedAct {
  /** The command, such as `agent suspend`. */
  readonly act: string;
  readonly subject: string | null;
  readonly detail?: { readonly [key: string]: Json };
}

/** Writes the act into the operators' log, then does it. @throws StartError when no database runs */
export async function withOperatorAct<T>(
  config: Config,
  { act, subject, detail = {} }: CommandedAct,
  work: (db: Database, by: OperatorActor) => Promise<T>,
): Promise<T> {
  return await withDatabase(config, async (db) => {
    const by = { kind: 'command', user: userInfo().username, host: hostname() } as const;
    await logOperatorAct(db, { by, act, subject, detail });
    return await work(db, by);
  });
}
