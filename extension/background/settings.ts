import type { Hex } from '../../agents/canonical.ts';
import { SERVICE, SIGNER } from '../settings-rules.ts';

/** What the user of the extension decides. That a malicious site gets no connection is not among it. */
export interface Settings {
  /** Base address of the service that is asked. */
  readonly service: string;
  /** The key by which that service signs its lists; null: whoever signs the first ones that are fetched. */
  readonly signer: Hex | null;
  /** What a malicious request for a signature or a transaction causes. A malicious site is refused in any case. */
  readonly onFlagged: 'stop' | 'ask';
  /** The most that checks may cost a day, in micro-dollars; "0": nothing is paid for. */
  readonly dailyBudgetMicro: string;
}

declare const BUILT_FOR: { readonly service: string; readonly signer: Hex | null };

const DEFAULTS: Settings = {
  service: BUILT_FOR.service,
  signer: BUILT_FOR.signer,
  onFlagged: 'stop',
  dailyBudgetMicro: '0',
};

/** What the extension keeps, in a place that pages and content scripts cannot read. */
export async function readStored<T>(key: string): Promise<T | undefined> {
  return (await chrome.storage.local.get(key))[key] as T | undefined;
}

export async function writeStored(key: string, value: unknown): Promise<void> {
  await chrome.storage.local.set({ [key]: value });
}

export async function readSettings(): Promise<Settings> {
  return { ...DEFAULTS, ...(await readStored<Partial<Settings>>('settings')) };
}

/** @throws Error that says which setting cannot be */
export async function changeSettings(given: Partial<Settings>): Promise<Settings> {
  const before = await readSettings();
  const next = { ...before, ...pick(given) };
  if (!SERVICE.is(next.service)) throw new Error(`The service must be ${SERVICE.rule}`);
  if (!/^\d{1,12}$/.test(next.dailyBudgetMicro)) throw new Error('The budget must be an amount in dollars');
  if (next.signer !== null && !SIGNER.is(next.signer)) throw new Error(`The key must be ${SIGNER.rule}`);
  await writeStored('settings', next);
  return next;
}

function pick({ service, signer, onFlagged, dailyBudgetMicro }: Partial<Settings>): Partial<Settings> {
  return {
    ...(typeof service === 'string' ? { service: SERVICE.trimmed(service) } : {}),
    ...(signer === null || typeof signer === 'string' ? { signer } : {}),
    ...(onFlagged === 'stop' || onFlagged === 'ask' ? { onFlagged } : {}),
    ...(typeof dailyBudgetMicro === 'string' ? { dailyBudgetMicro } : {}),
  };
}
