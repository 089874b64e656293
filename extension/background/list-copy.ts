import type { SignedSnapshot } from '../../agents/registers/list-snapshot.ts';
import { type OwnLists, openLists } from '../lists/own-lists.ts';
import { olderThan, verifySnapshot } from '../lists/verify.ts';
import { changeSettings, readSettings, readStored, writeStored } from './settings.ts';

const PATIENCE_MS = 30_000;

let opened: { readonly hash: string; readonly lists: OwnLists; readonly at: number } | null = null;
const KEPT_MS = 60_000;

/** The lists as the extension holds them now. */
export async function ownLists(): Promise<OwnLists> {
  const now = Date.now();
  const held = await readStored<SignedSnapshot>('lists');
  const hash = held?.hash ?? '';
  if (opened === null || opened.hash !== hash || now - opened.at > KEPT_MS)
    opened = { hash, at: now, lists: openLists(held?.snapshot ?? null, now) };
  return opened.lists;
}

/**
 * Fetches the service's lists. They are taken only when the trusted key signed them and none later is held.
 * @returns what is wrong; null when they were taken
 */
export async function refreshLists(): Promise<string | null> {
  const { service, signer } = await readSettings();
  const fault = await takeLists(service, signer).catch((error: Error) => error.message);
  await writeStored('listFault', fault);
  return fault;
}

async function takeLists(
  service: string,
  signer: SignedSnapshot['signature']['signer'] | null,
): Promise<string | null> {
  const response = await fetch(`${service}/origin/lists`, {
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) return `the service answered ${response.status}`;
  const signed = (await response.json()) as SignedSnapshot;
  await verifySnapshot(signed, signer);
  const older = olderThan(signed, await readStored<SignedSnapshot>('lists'));
  if (older !== null) return older;
  await writeStored('lists', signed);
  if (signer === null) await changeSettings({ signer: signed.signature.signer });
  return null;
}
