/** The extension's own process: it judges, asks, pays and keeps the lists. No page reaches it but through content scripts. */
import type { JudgeMessage } from '../messages.ts';
import { payingAccount, spentToday } from './account.ts';
import { judge } from './judge.ts';
import { ownLists, refreshLists } from './list-copy.ts';
import { changeSettings, readSettings, readStored, type Settings } from './settings.ts';
import { serveWindow } from './windows.ts';

const MINUTES_BETWEEN_LISTS = 15;

/** What the extension's own page asks. */
export type OwnMessage =
  | { readonly kind: 'status' }
  | { readonly kind: 'change'; readonly settings: Partial<Settings> }
  | { readonly kind: 'refresh' };

export interface Status {
  readonly settings: Settings;
  readonly lists: string;
  readonly listFault: string | null;
  readonly account: string;
  readonly spentTodayMicro: string;
}

async function status(): Promise<Status> {
  return {
    settings: await readSettings(),
    lists: (await ownLists()).described,
    listFault: (await readStored<string | null>('listFault')) ?? null,
    account: (await payingAccount()).address,
    spentTodayMicro: `${(await spentToday()).spent}`,
  };
}

async function answerOwnPage(message: OwnMessage): Promise<Status | { readonly error: string }> {
  try {
    if (message.kind === 'change') await changeSettings(message.settings);
    if (message.kind !== 'status') await refreshLists();
    return await status();
  } catch (error) {
    return { error: (error as Error).message };
  }
}

const REFUSED = { go: false, message: 'Safe Handshake could not judge this' };

chrome.runtime.onMessage.addListener((message, sender, answer) => {
  if (sender.id !== chrome.runtime.id) return undefined;
  const ownPage = sender.url?.startsWith(chrome.runtime.getURL('')) === true;
  if (ownPage) answerOwnPage(message as OwnMessage).then(answer);
  else if ((message as JudgeMessage).kind === 'judge')
    judge(message as JudgeMessage, sender).then(answer, () => answer(REFUSED));
  else return undefined;
  return true;
});
chrome.runtime.onConnect.addListener(serveWindow);

chrome.runtime.onInstalled.addListener(() => void refreshLists());
chrome.runtime.onStartup.addListener(() => void refreshLists());
chrome.alarms.onAlarm.addListener(() => void refreshLists());
chrome.alarms.create('lists', { periodInMinutes: MINUTES_BETWEEN_LISTS });
chrome.storage.local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });
