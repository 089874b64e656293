/** Says something short at the edge of the page, and to a screen reader. */
export function toast(words: string): void {
  const place = toasts();
  const note = Object.assign(document.createElement('div'), { className: 'toast', textContent: words });
  place.append(note);
  setTimeout(() => note.remove(), 8_000);
}

function toasts(): HTMLElement {
  const there = document.querySelector<HTMLElement>('dialog[open] .toasts, body > .toasts');
  if (there !== null) return there;
  const place = Object.assign(document.createElement('div'), { className: 'toasts' });
  place.setAttribute('role', 'status');
  place.setAttribute('aria-live', 'polite');
  document.body.append(place);
  return place;
}
