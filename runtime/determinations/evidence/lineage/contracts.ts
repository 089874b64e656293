import type { ContractList } from '../../../../agents/determinations/lineage/lineage.ts';
import {
  readTokenContract,
  type TokenContract,
} from '../../../../agents/determinations/lineage/token-contract.ts';
import type { Database } from '../../../../store/database.ts';
import { tokenContractRows } from '../../../../store/registers/token-contracts.ts';

/** A row of the table, and the list that holds it. */
export interface ListedContract extends TokenContract {
  readonly list: string;
}

/** The part of the imported table that a thing of one chain can come to. */
export interface ContractTable {
  readonly contracts: readonly ListedContract[];
  readonly lists: readonly ContractList[];
  /** The chains that it leads to, with the first one. */
  readonly chains: readonly number[];
}

/** The contracts of a chain, and of those to which bridges of the table lead from there. */
export async function contractTable(db: Database, chainId: number): Promise<ContractTable> {
  const rows = await tokenContractRows(db);
  const all = rows.map(({ source, detail, as_of }) => ({
    contract: { ...readTokenContract(detail), list: `token-contracts/${source}` },
    asOf: as_of.toISOString(),
  }));
  const chains = new Set([chainId]);
  for (let before = 0; before < chains.size; ) {
    before = chains.size;
    for (const { contract: c } of all)
      if (chains.has(c.chainId) || chains.has(c.underlyingChainId))
        chains.add(c.chainId).add(c.underlyingChainId);
  }
  const near = all.filter(({ contract }) => chains.has(contract.chainId));
  const lists = new Map<string, ContractList>();
  for (const { contract, asOf } of near) {
    const rowsBefore = lists.get(contract.list)?.rows ?? 0;
    lists.set(contract.list, { name: contract.list, asOf, rows: rowsBefore + 1 });
  }
  return { contracts: near.map(({ contract }) => contract), lists: [...lists.values()], chains: [...chains] };
}
