import { COPY } from '../words/browser.ts';
import { fromNow } from './from-now.ts';
import { toast } from './toast.ts';

/** `<address-chip value="0x…">`: adds a button that copies the whole value. The value itself is in the page. */
class AddressChip extends HTMLElement {
  connectedCallback(): void {
    if (this.querySelector('button') !== null) return;
    const value = this.getAttribute('value') ?? '';
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      textContent: COPY.copy,
    });
    button.setAttribute('aria-label', COPY.copyOf(value));
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(value);
      toast(COPY.copied);
    });
    this.append(button);
  }
}
customElements.define('address-chip', AddressChip);

const EACH_MS = 30_000;

/** Keeps the times on the page told from now. The server has told them so at first. */
setInterval(() => {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[title]')) {
    const words = fromNow(time.dateTime, Date.now());
    if (words !== null && words !== time.textContent) time.textContent = words;
  }
}, EACH_MS);
