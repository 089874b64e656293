import type { Cursor } from '../cursor.ts';
import type { Fact } from '../facts.ts';
import { factOf, target } from './targets.ts';

/** "Chains other than Ethereum are not acceptable": what is named is all that is allowed. */
export function othersOffClause(c: Cursor): Fact[] | null {
  if (c.peek(-1) !== undefined && c.peek(-1)!.kind !== 'SEP') return null;
  if (c.eat('OTHERTHAN') === null) return null;
  const found = target(c);
  if (found === null || c.eat('OFF') === null || !c.atBreak) return null;
  return [factOf(found, false, true, null)];
}

/** "Debt is excluded, as are liquidation goods": they go with what the clause before left out. */
export function asAreClause(c: Cursor): Fact[] | null {
  const [sign, mark] = [c.peek(-1), c.peek(-2)];
  if (sign?.kind !== 'SEP' || mark?.kind !== 'OFF' || c.eat('AS_ARE') === null) return null;
  const found = target(c);
  return found !== null && c.atBreak ? [factOf(found, true, true, null)] : null;
}
