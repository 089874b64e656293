import { TOOLS } from '../words/browser.ts';

/** `<run-example data-paths="/pricing …">`: asks a free route and shows the answer. */
class RunExample extends HTMLElement {
  connectedCallback(): void {
    const paths = (this.dataset.paths ?? '').split(' ');
    const acts = Object.assign(document.createElement('div'), { className: 'acts' });
    const shown = document.createElement('pre');
    shown.hidden = true;
    shown.tabIndex = 0;
    shown.setAttribute('role', 'region');
    shown.setAttribute('aria-label', TOOLS.answer);
    for (const path of paths) {
      const button = Object.assign(document.createElement('button'), { type: 'button', className: 'second' });
      button.textContent = `GET ${path}`;
      button.addEventListener('click', async () => {
        shown.hidden = false;
        shown.textContent = await answerOf(path).catch(() => TOOLS.unanswered);
      });
      acts.append(button);
    }
    this.replaceChildren(acts, shown);
  }
}
customElements.define('run-example', RunExample);

/** The status of the answer and its JSON, as a program gets it. */
async function answerOf(path: string): Promise<string> {
  const answer = await fetch(path, { headers: { accept: 'application/json' } });
  return `${answer.status}\n${JSON.stringify(await answer.json(), null, 2)}`;
}

const FIELDS = ['secret', 'id', 'timestamp', 'signature'] as const;

/** `<webhook-check>`: reckons the signature of a webhook (Standard Webhooks) in the browser. */
class WebhookCheck extends HTMLElement {
  connectedCallback(): void {
    const form = Object.assign(document.createElement('form'), { className: 'sheet' });
    for (const name of FIELDS)
      form.append(labelled(name, TOOLS.fields[name], document.createElement('input')));
    form.append(labelled('body', TOOLS.fields.body, document.createElement('textarea')));
    const button = Object.assign(document.createElement('button'), { textContent: TOOLS.check });
    const said = document.createElement('p');
    said.setAttribute('role', 'status');
    form.append(button, said);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const typed = Object.fromEntries([...new FormData(form)].map(([k, v]) => [k, String(v)]));
      const good = await holds(typed).catch(() => false);
      said.textContent = good ? TOOLS.holds : TOOLS.holdsNot;
    });
    this.replaceChildren(form);
  }
}
customElements.define('webhook-check', WebhookCheck);

function labelled(name: string, words: string, field: HTMLInputElement | HTMLTextAreaElement): HTMLElement {
  const place = Object.assign(document.createElement('div'), { className: 'field' });
  const label = Object.assign(document.createElement('label'), {
    htmlFor: `webhook-${name}`,
    textContent: words,
  });
  Object.assign(field, {
    id: `webhook-${name}`,
    name,
    required: true,
    className: 'code',
    autocomplete: 'off',
  });
  place.append(label, field);
  return place;
}

/** HMAC-SHA256 over `id.timestamp.body`, under the secret's bytes; one of the signatures must be it. */
async function holds({
  secret = '',
  id,
  timestamp,
  signature = '',
  body,
}: Record<string, string>): Promise<boolean> {
  const bytes = Uint8Array.from(atob(secret.trim().replace(/^whsec_/, '')), (c) => c.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const text = new TextEncoder().encode(`${id?.trim()}.${timestamp?.trim()}.${body}`);
  const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, text));
  const expected = btoa(String.fromCharCode(...made));
  return signature.trim().split(/\s+/).includes(`v1,${expected}`);
}
