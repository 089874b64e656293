import { SEEN } from '../words/browser.ts';

/**
 * `<since-seen wallet="0x…">`: marks what came after this browser last left the page of that wallet, and says how much
 * that is. The time is kept in this browser alone.
 */
class SinceSeen extends HTMLElement {
  connectedCallback(): void {
    const key = `seen:${(this.getAttribute('wallet') ?? '').toLowerCase()}`;
    const last = localStorage.getItem(key);
    addEventListener('pagehide', () => localStorage.setItem(key, new Date().toISOString()), { once: true });
    if (last === null) return;
    const rows = [...this.querySelectorAll('li')].filter(
      (row) => (row.querySelector('time')?.dateTime ?? '') > last,
    );
    for (const row of rows) row.classList.add('fresh');
    const said = this.querySelector('[role=status]');
    if (said === null) return;
    said.textContent = SEEN.count(rows.length);
  }
}
customElements.define('since-seen', SinceSeen);
