import { connected, WALLET_CHANGED } from './wallet.ts';

/** The fields of a new agent, and the page that comes once its checkout exists. */
const FORM = 'form[action="/agents/new"].sheet';
/** Not its owner: the page fills in whose wallet is connected then. */
const FIELDS = ['mandate', 'handle', 'tier', 'depth'] as const;
const KEPT = 'new-agent';
const CHECKOUT = '/agent/checkout/';

type Draft = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

/**
 * Keeps what is written of a new agent in this tab until its checkout exists, and puts it back into the empty form: a
 * reload, or the way back from a page of the payment, would empty it.
 */
export function keepDraft(): void {
  if (location.pathname.startsWith(CHECKOUT)) sessionStorage.removeItem(KEPT);
  const form = document.querySelector<HTMLFormElement>(FORM);
  if (form === null) return;
  const data = new FormData(form);
  if (!data.get('mandate') && !data.get('handle')) putBack(form);
  form.addEventListener('input', () => {
    const now = new FormData(form);
    const draft = Object.fromEntries(FIELDS.map((name) => [name, now.get(name) ?? '']));
    sessionStorage.setItem(KEPT, JSON.stringify(draft));
  });
}

let before = connected()?.address;
// What one wrote is not the next one's to read.
addEventListener(WALLET_CHANGED, () => {
  if (before !== undefined) sessionStorage.removeItem(KEPT);
  before = connected()?.address;
});

function putBack(form: HTMLFormElement): void {
  const draft = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as Draft;
  for (const name of FIELDS) {
    const field = form.elements.namedItem(name);
    const value = draft[name];
    if (field !== null && value !== undefined && value !== '') (field as HTMLInputElement).value = value;
  }
}
