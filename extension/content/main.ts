/**
 * The half that a page cannot reach: it carries requests to the extension's own process, keeps what was let through, and
 * stops on its way to a wallet what was not.
 */
import type { JudgeAnswer, JudgeMessage } from '../messages.ts';
import type { WalletCall } from '../methods.ts';
import { PORT_EVENT, READY_EVENT } from '../page/channel.ts';
import { openApprovals } from './approvals.ts';
import { callsIn } from './wallet-messages.ts';

const AWAY: JudgeAnswer = { go: false, message: 'Safe Handshake was updated or ended: reload the page' };
const approvals = openApprovals(() => Date.now());
const passed = new WeakSet<Event>();

async function judge(calls: readonly WalletCall[], chainId: JudgeMessage['chainId']): Promise<JudgeAnswer> {
  const message: JudgeMessage = { kind: 'judge', calls, chainId, ancestors: [...location.ancestorOrigins] };
  try {
    const answer = await chrome.runtime.sendMessage<JudgeMessage, JudgeAnswer | undefined>(message);
    return answer?.go === true ? answer : { ...AWAY, ...answer, go: false };
  } catch {
    return AWAY;
  }
}

/** The page's half offers its port before any script of the page runs. */
function takePort(event: Event): void {
  const port = (event as MessageEvent).ports?.[0];
  if (port === undefined) return;
  removeEventListener(PORT_EVENT, takePort, true);
  port.addEventListener('message', async ({ data }: MessageEvent) => {
    const calls = readCalls(data?.calls);
    const chainId = ['string', 'number'].includes(typeof data?.chainId) ? data.chainId : null;
    const answer = calls === null ? AWAY : await judge(calls, chainId);
    if (answer.go && calls !== null) approvals.add(calls);
    port.postMessage({ id: data?.id, go: answer.go, message: answer.message });
  });
  port.start();
  dispatchEvent(new Event(READY_EVENT));
}

function readCalls(given: unknown): WalletCall[] | null {
  if (!Array.isArray(given) || given.length === 0) return null;
  if (!given.every((call) => typeof call?.method === 'string')) return null;
  return given.map(({ method, params }) => ({ method, params }));
}

/** Most wallets listen for messages in the page's window, where anybody can write to them. */
async function stopUnjudged(event: MessageEvent): Promise<void> {
  if (passed.has(event)) return;
  const calls = callsIn(event.data);
  if (calls.length === 0 || approvals.spend(calls)) return;
  event.stopImmediatePropagation();
  const { go } = await judge(calls, null);
  if (!go) return;
  const { data, origin, source, lastEventId, ports } = event;
  const again = new MessageEvent('message', { data, origin, source, lastEventId, ports: [...ports] });
  passed.add(again);
  dispatchEvent(again);
}

function listen(): void {
  addEventListener('message', stopUnjudged, true);
}

addEventListener(PORT_EVENT, takePort, true);
listen();
// `document.open()` takes every listener off the window, and a wallet may come only afterwards.
new MutationObserver(listen).observe(document, { childList: true });
