/** Says something short at the edge of the page, and to a screen reader. */
export function toast(words: string): void {
  const place = toasts();
  const note = Object.assign(document.createElement('div'), { className: 'toast', textContent: words });
  place.append(note);
  setTimeout(() => note.remove(), 8_000);
}

function toasts(): HTMLElement {
  // What stands behind a dialog is neither seen nor read out.
  const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const there = front.querySelector<HTMLElement>(':scope > .toasts');
  if (there !== null) return there;
  const place = Object.assign(document.createElement('div'), { className: 'toasts' });
  place.setAttribute('role', 'status');
  place.setAttribute('aria-live', 'polite');
  front.append(place);
  return place;
}
