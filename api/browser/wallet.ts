import { WALLET } from '../words/browser.ts';
import { NotAsked } from './not-asked.ts';
import { forgetSession } from './read-session.ts';
import { type Refusals, refusalWords } from './refusal-words.ts';

/** The wallet of the visitor (EIP-1193), found by EIP-6963 or at `window.ethereum`, and who is connected. */

export interface Provider {
  request(asked: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: never) => void): void;
}

export interface FoundWallet {
  readonly info: { readonly name: string; readonly icon: string; readonly rdns: string };
  readonly provider: Provider;
}

export interface Connected {
  readonly provider: Provider;
  /** As the wallet writes it. */
  readonly address: string;
}

/** A chain as a wallet adds it (EIP-3085). */
export type AddedChain = Readonly<Record<string, unknown>>;

const found = new Map<string, FoundWallet>();
const KEPT = 'wallet';
let now: Connected | null = null;

/** Told of each change of who is connected. */
export const WALLET_CHANGED = 'wallet-changed';

export function connected(): Connected | null {
  return now;
}

/** The wallets of this browser. One that does not announce itself has no picture. */
export function wallets(): readonly FoundWallet[] {
  const { ethereum } = window as { ethereum?: Provider };
  if (found.size > 0 || ethereum === undefined) return [...found.values()];
  const info = { name: WALLET.unnamed, icon: '', rdns: 'window.ethereum' };
  return [{ info, provider: ethereum }];
}

function become(next: Connected | null, rdns = ''): void {
  const same = next?.address === now?.address && next?.provider === now?.provider;
  now = next;
  if (next === null) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, rdns);
  if (same) return;
  forgetSession(next?.address);
  dispatchEvent(new Event(WALLET_CHANGED));
}

/** Asks a wallet for its account. @throws what the wallet says when its owner refuses */
export async function connectTo({ provider, info }: FoundWallet): Promise<Connected> {
  const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  return use(provider, info.rdns, accounts);
}

function use(provider: Provider, rdns: string, accounts: readonly string[]): Connected {
  const [address] = accounts;
  if (address === undefined) throw new Error(WALLET.noAccount);
  provider.on?.('accountsChanged', (changed: readonly string[]) => {
    if (now?.provider !== provider) return;
    become(changed[0] === undefined ? null : { provider, address: changed[0] }, rdns);
  });
  const next = { provider, address };
  become(next, rdns);
  return next;
}

/** Asks the connected wallet again: its owner may have chosen another account in it. */
export async function askAgain(wallet: Connected): Promise<Connected> {
  const accounts = (await wallet.provider.request({ method: 'eth_requestAccounts' })) as string[];
  return use(wallet.provider, localStorage.getItem(KEPT) ?? '', accounts);
}

export function disconnect(): void {
  become(null);
}

/** Connects again to the wallet that was connected on an earlier page, without asking its owner. */
async function resume(): Promise<void> {
  const rdns = localStorage.getItem(KEPT);
  const known = wallets().find(({ info }) => info.rdns === rdns);
  if (rdns === null || known === undefined || now !== null) return;
  const accounts = (await known.provider.request({ method: 'eth_accounts' })) as string[];
  if (now === null && accounts.length > 0) use(known.provider, rdns, accounts);
}

addEventListener('eip6963:announceProvider', (event) => {
  const { detail } = event as CustomEvent<FoundWallet>;
  found.set(detail.info.rdns, detail);
  dispatchEvent(new Event('wallet-found'));
  resume().catch(() => {});
});
dispatchEvent(new Event('eip6963:requestProvider'));
resume().catch(() => {});

const toHex = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((b) => b.toString(16).padStart(2, '0')).join('')}`;

/** Signs words (EIP-191). */
export async function signText({ provider, address }: Connected, message: string): Promise<string> {
  return (await provider.request({ method: 'personal_sign', params: [toHex(message), address] })) as string;
}

/** Signs a document that a contract checks (EIP-712), on that contract's chain. @param typed the document as JSON */
export async function signDocument(
  { provider, address }: Connected,
  typed: string,
  chains: Readonly<Record<string, AddedChain>>,
): Promise<string> {
  const { domain } = JSON.parse(typed) as { domain: { chainId?: number | string } };
  if (domain.chainId !== undefined) await changeChain(provider, Number(domain.chainId), chains);
  return (await provider.request({ method: 'eth_signTypedData_v4', params: [address, typed] })) as string;
}

async function presentChain(provider: Provider): Promise<number | null> {
  try {
    return Number(await provider.request({ method: 'eth_chainId' }));
  } catch {
    return null;
  }
}

/** Asks the wallet to change to a chain, and to add it when it does not know it (EIP-3326, EIP-3085). */
export async function changeChain(
  provider: Provider,
  id: number,
  chains: Readonly<Record<string, AddedChain>>,
): Promise<void> {
  const at = await presentChain(provider);
  if (at === null || at === id) return;
  const params = [{ chainId: `0x${id.toString(16)}` }];
  const change = () => provider.request({ method: 'wallet_switchEthereumChain', params });
  try {
    await change();
  } catch (error) {
    if (!isUnknownChain(error)) throw error;
    const chain = chains[id];
    if (chain === undefined) throw new Error(WALLET.unknownChain(id));
    await provider.request({ method: 'wallet_addEthereumChain', params: [chain] });
  }
  const after = await presentChain(provider);
  if (after !== null && after !== id) await change();
}

interface WalletError {
  readonly code?: number;
  readonly data?: { readonly originalError?: { readonly code?: number } };
}

function isUnknownChain(error: unknown): boolean {
  const { code, data } = (error ?? {}) as WalletError;
  return code === 4902 || data?.originalError?.code === 4902;
}

/** What a wallet said when it refused, in a sentence; or why it was not asked. */
export function refusal(error: unknown, refusals?: Refusals): string {
  return error instanceof NotAsked ? error.message : refusalWords(error, refusals);
}
