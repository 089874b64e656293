import { PROOF } from '../words/browser.ts';

/** `<record-proof record="rec_…">`: checks the record in the browser itself, and says each step. */
class RecordProof extends HTMLElement {
  connectedCallback(): void {
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'second',
      textContent: PROOF.check,
    });
    const list = Object.assign(document.createElement('ul'), { className: 'proof-steps' });
    list.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      button.disabled = true;
      list.replaceChildren();
      try {
        const { proveRecord } = await import('./prove-record.ts');
        for (const { says, ok } of await proveRecord(this.getAttribute('record') ?? ''))
          list.append(step(says, ok));
      } catch (error) {
        list.append(step(PROOF.failed(String((error as Error).message)), null));
      }
      button.disabled = false;
    });
    this.replaceChildren(button, list);
  }
}

function step(says: string, ok: boolean | null): HTMLElement {
  const item = document.createElement('li');
  const badge = document.createElement('span');
  badge.className = `badge ${ok === null ? 'unverified' : ok ? 'clean' : 'flagged'}`;
  badge.textContent = ok === null ? PROOF.results.open : ok ? PROOF.results.holds : PROOF.results.holdsNot;
  item.append(badge, ` ${says}`);
  return item;
}
customElements.define('record-proof', RecordProof);
