import { TRANSACTION } from '../words/browser.ts';
import { requireWallet } from './connect-wallet.ts';
import { refreshPage } from './live.ts';
import { toast } from './toast.ts';
import { type AddedChain, changeChain, refusal } from './wallet.ts';

/**
 * `<wallet-act kind="fund" …>`: has the wallet send one transaction about an agent's account. It says in a sentence what
 * the wallet is about to ask, waits for the chain, and shows what changed.
 */
class WalletAct extends HTMLElement {
  connectedCallback(): void {
    this.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.act(event.currentTarget as HTMLFormElement);
    });
  }

  private say(words: string): void {
    const said = this.querySelector('[role=status]');
    if (said !== null) said.textContent = words;
  }

  /** What was deposited or approved can be listed next, and the page knows which thing it is. */
  private offerToSell(kind: string, contract: string, tokenId: string): void {
    if (kind !== 'deposit' && kind !== 'approve') return;
    const gate = kind === 'deposit' ? 'deposit' : 'owner-signed';
    const handle = this.getAttribute('handle') ?? '';
    const link = document.createElement('a');
    link.className = 'button';
    link.textContent = TRANSACTION.sell;
    link.href = `/desk/list?${new URLSearchParams({ handle, contract, tokenId, gate })}`;
    this.querySelector('[role=status]')?.append(' ', link);
  }

  private async act(form: HTMLFormElement): Promise<void> {
    const wallet = await requireWallet();
    if (wallet === null) return;
    const button = form.querySelector('button');
    if (button !== null) button.disabled = true;
    try {
      const { settled, transactionOf } = await import('./transactions.ts');
      const field = (name: string) => new FormData(form).get(name)?.toString().trim() ?? '';
      const kind = this.getAttribute('kind') ?? '';
      const about = (name: string) => this.getAttribute(name) ?? '';
      const { says, to, data } = transactionOf(
        {
          kind,
          amount: field(kind),
          contract: field(`${kind}-contract`),
          tokenId: field(`${kind}-tokenId`),
        },
        {
          wallet: wallet.address,
          account: about('account'),
          token: about('token'),
          settlement: about('settlement'),
          handle: about('handle'),
        },
      );
      this.say(TRANSACTION.asked(says));
      const chains = JSON.parse(this.dataset.chains ?? '{}') as Record<string, AddedChain>;
      await changeChain(wallet.provider, Number(about('chain')), chains);
      const params = [{ from: wallet.address, to, data }];
      const hash = (await wallet.provider.request({ method: 'eth_sendTransaction', params })) as string;
      this.say(TRANSACTION.sent);
      const good = await settled(wallet.provider, hash);
      this.say(good ? TRANSACTION.done(says) : TRANSACTION.refused);
      if (good) {
        toast(TRANSACTION.settled);
        this.offerToSell(kind, field(`${kind}-contract`), field(`${kind}-tokenId`));
      }
      void refreshPage();
    } catch (error) {
      this.say(refusal(error));
    } finally {
      if (button !== null) button.disabled = false;
    }
  }
}
customElements.define('wallet-act', WalletAct);
