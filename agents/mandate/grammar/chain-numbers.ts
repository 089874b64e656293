import { chainNameOf } from '../terms/chains.ts';
import type { Known } from './lexicon/lexicon.ts';
import { readNumber } from './numbers.ts';
import type { Token } from './tokens.ts';

const NUMBER = /^[1-9][0-9]{0,8}$/;

/** "Chain 1002", "chain: 1002", "chain id 8453", "eip155:1002": a chain by its number, as wallets show it. */
export function chainAt(
  tokens: readonly Token[],
  at: number,
  phraseAt: (at: number) => Known | null,
): Known | null {
  const labelled = labelledAt(tokens, at, phraseAt);
  if (labelled !== null) return labelled;
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  const [number, length] =
    first?.key === 'eip155' && second?.key === ':'
      ? [third, 3]
      : first?.key === 'chain' && ['id', 'number', 'no'].includes(second?.key ?? '')
        ? [third, 3]
        : first?.key === 'chain'
          ? [second, 2]
          : [undefined, 0];
  // "Chain one" may be the first of any list.
  if (first?.key === 'chain' && second?.kind === 'word' && readNumber(tokens, at + 1) !== null)
    return { meaning: { kind: 'UNKNOWN', value: '' }, length: 2 };
  if (number?.kind !== 'number' || !NUMBER.test(number.text)) return null;
  return { meaning: { kind: 'CHAIN', value: chainNameOf(Number(number.text)) }, length };
}

/** True at "eip155:84532". */
export function namesChain(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.key === 'eip155' && tokens[at + 1]?.key === ':' && tokens[at + 2]?.tight === true;
}

/** "Chain: 1002", as the first words of a line, and not "deals per chain: 5" or "chain: 5 USDC". */
function labelledAt(
  tokens: readonly Token[],
  at: number,
  phraseAt: (at: number) => Known | null,
): Known | null {
  const before = tokens[at - 1]?.key;
  if (before !== undefined && !['.', ';', '!', ','].includes(before)) return null;
  const number = tokens[at + 2];
  if (tokens[at]!.key !== 'chain' || tokens[at + 1]?.key !== ':') return null;
  if (number?.kind !== 'number' || !NUMBER.test(number.text)) return null;
  const next = tokens[at + 3];
  const ends = next === undefined || (next.kind === 'symbol' && ['.', ';', ',', '!', ')'].includes(next.key));
  if (!ends && phraseAt(at + 3)?.meaning.kind !== 'ONLY') return null;
  return { meaning: { kind: 'CHAIN', value: chainNameOf(Number(number.text)) }, length: 3 };
}
