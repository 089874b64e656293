import type { OwnerChange } from '../../../../agents/determinations/transaction/transaction-evidence.ts';
import {
  addressIn,
  numberIn,
  numbersAt,
  selector,
  wordAt,
} from '../../../../agents/determinations/transaction/words.ts';
import type { SimulatedOutcome } from '../../../../chain/rpc/reader.ts';

/**
 * What an account is asked before and after a transaction. The proxies of Safes answer `masterCopy()` themselves, whatever
 * code they have come to run.
 */
const QUESTIONS = ['getOwners()', 'getThreshold()', 'owner()', 'masterCopy()', 'implementation()'] as const;
export const DECIDERS: readonly string[] = QUESTIONS.map(selector);

/** Null where the account does not answer. */
interface Deciders {
  readonly owners: readonly string[] | null;
  readonly threshold: bigint | null;
  /** By the question. */
  readonly one: ReadonlyMap<string, string>;
}

export interface DecidersTold {
  readonly address: string;
  readonly before: Deciders;
  readonly after: Deciders;
}

/** @param outcomes of {@link DECIDERS}, in their order */
export function decidersIn(outcomes: readonly SimulatedOutcome[]): Deciders {
  const [owners, threshold, ...single] = outcomes;
  const one = single.flatMap((outcome, i): [string, string][] => {
    const word = wordIn(outcome);
    const question = QUESTIONS[i + 2]!;
    return word === null || !/^0{24}/.test(word) || /^0+$/.test(word) ? [] : [[question, addressIn(word)]];
  });
  const needed = wordIn(threshold);
  return {
    owners: listIn(owners),
    threshold: needed === null ? null : numberIn(needed),
    one: new Map(one),
  };
}

function wordIn(outcome: SimulatedOutcome | undefined): string | null {
  return outcome?.ok === true && outcome.output.length === 66 ? outcome.output.slice(2) : null;
}

function listIn(outcome: SimulatedOutcome | undefined): string[] | null {
  if (outcome?.ok !== true || outcome.output.length < 130) return null;
  const bare = outcome.output.slice(2);
  if (numberIn(wordAt(bare, 0)) !== 32n) return null;
  return numbersAt(bare, 0).map((owner) => addressIn(owner.toString(16)));
}

/** Everybody who decided over an account before the transaction, as it told. */
export function ownersTold({ address, before }: DecidersTold): { address: string; owners: string[] } | null {
  const owner = before.one.get('owner()');
  const owners = [...new Set([...(before.owners ?? []), ...(owner === undefined ? [] : [owner])])];
  return owners.length === 0 ? null : { address, owners };
}

/** What an account tells otherwise afterwards, besides what events told. */
export function changesTold(
  { address, before, after }: DecidersTold,
  told: readonly OwnerChange[],
): OwnerChange[] {
  const known = new Set(told.filter((o) => o.contract === address).flatMap(({ from, to }) => [from, to]));
  const changes: OwnerChange[] = [];
  const add = (event: string, from: string | null, to: string | null): void => {
    const named = to ?? from;
    if (named === null || !known.has(named)) changes.push({ contract: address, event, from, to });
  };
  if (before.owners !== null) {
    const now = after.owners ?? [];
    for (const who of now) if (!before.owners.includes(who)) add('getOwners()', null, who);
    for (const who of before.owners) if (!now.includes(who)) add('getOwners()', who, null);
  }
  const isTold = told.some((o) => o.contract === address && o.event === 'ChangedThreshold');
  if (before.threshold !== null && after.threshold !== before.threshold && !isTold)
    add('getThreshold()', null, null);
  for (const question of QUESTIONS.slice(2)) {
    const [was, is] = [before.one.get(question) ?? null, after.one.get(question) ?? null];
    if (was !== null && was !== is) add(question, was, is);
  }
  return changes;
}
