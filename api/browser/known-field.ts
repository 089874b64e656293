import { KNOWN } from '../words/browser.ts';
import { connected, WALLET_CHANGED } from './wallet.ts';

/** What this page filled in by itself: for another account, another value takes its place. */
const filled = new WeakMap<HTMLInputElement, string>();
/** The fields in whose places the choices of agents stand. */
const fieldOf = new WeakMap<HTMLSelectElement, HTMLInputElement>();

/**
 * Fields that the page can fill in by itself: `data-know="wallet"` is the connected wallet, and `data-know="agent"` one
 * of its agents. Nobody types what the page knows; whoever wants another value may still write it.
 */
export function fillKnown(root: ParentNode): void {
  const address = connected()?.address ?? '';
  for (const field of root.querySelectorAll<HTMLInputElement>('input[data-know=wallet]')) {
    // A form that is shown once more brings what was filled in before.
    const isConnected = field.value.toLowerCase() === address.toLowerCase();
    if (field.value !== '' && !isConnected && field.value !== filled.get(field)) continue;
    field.value = address;
    filled.set(field, address);
  }
  if (address === '') return;
  for (const field of root.querySelectorAll<HTMLInputElement>('input[data-know=agent]'))
    void offerAgents(field, address);
}

/** The agents of the account before are no choice for another. */
function takeBackChoices(): void {
  for (const choice of document.querySelectorAll<HTMLSelectElement>('select[data-know=agent]')) {
    const field = fieldOf.get(choice);
    if (field !== undefined) choice.replaceWith(field);
  }
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
  if (mine.length === 0 || !isMine || !field.isConnected || connected()?.address !== wallet) return;
  const choice = document.createElement('select');
  for (const name of ['id', 'name', 'data-know', 'aria-describedby', 'aria-invalid']) {
    const value = field.getAttribute(name);
    if (value !== null) choice.setAttribute(name, value);
  }
  if (!field.required) choice.append(new Option(KNOWN.none, ''));
  for (const { handle } of mine) {
    const isSaid = handle === field.value;
    choice.append(new Option(handle, handle, isSaid, isSaid));
  }
  fieldOf.set(choice, field);
  field.replaceWith(choice);
}

addEventListener(WALLET_CHANGED, () => {
  takeBackChoices();
  fillKnown(document);
});
