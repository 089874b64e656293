import type { Meaning } from './lexicon/lexicon.ts';
import type { Token } from './tokens.ts';

/** What a word means in front of a colon or a question mark: "What: overstock. How much? 90 USDC per deal." */
const LABELS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    FILL: 'two caps|three caps|four caps|one cap|two limits|three limits|four limits|caps are|limits are|as for limits|as for approval|as for approvals|as for price|as for prices|as to limits|as to approval|on limits|on approval|side|direction|instruction|order type|remark|remarks|the caps|the limits|type|kind|to the agent|to my agent|to our agent|to the trading agent|to the buying agent|to my assistant|op|operation|action|all i ask|all we ask|all i want|one rule|rule|rules|two rules|three rules|conditions|one condition|two conditions|terms|two things|three things|in short|summary|wish|wishes|note|consultation|approval|approvals|spending plan|budget plan|the following|following|limits|caps',
    REQUIRE:
      'must be clean|required clean|clean checks|clean checks needed|clean checks required|checks needed|checks required|check needed|check required|needed checks|clean needed|needed clean',
    GEN: "one category|two categories|category|categories|one kind|instrument|instruments|product|products|symbol|ticker|universe|commodity|to be bought|to be sold|item class|asset class|asset type|asset|class|type of goods|kind of goods|goods wanted|wanted goods|goods sought|to buy|to sell|what we buy|what i buy|what we sell|what i sell|what we want|goods to buy|goods to sell|scope|plan|what|what i'd like|what we'd like|what i like|goods|what to buy|what to sell|item|items|thing|things|subject|shopping|target|what for|what may be bought|what i want|the job|job|task|mission|order|request|want|wanted|looking for",
    KEEP: "px|limit px|px limit|how much|max|maximum|what i'd pay|what i pay|what i'll pay|what you may pay|what to pay|price|prices|money|cost|costs|spend|spending|pay|value|what each may cost|what each may cost me|how much for each|how much money|numbers|figures|the money",
    ALLOWED: 'allow|permit|yes to',
    ENDS: 'ttl|end of mandate|one end|end date|good till|good until|good thru|gtd|gt|tif|exp|expires|expiry|good|good for|mandate ends|mandate end|as for time|as for the end|stop date|must stop|closing date|sunset|through|until|till|to|by|termination|expiration|window|run|validity|closing|closes|lapses|end of life|term|valid|duration|when|until when|till when|how long|end|by when|the end|time|when it ends|when to stop|timing|date|dates|period|end of it|ending',
    CHAINWORD:
      'one chain|two chains|one network|venue|venues|rail|rails|where|on what chain|on which chain|chain|chains|network|networks|place',
    PARTYWORD:
      'one seller|cpty|cp|counterparty|who|from whom|with whom|from who|with who|whom|seller|sellers|counterparties',
    COUNT:
      'qty|quantity max|max qty|deals in all|deals in total|deals altogether|deals overall|pace|how many|how often|number|frequency|quantity|count',
  }).flatMap(([kind, words]) => words.split('|').map((word) => [word, { kind, value: '' }] as const)),
);
const LONGEST = 6;

const OWNER = new Set(['mine', 'ours', 'me', 'us', 'owner']);

/** A label at `at`, without the sign behind it; null where none is. */
export function labelAt(tokens: readonly Token[], at: number): { meaning: Meaning; length: number } | null {
  const before = tokens[at - 1];
  if (
    before !== undefined &&
    !['.', ';', ',', '!', '?', ':', '-', '(', 'the', 'my', 'your', 'and', 'so', 'note', 'our'].includes(
      before.key,
    )
  )
    return null;
  for (let length = LONGEST; length > 0; length--) {
    const sign = tokens[at + length]?.key;
    if (sign !== ':' && sign !== '?') continue;
    const words = tokens
      .slice(at, at + length)
      .map(({ key }) => key)
      .join(' ');
    const meaning = LABELS.get(words);
    if (meaning === undefined) continue;
    // "Approval: mine, above 6,500 USDC".
    const owner = /approvals?$/.test(words) && OWNER.has(tokens[at + length + 1]?.key ?? '');
    return { meaning: owner ? { kind: 'APPROVAL', value: '' } : meaning, length };
  }
  return null;
}

/** True for the mark behind a label: "How much? 90 USDC per deal." */
export function labelled(tokens: readonly Token[], at: number): boolean {
  for (let i = at - 1; i >= 0 && i >= at - LONGEST; i--) {
    const label = labelAt(tokens, i);
    if (label !== null && i + label.length === at) return true;
  }
  return false;
}

const NUMBERED = /^(?:rule|point|item|limit|condition|clause|step|number|no|term|article)$/;
const COUNTED = /^(?:one|two|three|four|five|six|seven|eight|nine|ten|[1-9]|i{1,3}|iv|vi{0,3}|ix|x|[a-h])$/;
const ORDINAL = /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|1st|2nd|3rd|4th|5th|6th)$/;

/** "Rule one: …", "second rule: …": what only numbers the clauses, with the sign behind it. */
function numbered(tokens: readonly Token[], at: number): { meaning: Meaning; length: number } | null {
  const before = tokens[at - 1]?.key;
  if (before !== undefined && !['.', ';', ',', '!', ':', '-'].includes(before)) return null;
  const [first, second, sign] = [0, 1, 2].map((i) => tokens[at + i]?.key ?? '');
  const named =
    (NUMBERED.test(first!) && COUNTED.test(second!)) || (ORDINAL.test(first!) && NUMBERED.test(second!));
  return named && (sign === ':' || sign === '-') ? { meaning: { kind: 'SEP', value: ';' }, length: 3 } : null;
}

const ENUMERATED = /^(?:[a-h]|i{1,3}|iv|vi{0,3}|ix|x)$/;

/** "(a)", "(ii)": what only numbers the clauses. */
export function enumerates(
  tokens: readonly Token[],
  at: number,
): { meaning: Meaning; length: number } | null {
  const rule = numbered(tokens, at);
  if (rule !== null) return rule;
  const [open, letter, close] = [tokens[at]?.key, tokens[at + 1]?.key ?? '', tokens[at + 2]?.key];
  return open === '(' && close === ')' && ENUMERATED.test(letter)
    ? { meaning: { kind: 'SEP', value: ';' }, length: 3 }
    : null;
}
