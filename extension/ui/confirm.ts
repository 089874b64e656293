import type { View } from '../background/view.ts';
import type { Change } from '../reading/reading.ts';

/** A page cannot have its visitor press a button that was not there when they began to press. */
const UNREADY_MS = 700;

const place = document.getElementById('view') as HTMLElement;
const port = chrome.runtime.connect({ name: location.hash.slice(1) });
port.onMessage.addListener((view) => show(view as View));
port.onDisconnect.addListener(() => window.close());
// The browser ends a process of an extension that hears nothing for half a minute.
setInterval(() => port.postMessage('here'), 20_000);

function element(tag: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = className;
  return made;
}

function list(
  heading: string,
  items: readonly { readonly text: string; readonly className: string }[],
): HTMLElement[] {
  if (items.length === 0) return [];
  const all = document.createElement('ul');
  all.append(...items.map(({ text, className }) => element('li', text, className)));
  return [element('h2', heading), all];
}

const WAYS = {
  ...{ out: 'Leaves: ', in: 'Arrives: ', allow: 'Allowed from then on: ' },
  other: 'Leaves another account: ',
} as const;
const changeItem = ({ text, way }: Change) => ({ text: WAYS[way] + text, className: way });

function show(view: View): void {
  document.title = `Safe Handshake: ${view.title}`;
  const verdict = { 'NOT CHECKED': 'Not checked', CLEAN: 'Clean', FLAGGED: 'Malicious' }[view.verdict];
  place.replaceChildren(
    element('h1', view.title),
    element('p', view.host, 'host'),
    element('p', verdict, `verdict ${view.verdict.toLowerCase().replace(' ', '-')}`),
    ...list(
      'Why',
      view.findings.map(({ text, level }) => ({ text, className: level })),
    ),
    ...list('What happens', view.changes.map(changeItem)),
    ...list('What it says', view.read.map(changeItem)),
    ...(view.text === null ? [] : [element('h2', 'The text'), element('pre', view.text)]),
    ...list(
      'What was not checked',
      view.notChecked.map((text) => ({ text, className: 'not-checked' })),
    ),
    buttons(view),
  );
}

function buttons(view: View): HTMLElement {
  const row = document.createElement('p');
  const refuse = element('button', view.final ? 'Close' : 'Refuse') as HTMLButtonElement;
  refuse.addEventListener('click', () => window.close());
  row.append(refuse);
  if (!view.final) {
    const go = element('button', 'Go on to the wallet') as HTMLButtonElement;
    go.disabled = true;
    setTimeout(() => {
      go.disabled = false;
    }, UNREADY_MS);
    go.addEventListener('click', (event) => {
      if (!event.isTrusted) return;
      port.postMessage('go');
      window.close();
    });
    row.append(go);
  }
  return row;
}
