import type { JudgeAnswer, JudgeMessage } from '../messages.ts';
import { asksWhat, type WalletCall } from '../methods.ts';
import { readCall } from '../reading/read-call.ts';
import type { Reading } from '../reading/reading.ts';
import { readNumber } from '../reading/values.ts';
import { ownLists } from './list-copy.ts';
import { hostsOf, judgeOrigin, type OriginJudgement } from './origin.ts';
import { type Question, questionsOf } from './question.ts';
import { buyDetermination } from './service.ts';
import { readSettings } from './settings.ts';
import { type Bought, type View, viewOf } from './view.ts';
import { ask, tell } from './windows.ts';

const GO: JudgeAnswer = { go: true, message: '' };
const MOST_CALLS = 20;

/** Decides about a request to a wallet: it goes on, it is refused, or the user is asked. */
export async function judge(message: JudgeMessage, sender: chrome.MessageSender): Promise<JudgeAnswer> {
  const { calls } = message;
  const tab = sender.tab?.id ?? -1;
  const origin = await judgeOrigin(hostsOf(sender, message.ancestors));
  if (origin.verdict === 'FLAGGED') {
    await tell(tab, refusedSite(origin));
    return { go: false, message: `Safe Handshake refused ${origin.host}: it is malicious` };
  }
  if (calls.length > MOST_CALLS)
    return { go: false, message: 'Safe Handshake refused too many requests at once' };
  const asked = calls.filter(({ method }) => asksWhat(method) !== 'connect');
  if (asked.length === 0) return await connect(origin, tab);
  const chainId = readNumber(message.chainId);
  const place = { origin, tab, chainId: chainId === null ? null : Number(chainId), atOnce: asked.length };
  for (const call of asked) {
    const answer = await judgeCall(call, place);
    if (!answer.go) return answer;
  }
  return GO;
}

/** Who went on to a site that nothing is known of is not asked again for as long as the browser runs. */
const connected = new Set<string>();

async function connect(origin: OriginJudgement, tab: number): Promise<JudgeAnswer> {
  const key = `${tab} ${origin.host}`;
  if (origin.verdict === 'CLEAN' || connected.has(key)) return GO;
  const go = await ask(tab, {
    title: 'Connect your wallet',
    host: origin.host,
    verdict: 'NOT CHECKED',
    ...{ changes: [], read: [], findings: [], text: null },
    notChecked: origin.reasons,
    final: false,
  });
  if (go) connected.add(key);
  return go ? GO : refusedByUser();
}

interface Place {
  readonly origin: OriginJudgement;
  readonly tab: number;
  readonly chainId: number | null;
  /** How many requests are judged together. */
  readonly atOnce: number;
}

async function judgeCall(call: WalletCall, { origin, tab, chainId, atOnce }: Place): Promise<JudgeAnswer> {
  const reading = readCall(call, { host: origin.host, chainId });
  const lists = await ownLists();
  const listed = reading.addresses.flatMap((address) =>
    lists.address(address).map((list) => ({ level: 'stop' as const, text: `${address} is on ${list}.` })),
  );
  // What is malicious already needs no paid opinion.
  const stops = listed.length > 0 || reading.findings.some(({ level }) => level === 'stop');
  const bought = stops || !needsService(reading) ? [] : await buyAll(questionsOf(reading, origin.host));
  const view = viewOf(reading, origin, { listed, bought, described: lists.described, atOnce });
  if (view.verdict !== 'FLAGGED') return (await ask(tab, view)) ? GO : refusedByUser();
  const { onFlagged } = await readSettings();
  if (onFlagged === 'ask') return (await ask(tab, view)) ? GO : refusedByUser();
  await tell(tab, { ...view, final: true });
  return {
    go: false,
    message: `Safe Handshake stopped this: ${view.findings.find((f) => f.level === 'stop')?.text}`,
  };
}

/** What is not clean needs no further opinion, and where one cannot be bought the next cannot either. */
async function buyAll(questions: readonly Question[]): Promise<Bought[]> {
  const bought: Bought[] = [];
  for (const question of questions) {
    const answer = await buyDetermination(question);
    bought.push(answer);
    if (typeof answer === 'string' || answer.verdict !== 'CLEAN') break;
  }
  return bought;
}

/** Plain text moves nothing, and names nobody who could be asked about. */
function needsService(reading: Reading): boolean {
  return reading.subject !== null;
}

function refusedSite(origin: OriginJudgement): View {
  return {
    title: 'Refused',
    host: origin.host,
    verdict: 'FLAGGED',
    ...{ changes: [], read: [] },
    findings: origin.reasons.map((text) => ({ level: 'stop', text })),
    text: null,
    notChecked: [],
    final: true,
  };
}

function refusedByUser(): JudgeAnswer {
  return { go: false, message: 'Refused by the user of Safe Handshake' };
}
