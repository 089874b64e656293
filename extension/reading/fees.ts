import type { ReadingNotes } from './reading.ts';
import { etherWords, readWei } from './values.ts';

/** What a transaction may say of its fee. */
export const FEE_FIELDS = ['gas', 'gasLimit', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'];

/** No transaction takes less gas than this: where less is named, a wallet may put its own amount in its place. */
const LEAST_GAS = 21_000n;
/** Wei that a site may set as a fee and be Clean: 0.01 of the chain's own coin. */
const SMALL_FEE = 10n ** 16n;

/**
 * Notes the fee that a page sets, which leaves the account besides what the transaction moves. Nobody tries out fees, and
 * a price of gas alone can take the whole balance.
 */
export function noteFee(notes: ReadingNotes, one: Readonly<Record<string, unknown>>): void {
  const { gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = one;
  const named = [gasPrice, maxFeePerGas, maxPriorityFeePerGas].filter((said) => said != null);
  if (named.length === 0) return;
  const prices = named.map(readWei).filter((price) => price !== null);
  // Wallets pass over `gasLimit`, and where they find no `gas` they decide themselves how much it may be.
  const limit = readWei(gas);
  if (limit === null || limit < LEAST_GAS || prices.length < named.length) {
    notes.unread('It sets what its fee is reckoned by, and how much that comes to cannot be read.');
    return;
  }
  let fee = 0n;
  for (const price of prices) if (price * limit > fee) fee = price * limit;
  // A tip alone comes on top of what the network takes, which is the wallet's to say.
  const besides = gasPrice == null && maxFeePerGas == null ? ', besides what the network takes' : '';
  const text = `At most ${etherWords(fee)} goes for the fee${besides}, as the site asks.`;
  if (fee <= SMALL_FEE) notes.note(text);
  else {
    notes.warn(text);
    notes.unchecked('Whether a fee of that much is needed was not looked at.');
  }
}
