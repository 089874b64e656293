import { check } from '../panel/judging.ts';
import type { Ground } from '../panel/scorecard.ts';
import type { Check } from '../panel/types.ts';
import type { AgentContents } from './pledge-evidence.ts';

/** What keeps an agent from CLEAN: tokens in its account that were not read, or that nobody looks at here. */
export function contentsDoubts(contents: AgentContents | undefined): string[] {
  if (contents === undefined) return [];
  const { held, fault, judged = false } = contents;
  return [
    ...(fault === null ? [] : [`not all that is in the agent's account could be read: ${fault}`]),
    ...(judged || held.length === 0
      ? []
      : [`the agent's account holds ${held.join(', ')}, which go with it: ask about each of them`]),
  ];
}

/** Whether all that goes with an agent is known, and judged. */
export function contentsChecks(contents: AgentContents | undefined, chain: string, at: string): Check[] {
  if (contents === undefined) return [];
  const read = "the tokens that came to the agent's account by their contracts' logs, and are there now";
  const limit = `${read}${passedOver(contents)}`;
  const sources = [{ name: `${chain}, over viem and ethers`, asOf: at, limit }];
  const doubts = contentsDoubts(contents);
  const { held } = contents;
  const told = held.length === 0 ? 'no token is' : `${held.join(', ')}, each judged here, are`;
  return doubts.length > 0
    ? [check('agent-contents', 'INCONCLUSIVE', doubts.join('; '), sources)]
    : [check('agent-contents', 'PASS', `${told} in the agent's account`, sources)];
}

function passedOver(contents: AgentContents): string {
  return `${late(contents)}${strange(contents)}`;
}

function late({ cameSince }: AgentContents): string {
  if (cameSince === undefined) return '';
  const { count, some } = cameSince;
  return `; came since it was listed, from nobody of its seller's side, and was not looked at, so that it may be stolen or pledged: ${count}, such as ${some.join(', ')}`;
}

function strange({ notLookedAt }: AgentContents): string {
  if (notLookedAt === undefined) return '';
  const { count, some } = notLookedAt;
  return `; not looked at: ${count} that no list of goods names and its owner does not claim here, of contracts that nobody here vouched for, or shares (ERC-1155), such as ${some.join(', ')}`;
}

export function contentsGrounds(contents: AgentContents | undefined): Ground[] {
  return contentsDoubts(contents).map((says) => ({ holds: true, unread: true, says }));
}
