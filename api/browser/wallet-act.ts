import { TRANSACTION } from '../words/browser.ts';
import { requireWallet } from './connect-wallet.ts';
import { refreshPage } from './live.ts';
import type { Refusals } from './refusal-words.ts';
import { toast } from './toast.ts';
import { type AddedChain, changeChain, refusal, wallets } from './wallet.ts';

/** What the wallet has sent. */
interface Sent {
  readonly says: string;
  readonly kind: string;
  readonly contract: string;
  readonly tokenId: string;
  readonly hash: string;
  /** Resolves once the chain says what became of it, or with null. */
  readonly outcome: () => Promise<boolean | null>;
}

/**
 * `<wallet-act kind="fund" …>`: has the wallet send one transaction about an agent's account. It says in a sentence what
 * the wallet is about to ask, waits for the chain, and shows what changed.
 */
class WalletAct extends HTMLElement {
  connectedCallback(): void {
    this.querySelector('form')?.addEventListener('submit', (event) => {
      // The form leads to what a wallet elsewhere sends.
      if (wallets().length === 0) return;
      event.preventDefault();
      void this.act(event.currentTarget as HTMLFormElement);
    });
  }

  private say(words: string): void {
    const said = this.querySelector('[role=status]');
    if (said !== null) said.textContent = words;
  }

  /** What the contracts say that these acts call. */
  private refusals(): Refusals {
    const all = this.closest<HTMLElement>('[data-refusals]')?.dataset.refusals;
    return JSON.parse(all ?? '{}') as Refusals;
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
    const button = form.querySelector('button');
    const off = (is: boolean) => {
      if (button !== null) button.disabled = is;
    };
    off(true);
    let sent: Sent | null;
    try {
      sent = await this.send(form);
    } catch (error) {
      this.say(refusal(error, this.refusals()));
      sent = null;
    }
    // Once the wallet has sent it nothing tells that it did not: whoever sends it twice pays twice.
    const outcome = sent === null ? false : await this.follow(sent);
    if (outcome !== null) off(false);
  }

  /** Has the wallet send it. Null where there is no wallet. @throws what the wallet says when it sends nothing */
  private async send(form: HTMLFormElement): Promise<Sent | null> {
    const wallet = await requireWallet();
    if (wallet === null) return null;
    const { settled, transactionOf } = await import('./transactions.ts');
    const field = (name: string) => new FormData(form).get(name)?.toString().trim() ?? '';
    const kind = this.getAttribute('kind') ?? '';
    const about = (name: string) => this.getAttribute(name) ?? '';
    const [contract, tokenId] = [field('contract'), field('tokenId')];
    const { says, to, data } = transactionOf(
      { kind, amount: field('amountUsd'), contract, tokenId },
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
    return { says, kind, contract, tokenId, hash, outcome: () => settled(wallet.provider, hash) };
  }

  /** Waits for the chain, and says what it says. @returns null where it says nothing */
  private async follow({ says, kind, contract, tokenId, hash, outcome }: Sent): Promise<boolean | null> {
    this.say(TRANSACTION.sent(hash));
    const good = await outcome();
    this.say(good === null ? TRANSACTION.unseen(hash) : good ? TRANSACTION.done(says) : TRANSACTION.refused);
    if (good) {
      toast(TRANSACTION.settled);
      this.offerToSell(kind, contract, tokenId);
    }
    refreshPage().catch(() => 0);
    return good;
  }
}
customElements.define('wallet-act', WalletAct);
