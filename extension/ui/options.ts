import type { OwnMessage, Status } from '../background/main.ts';
import type { Settings } from '../background/settings.ts';

const form = document.getElementById('settings') as HTMLFormElement;
/** Until the settings are shown nothing can be chosen: they would take the place of the choice. */
const fields = document.getElementById('fields') as HTMLFieldSetElement;
const problem = document.getElementById('problem') as HTMLElement;
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;

async function send(message: OwnMessage): Promise<void> {
  const answer = await chrome.runtime.sendMessage<OwnMessage, Status | { error: string }>(message);
  problem.textContent = 'error' in answer ? answer.error : '';
  if (!('error' in answer)) show(answer);
  fields.disabled = false;
}

function show({ settings, lists, listFault, account, spentTodayMicro }: Status): void {
  field('service').value = settings.service;
  field('signer').value = settings.signer ?? '';
  field('onFlagged').value = settings.onFlagged;
  field('budget').value = `${Number(settings.dailyBudgetMicro) / 1_000_000}`;
  const rows: [string, string][] = [
    ['Own copy of the lists', lists],
    ['Last fetch', listFault === null ? 'taken' : `not taken: ${listFault}`],
    [
      'Account that pays for checks',
      `${account}. Send it USDC on a chain that the service takes; it holds cents, not savings.`,
    ],
    ['Paid today', `${Number(spentTodayMicro) / 1_000_000} dollars`],
  ];
  const place = document.getElementById('status') as HTMLElement;
  place.replaceChildren(
    ...rows.flatMap(([name, text]) => {
      const [term, description] = [document.createElement('dt'), document.createElement('dd')];
      [term.textContent, description.textContent] = [name, text];
      return [term, description];
    }),
  );
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const signer = field('signer').value.trim();
  const settings: Partial<Settings> = {
    service: field('service').value.trim(),
    signer: signer === '' ? null : (signer as Settings['signer']),
    onFlagged: field('onFlagged').value as Settings['onFlagged'],
    dailyBudgetMicro: String(Math.round(Number(field('budget').value) * 1_000_000)),
  };
  void send({ kind: 'change', settings });
});
void send({ kind: 'status' });
