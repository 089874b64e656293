import { ownLists } from './list-copy.ts';
import { askOrigin, type OriginAnswer } from './service.ts';

/** What is known of the sites that a request comes from. */
export interface OriginJudgement {
  /** Where it comes from, as a person reads it. */
  readonly host: string;
  readonly verdict: 'CLEAN' | 'FLAGGED' | 'NOT CHECKED';
  readonly reasons: readonly string[];
}

const KEPT_MS = 300_000;
const MOST_KEPT = 500;
const answers = new Map<string, { readonly answer: OriginAnswer; readonly until: number }>();

/** The hosts of a frame and of the pages around it, as the browser names them. */
export function hostsOf(sender: chrome.MessageSender, ancestors: readonly string[]): string[] {
  const urls = [sender.origin, sender.url, sender.tab?.url, ...ancestors];
  const hosts = urls.flatMap((url) => {
    if (url === undefined || !URL.canParse(url)) return [];
    const { hostname, protocol } = new URL(url);
    return /^(?:https?|wss?):$/.test(protocol) && hostname !== '' ? [hostname] : [];
  });
  return [...new Set(hosts)];
}

/** Judges the sites: one that is malicious, by the service or by the own lists, makes the whole malicious. */
export async function judgeOrigin(hosts: readonly string[]): Promise<OriginJudgement> {
  const host = hosts[0] ?? 'a page without a site of its own';
  if (hosts.length === 0)
    return { host, verdict: 'NOT CHECKED', reasons: ['It has no site that could be asked about.'] };
  const lists = await ownLists();
  for (const one of hosts) {
    const named = lists.host(one);
    if (named.length > 0)
      return { host: one, verdict: 'FLAGGED', reasons: [`${one} is on ${named.join(', ')}.`] };
  }
  const asked = await Promise.all(hosts.map(async (one) => ({ one, answer: await askKept(one) })));
  const flagged = asked.find(({ answer }) => answer?.verdict === 'FLAGGED');
  if (flagged !== undefined)
    return { host: flagged.one, verdict: 'FLAGGED', reasons: flagged.answer!.reasons };
  const unknown = asked.filter(({ answer }) => answer?.verdict !== 'CLEAN');
  if (unknown.length === 0) return { host, verdict: 'CLEAN', reasons: [] };
  return {
    host,
    verdict: 'NOT CHECKED',
    reasons: [
      ...unknown.flatMap(({ one, answer }) =>
        answer === null ? [`The service could not be asked about ${one}.`] : answer.reasons,
      ),
      lists.described,
    ],
  };
}

async function askKept(host: string): Promise<OriginAnswer | null> {
  const held = answers.get(host);
  if (held !== undefined && held.until > Date.now()) return held.answer;
  const answer = await askOrigin(host);
  if (answer === null) return null;
  if (answers.size >= MOST_KEPT) answers.clear();
  answers.set(host, { answer, until: Date.now() + KEPT_MS });
  return answer;
}
