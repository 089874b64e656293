import { toast } from './toast.ts';

/** `<address-chip value="0x…">`: adds a button that copies the whole value. The value itself is in the page. */
class AddressChip extends HTMLElement {
  connectedCallback(): void {
    if (this.querySelector('button') !== null) return;
    const value = this.getAttribute('value') ?? '';
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' });
    button.setAttribute('aria-label', `Copy ${value}`);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(value);
      toast('Copied.');
    });
    this.append(button);
  }
}
customElements.define('address-chip', AddressChip);

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "3 minutes ago", or the day where it lies further back than a month. */
function fromNow(iso: string): string | null {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  if (Number.isNaN(seconds) || Math.abs(seconds) > 31 * 86_400) return null;
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? STEPS[3];
  return relative.format(Math.round(seconds / size), unit);
}

/** Writes times that lie near as distances from now. The exact time stays in the tooltip. */
export function relativeTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    const words = fromNow(time.dateTime);
    if (words === null) continue;
    if (time.title === '') time.title = time.textContent ?? '';
    time.textContent = words;
  }
}
