import { KNOWN } from '../words/browser.ts';
import { connected, WALLET_CHANGED } from './wallet.ts';

/**
 * Fields that the page can fill in by itself: `data-know="wallet"` is the connected wallet, and `data-know="agent"` one
 * of its agents. Nobody types what the page knows; whoever wants another value may still write it.
 */
export function fillKnown(root: ParentNode): void {
  const wallet = connected();
  if (wallet === null) return;
  for (const field of root.querySelectorAll<HTMLInputElement>('input[data-know=wallet]'))
    if (field.value === '') field.value = wallet.address;
  for (const field of root.querySelectorAll<HTMLInputElement>('input[data-know=agent]'))
    void offerAgents(field, wallet.address);
}

interface Agent {
  readonly handle: string;
  readonly status: string;
}

/** The agents of a wallet: those that act first, and of each kind the newest. */
async function agentsOf(wallet: string): Promise<readonly Agent[]> {
  const answer = await fetch(`/agents/directory?owner=${wallet}&limit=100`, {
    headers: { accept: 'application/json' },
  });
  if (!answer.ok) return [];
  const { items } = (await answer.json()) as { items: Agent[] };
  const rank = ({ status }: Agent) => (status === 'active' ? 0 : 1);
  return items.sort((a, b) => rank(a) - rank(b));
}

/** Replaces the field by a choice of the agents that the wallet owns. What may be left out is left out unless chosen. */
async function offerAgents(field: HTMLInputElement, wallet: string): Promise<void> {
  const mine = await agentsOf(wallet);
  const isMine = field.value === '' || mine.some(({ handle }) => handle === field.value);
  if (mine.length === 0 || !isMine || !field.isConnected) return;
  const choice = document.createElement('select');
  for (const name of ['id', 'name', 'aria-describedby', 'aria-invalid']) {
    const value = field.getAttribute(name);
    if (value !== null) choice.setAttribute(name, value);
  }
  if (!field.required) choice.append(new Option(KNOWN.none, ''));
  for (const { handle } of mine) {
    const isSaid = handle === field.value;
    choice.append(new Option(handle, handle, isSaid, isSaid));
  }
  field.replaceWith(choice);
}

addEventListener(WALLET_CHANGED, () => fillKnown(document));
