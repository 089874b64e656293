import { type Database, run, type Statement } from '../database.ts';

/** A row of the table of contracts that hold, or stand for, tokens of others. */
export interface TokenContractRow {
  readonly source: string;
  readonly detail: Readonly<Record<string, string>>;
  readonly as_of: Date;
}

/** More rows are no table of contracts that somebody vouched for one by one. */
const MOST_ROWS = 5_000;

const CONTRACTS: Statement = {
  name: 'token-contracts',
  text: `
    select e.source, e.detail, l.as_of from register_entries e
    join register_lists l on l.register = e.register and l.source = e.source
    where e.register = 'token-contracts' order by e.key, e.source limit $1`,
};

/** Every row of the table, of every list of it. */
export async function tokenContractRows(db: Database): Promise<readonly TokenContractRow[]> {
  return await run<TokenContractRow>(db, CONTRACTS, [MOST_ROWS]);
}
