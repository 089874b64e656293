import { requireWallet } from './connect-wallet.ts';
import { connected, refusal, signText, WALLET_CHANGED } from './wallet.ts';

/** A read session of a wallet. It lives as long as the tab, and ends by itself. */
interface Session {
  readonly wallet: string;
  readonly token: string;
  readonly expiresAt: string;
}

const KEPT = 'read-session';

function kept(wallet: string): Session | null {
  const session = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Session | null;
  const good = session?.wallet === wallet && Date.parse(session.expiresAt) > Date.now();
  return good ? session : null;
}

/** Opens a session: one signature, ten minutes, reading alone. */
async function open(wallet: string): Promise<Session | null> {
  const now = await requireWallet();
  if (now === null) return null;
  if (now.address.toLowerCase() !== wallet.toLowerCase()) throw new Error(`choose ${wallet} in it`);
  const post = (headers: Record<string, string>) =>
    fetch('/read-sessions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify({ wallet }),
    });
  const { sign } = (await (await post({})).json()) as { sign: { message: string; nonce: string } };
  const signature = await signText(now, sign.message);
  const answer = await post({ authorization: `EIP191 nonce="${sign.nonce}", signature="${signature}"` });
  if (!answer.ok) throw new Error(((await answer.json()) as { detail: string }).detail);
  const session = { wallet, ...((await answer.json()) as Omit<Session, 'wallet'>) };
  sessionStorage.setItem(KEPT, JSON.stringify(session));
  return session;
}

/**
 * `<owner-dashboard wallet="0x…">`: shows what is the wallet's own after one signature, and again whenever it changes.
 * Without a wallet it leads to the dashboard of the wallet that is connected.
 */
class OwnerDashboard extends HTMLElement {
  private readonly place = document.createElement('div');

  connectedCallback(): void {
    const wallet = this.getAttribute('wallet');
    if (wallet === null) {
      this.goToConnected();
      addEventListener(WALLET_CHANGED, () => this.goToConnected());
      return;
    }
    this.replaceChildren(this.place);
    const session = kept(wallet);
    if (session === null) this.offer(wallet);
    else void this.show(session);
  }

  private goToConnected(): void {
    const now = connected();
    if (now !== null) location.replace(`/dashboard?wallet=${now.address}`);
  }

  private offer(wallet: string, words = ''): void {
    const button = Object.assign(document.createElement('button'), { type: 'button' });
    button.textContent = 'Sign once to read what is yours';
    const said = Object.assign(document.createElement('p'), { className: 'soft' });
    said.setAttribute('role', 'status');
    said.textContent =
      words ||
      'Deals with their findings, orders and earnings, for ten minutes. It lets nobody change anything.';
    button.addEventListener('click', async () => {
      try {
        const session = await open(wallet);
        if (session === null) return;
        await this.show(session);
        this.scrollIntoView();
      } catch (error) {
        said.textContent = refusal(error);
      }
    });
    this.place.replaceChildren(button, said);
  }

  private async show(session: Session): Promise<void> {
    const answer = await fetch(`/dashboard/own?wallet=${session.wallet}`, {
      headers: { authorization: `ReadSession ${session.token}`, accept: 'text/html' },
    });
    if (!answer.ok) {
      sessionStorage.removeItem(KEPT);
      this.offer(session.wallet, 'The session is over.');
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const main = page.querySelector('main');
    if (main === null) return;
    main.querySelector('h1')?.remove();
    this.place.replaceChildren(...document.importNode(main, true).childNodes);
  }
}
customElements.define('owner-dashboard', OwnerDashboard);
