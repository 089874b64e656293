import { CONNECT } from '../words/browser.ts';
import { toast } from './toast.ts';
import {
  type Connected,
  connected,
  connectTo,
  disconnect,
  type FoundWallet,
  refusal,
  WALLET_CHANGED,
  wallets,
} from './wallet.ts';

/** Who is connected; asks to connect when nobody is. Null when there is no wallet, or its owner refused. */
export async function requireWallet(): Promise<Connected | null> {
  const already = connected();
  if (already !== null) return already;
  const all = wallets();
  if (all.length === 0) {
    toast(CONNECT.none);
    return null;
  }
  const chosen = all.length === 1 ? all[0]! : await choose(all);
  if (chosen === null) return null;
  try {
    return await connectTo(chosen);
  } catch (error) {
    toast(refusal(error));
    return null;
  }
}

/** Asks which of several wallets to use (EIP-6963). */
function choose(all: readonly FoundWallet[]): Promise<FoundWallet | null> {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', CONNECT.choose);
  const title = Object.assign(document.createElement('h1'), { textContent: CONNECT.choose });
  const list = Object.assign(document.createElement('ul'), { className: 'wallets' });
  dialog.append(title, list);
  document.body.append(dialog);
  return new Promise((resolve) => {
    const answer = (wallet: FoundWallet | null) => {
      dialog.remove();
      resolve(wallet);
    };
    for (const wallet of all) {
      const button = Object.assign(document.createElement('button'), { className: 'second', type: 'button' });
      // A picture from anywhere but the wallet's own data could tell a stranger who looks.
      if (wallet.info.icon.startsWith('data:image/'))
        button.append(
          Object.assign(document.createElement('img'), {
            src: wallet.info.icon,
            alt: '',
            width: 32,
            height: 32,
          }),
        );
      button.append(wallet.info.name);
      button.addEventListener('click', () => answer(wallet));
      const item = document.createElement('li');
      item.append(button);
      list.append(item);
    }
    dialog.addEventListener('close', () => answer(null));
    dialog.showModal();
  });
}

/** `<connect-wallet>`: connects, shows who is connected, and ends it. */
class ConnectWallet extends HTMLElement {
  connectedCallback(): void {
    this.show();
    addEventListener(WALLET_CHANGED, () => this.show());
  }

  private show(): void {
    const now = connected();
    const button = document.createElement('button');
    button.type = 'button';
    button.className = now === null ? '' : 'second';
    button.textContent =
      now === null ? CONNECT.connect : `${now.address.slice(0, 6)}…${now.address.slice(-4)}`;
    if (now !== null) button.title = CONNECT.disconnect(now.address);
    button.addEventListener('click', () => (connected() === null ? void requireWallet() : disconnect()));
    this.replaceChildren(button);
  }
}
customElements.define('connect-wallet', ConnectWallet);
