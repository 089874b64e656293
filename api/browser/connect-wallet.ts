import { CONNECT } from '../words/browser.ts';
import { say } from './live.ts';
import { toast, toastRegion } from './toast.ts';
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
    const wallet = await connectTo(chosen);
    say(CONNECT.connected(wallet.address));
    return wallet;
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
  dialog.append(title, list, toastRegion());
  document.body.append(dialog);
  return new Promise((resolve) => {
    const answer = (wallet: FoundWallet | null) => {
      // Closed before it goes, it gives the focus back to where it was.
      dialog.close();
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
  /** One button for both: a new one would not have the focus that somebody pressed the first with. */
  private readonly button = Object.assign(document.createElement('button'), { type: 'button' });

  connectedCallback(): void {
    this.button.addEventListener('click', () => {
      if (connected() === null) return void requireWallet();
      disconnect();
      say(CONNECT.disconnected);
    });
    this.show();
    this.replaceChildren(this.button);
    addEventListener(WALLET_CHANGED, () => this.show());
  }

  private show(): void {
    const now = connected();
    this.button.className = now === null ? '' : 'second';
    this.button.textContent =
      now === null ? CONNECT.connect : `${now.address.slice(0, 6)}…${now.address.slice(-4)}`;
    this.button.title = now === null ? '' : CONNECT.disconnect(now.address);
  }
}
customElements.define('connect-wallet', ConnectWallet);
