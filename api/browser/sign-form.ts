import { SIGNING } from '../words/browser.ts';
import { requireWallet } from './connect-wallet.ts';
import {
  type AddedChain,
  askAgain,
  type Connected,
  refusal,
  signDocument,
  signText,
  wallets,
} from './wallet.ts';

/**
 * `<sign-form>`: hands what is to be signed to the wallet, puts the signatures into the form, submits it once, and says
 * that the answer is being worked on. Without a wallet the form takes a signature that was made elsewhere.
 */
export class SignForm extends HTMLElement {
  /** Whether the wallet has filled in all signatures. */
  private signed = false;

  connectedCallback(): void {
    const form = this.querySelector('form');
    const button = this.querySelector<HTMLButtonElement>('.sign');
    if (form === null || button === null) return;
    const offer = () => {
      const has = wallets().length > 0;
      button.hidden = !has;
      const elsewhere = this.querySelector('details.elsewhere');
      if (!has) elsewhere?.setAttribute('open', '');
    };
    offer();
    addEventListener('wallet-found', offer);
    form.addEventListener('submit', () => this.wait(true));
    addEventListener('pageshow', (event) => event.persisted && this.wait(false));
    button.addEventListener('click', () => this.sign(form));
  }

  private say(words: string): void {
    const said = this.querySelector('[role=status]');
    if (said !== null) said.textContent = words;
  }

  /** Shows that the answer is worked on. */
  wait(waiting: boolean): void {
    const busy = this.querySelector('progress');
    if (busy !== null) busy.hidden = !waiting;
    for (const button of this.querySelectorAll('button')) button.disabled = waiting;
    this.say(waiting ? (this.dataset.waiting ?? '') : '');
  }

  /** The answer did not come: the form is there again, and sends what was signed as it is. */
  unanswered(words: string): void {
    this.wait(false);
    this.say(words);
  }

  private async sign(form: HTMLFormElement): Promise<void> {
    // Another signature of the same transfer is another payment to whoever compares them.
    if (this.signed) return form.requestSubmit();
    const owner = this.dataset.wallet ?? '';
    const chains = JSON.parse(this.dataset.chains ?? '{}') as Record<string, AddedChain>;
    this.say(SIGNING.waiting);
    try {
      const first = await requireWallet();
      if (first === null) return this.say('');
      const holds = ({ address }: Connected) => address.toLowerCase() === owner.toLowerCase();
      const wallet = holds(first) ? first : await askAgain(first);
      if (!holds(wallet)) return this.say(SIGNING.other(owner));
      for (const field of form.querySelectorAll('textarea')) {
        const { typed, message } = field.dataset;
        if (typed !== undefined) field.value = await signDocument(wallet, typed, chains);
        else if (message !== undefined) field.value = await signText(wallet, message);
      }
      this.signed = true;
      form.requestSubmit();
    } catch (error) {
      this.say(refusal(error));
    }
  }
}
customElements.define('sign-form', SignForm);
