import { LIVE } from '../words/browser.ts';
import { fillKnown } from './known-field.ts';

/** Told when somebody has ended an act in a dialog. */
export const ACT_ENDED = 'act-ended';

/** Told at a live part of the page that was replaced by a newer one. */
export const PART_REPLACED = 'part-replaced';

/**
 * Parts of a page that are marked `data-live` follow what becomes public. One stream of events says that something
 * changed; the page is then asked for again, and only the parts that differ are replaced and told to a screen reader.
 */
const parts = () => [...document.querySelectorAll<HTMLElement>('[data-live]')];

/** Asks for this page again and replaces what changed. @returns how many parts changed */
export async function refreshPage(): Promise<number> {
  if (parts().length === 0) return 0;
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return 0;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const changed = parts().filter((part) => replaced(part, next));
  const words = changed.map((part) => part.dataset.live).filter(Boolean);
  if (words.length > 0) say(LIVE.changed(words.join(', ')));
  return changed.length;
}

/** Changes within this time are shown together. */
const TOGETHER_MS = 300;
const shownOf = new WeakMap<Element, string>();

function replaced(part: HTMLElement, next: Document): boolean {
  const fresh = part.id === '' ? null : next.getElementById(part.id);
  if (fresh === null || isInUse(part)) return false;
  // Elements add to what the server sent, so what was sent is compared, not what is shown.
  const before = shownOf.get(part);
  const after = told(fresh);
  shownOf.set(part, after);
  if (before === undefined || before === after) return false;
  part.replaceChildren(...document.importNode(fresh, true).childNodes);
  fillKnown(part);
  part.classList.remove('changed');
  void part.offsetWidth;
  part.classList.add('changed');
  part.dispatchEvent(new Event(PART_REPLACED, { bubbles: true }));
  return true;
}

/** Whether somebody is at this part, or has filled in, ticked or chosen something there. */
export function isInUse(part: HTMLElement): boolean {
  const fields = [...part.querySelectorAll('input, textarea')] as HTMLInputElement[];
  const isChanged = (f: HTMLInputElement) => f.value !== f.defaultValue || f.checked !== f.defaultChecked;
  return (
    part.contains(document.activeElement) ||
    fields.some((f) => !f.dataset.know && isChanged(f)) ||
    [...part.querySelectorAll('select')].some(isChosen)
  );
}

/** Whether it stands at another option than it began with: the one that is marked, or else the first. */
function isChosen({ options, selectedIndex }: HTMLSelectElement): boolean {
  return (
    selectedIndex !==
    Math.max(
      0,
      [...options].findIndex((o) => o.defaultSelected),
    )
  );
}

/** What a part says, whatever the time is. */
export function told(part: Element): string {
  return part.innerHTML.replace(/(<time[^>]*>)[^<]*/g, '$1');
}

const SAID_MS = 8_000;

/**
 * Tells a screen reader, and nobody else. The place for it is in every page from the start: one that is only made with the
 * words is not read out.
 */
export function say(words: string): void {
  const said = Object.assign(document.createElement('p'), { textContent: words });
  document.getElementById('live-words')?.append(said);
  setTimeout(() => said.remove(), SAID_MS);
}

/** Listens while the page has live parts. Changes that come together are shown together. */
export function followEvents(): void {
  if (parts().length === 0) return;
  const only = document.querySelector<HTMLElement>('[data-events]')?.dataset.events ?? '';
  const stream = new EventSource(`/events${only === '' ? '' : `?${only}`}`);
  let due = false;
  const soon = () => {
    if (due) return;
    due = true;
    setTimeout(() => {
      due = false;
      refreshPage().catch(() => 0);
    }, TOGETHER_MS);
  };
  for (const kind of ['match', 'close-call', 'listing', 'order-book', 'activity', 'reset'])
    stream.addEventListener(kind, soon);
  addEventListener('pagehide', () => stream.close());
}

// This runs before the elements of the page add anything to its parts.
for (const part of parts()) shownOf.set(part, told(part));
