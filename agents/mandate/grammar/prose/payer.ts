import type { Known } from '../lexicon/lexicon.ts';
import type { Token } from '../tokens.ts';

const PAYS =
  /^(?:pay|pays|paid|paying|spend|spends|spending|spent|bid|bidding|invest|investing|commit|deploy|allocate)$/;
const PAYMENT = /^payments?$/;
/** What may stand between the payment and where it comes from. */
const BETWEEN =
  /^(?:only|just|always|solely|exclusively|for|it|them|this|these|all|everything|money|is|are|be|must|may|should|shall|will|to|come|comes|coming|made|taken|out|of|directly|straight)$/;
const SOURCE = /^(?:from|of|using|via|through)$/;
const WALLET = /^(?:the|my|our|your|its|this|a|wallet|wallets|account|accounts|address|addresses|only|just)$/;
/** What tells that a wallet is the owner's. */
const OWN = /^(?:my|our|wallets?|accounts?|address(?:es)?)$/;

/**
 * "Pay from x.eth", "payments out of the wallet x.eth": which wallet pays. "Pay x.eth" and "pay for wine from x.eth" tell
 * with whom is dealt, and so does who pays where the agent only sells.
 */
export function namesPayer(
  tokens: readonly Token[],
  from: number,
  to: number,
  phraseAt: (at: number) => Known | null,
): boolean {
  for (let at = from; at < to; at++) {
    const { key } = tokens[at]!;
    const payment = PAYMENT.test(key);
    if (!payment && !PAYS.test(key)) continue;
    let source = at + 1;
    const by = payment ? 'payment' : /^pa(?:y|id)/.test(key) ? 'pay' : 'spend';
    while (source < to && BETWEEN.test(tokens[source]!.key) && !led(tokens, source, to, by)) source++;
    if (source < to && led(tokens, source, to, by)) return !onlySells(tokens, phraseAt);
  }
  return false;
}

/** True at the preposition in front of the wallet. "Payments with x.eth" and "invest with x.eth" are dealings. */
function led(tokens: readonly Token[], at: number, to: number, by: 'payment' | 'pay' | 'spend'): boolean {
  const { key } = tokens[at]!;
  const payingWith = key === 'with' && by !== 'payment';
  if (key === 'of' ? tokens[at - 1]!.key !== 'out' : !SOURCE.test(key) && !payingWith) return false;
  let next = at + 1;
  while (next < to && WALLET.test(tokens[next]!.key)) next++;
  if (payingWith && by === 'spend' && !tokens.slice(at + 1, next).some((token) => OWN.test(token.key)))
    return false;
  return next < to && ['name', 'address'].includes(tokens[next]!.kind);
}

function onlySells(tokens: readonly Token[], phraseAt: (at: number) => Known | null): boolean {
  const verbs = tokens.flatMap(({ key }, at) => {
    const meaning = phraseAt(at)?.meaning;
    return meaning?.kind === 'VERB' && !PAYS.test(key) ? [meaning.value] : [];
  });
  return verbs.length > 0 && verbs.every((verb) => verb === 'sell');
}
