/** Says something short at the edge of the page, and to a screen reader. */
export function toast(words: string): void {
  // What stands behind a dialog is neither seen nor read out.
  const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const note = Object.assign(document.createElement('div'), { className: 'toast', textContent: words });
  front.querySelector(':scope > .toasts')?.append(note);
  setTimeout(() => note.remove(), 8_000);
}

/**
 * Where a dialog is told something. Pages have theirs from the start, and a dialog must have it when it opens: one that is
 * only made with the words is not read out.
 */
export function toastRegion(): HTMLElement {
  const place = Object.assign(document.createElement('div'), { className: 'toasts' });
  place.setAttribute('role', 'status');
  place.setAttribute('aria-live', 'polite');
  return place;
}
