import type { View } from './view.ts';

interface Waiting {
  readonly tab: number;
  readonly view: View;
  readonly decide: (go: boolean) => void;
}

/** A page may ask again and again: so many requests of one tab wait for its user, one window at a time. The rest is refused. */
const MOST_OF_A_TAB = 20;
const SIZE = { width: 440, height: 640 };
const waiting = new Map<string, Waiting>();
const queues = new Map<number, Promise<unknown>>();

/** Shows a window that only its user can close or answer; resolves with whether they go on. Closed is refused. */
export async function ask(tab: number, view: View): Promise<boolean> {
  if (countOf(tab) >= MOST_OF_A_TAB) return false;
  const id = crypto.randomUUID();
  const decided = new Promise<boolean>((decide) => waiting.set(id, { tab, view, decide }));
  const before = queues.get(tab) ?? Promise.resolve();
  const shown = before.then(async () => {
    try {
      await open(id);
      return await decided;
    } catch {
      waiting.delete(id);
      return false;
    }
  });
  queues.set(tab, shown);
  return await shown;
}

/** Shows what was refused, once for as long as its window stands. Nothing waits for it. */
export async function tell(tab: number, view: View): Promise<void> {
  if ([...waiting.values()].some((w) => w.tab === tab && w.view.final)) return;
  const id = crypto.randomUUID();
  waiting.set(id, { tab, view, decide: () => {} });
  await open(id).catch(() => waiting.delete(id));
}

function countOf(tab: number): number {
  return [...waiting.values()].filter((w) => w.tab === tab).length;
}

async function open(id: string): Promise<void> {
  const url = chrome.runtime.getURL(`confirm.html#${id}`);
  await chrome.windows.create({ url, type: 'popup', focused: true, ...SIZE });
}

/** Serves the windows: each gets its view when it connects, and answers once. */
export function serveWindow(port: chrome.Port): void {
  const own = chrome.runtime.getURL('confirm.html');
  const entry = waiting.get(port.name);
  if (entry === undefined || port.sender?.url?.split('#')[0] !== own) {
    port.disconnect();
    return;
  }
  const decide = (go: boolean) => {
    waiting.delete(port.name);
    entry.decide(go);
  };
  // Anything else only says that the window still stands, so that the browser keeps this process.
  port.onMessage.addListener((message) => {
    if (message === 'go' && !entry.view.final) decide(true);
  });
  port.onDisconnect.addListener(() => decide(false));
  port.postMessage(entry.view);
}
