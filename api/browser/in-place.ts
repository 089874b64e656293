import { IN_PLACE } from '../words/browser.ts';
import { requireWallet } from './connect-wallet.ts';
import { fillKnown } from './known-field.ts';
import { ACT_ENDED, refreshPage } from './live.ts';
import type { SignForm } from './sign-form.ts';
import { toast, toastRegion } from './toast.ts';
import { wallets } from './wallet.ts';

/**
 * Acts of an owner open where they are needed: the page of an act is shown in a dialog, or in a part of the page that
 * is marked `data-in-place`, and its forms are answered there. Without script each is a page of its own.
 */
const DESK = '/desk/';
/** Marks a place while an answer is under way there that is paid for: it must not be lost. */
const PAYING = 'data-paying';
let places = 0;

function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
  if (link === null || !isPlain(event) || !link.getAttribute('href')?.startsWith(DESK)) return;
  if (location.pathname.startsWith(DESK)) return;
  event.preventDefault();
  const place = link.closest<HTMLElement>(`dialog [data-in-place]:not([${PAYING}])`) ?? openDialog();
  void follow(place, link.href);
});

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  const path = form.getAttribute('action') ?? '';
  if (!path.startsWith(DESK)) return;
  // A page of its own is left by its forms, but for one that pays: if its answer is lost, what was signed must be here.
  const own = location.pathname.startsWith(DESK) ? document.querySelector('main') : null;
  if (own !== null && form.querySelector('input[name=payment]') === null) return;
  if (unknownWallet(form) !== null && wallets().length === 0) {
    // Only a wallet could fill it in here. The page of the act asks for it, and takes a signature made elsewhere.
    form.method = 'get';
    return;
  }
  const place = own ?? form.closest<HTMLElement>('[data-in-place]');
  event.preventDefault();
  void send(form, place ?? openDialog(), (event as SubmitEvent).submitter);
});

/** The field of the visitor's wallet that nobody sees, while nothing stands in it. */
function unknownWallet(form: HTMLFormElement): HTMLInputElement | null {
  const field = form.querySelector<HTMLInputElement>('input[data-know=wallet][type=hidden]');
  return field?.value === '' ? field : null;
}

async function follow(place: HTMLElement, url: string): Promise<void> {
  if (!(await load(place, url))) toast(IN_PLACE.unanswered);
}

/** Says whether an answer is under way in a place that is paid for. While one is, the browser asks before the page is left. */
function setPaying(place: HTMLElement, isPaying: boolean): void {
  place.toggleAttribute(PAYING, isPaying);
  // Browsers keep no page for the way back that listens to this all the time.
  if (document.querySelector(`[${PAYING}]`) === null) removeEventListener('beforeunload', holdBack);
  else addEventListener('beforeunload', holdBack);
}

function holdBack(event: Event): void {
  event.preventDefault();
  toast(IN_PLACE.paying);
}

/** Sends a form, and shows the answer in its place. What the wallet knows is asked of the wallet first. */
async function send(
  form: HTMLFormElement,
  place: HTMLElement,
  submitter: HTMLElement | null = null,
): Promise<void> {
  // Pressed twice, it is still one question.
  if (place.hasAttribute(PAYING)) return;
  if (unknownWallet(form) !== null) {
    if ((await requireWallet()) === null) return;
    fillKnown(form);
  }
  const body = new URLSearchParams();
  // Boxes of one name that are ticked are one field, of several codes.
  for (const [name, value] of new FormData(form, submitter)) {
    const before = body.get(name);
    body.set(name, before === null ? String(value) : `${before} ${value}`);
  }
  const paid = body.has('payment');
  setPaying(place, paid);
  const answered = await load(place, form.getAttribute('action') ?? '', { method: 'POST', body });
  setPaying(place, false);
  if (answered) return;
  // The form stays, with what was signed: the same payment once more gets the answer, and is charged once.
  const words = paid ? IN_PLACE.kept : IN_PLACE.unanswered;
  toast(words);
  form.closest<SignForm>('sign-form')?.unanswered(words);
}

function openDialog(): HTMLElement {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', IN_PLACE.dialog);
  const shut = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'bare shut',
    textContent: IN_PLACE.close,
  });
  const place = document.createElement('div');
  place.dataset.inPlace = '';
  dialog.append(shut, place, toastRegion());
  document.body.append(dialog);
  const isPaying = () => place.hasAttribute(PAYING);
  shut.addEventListener('click', () => (isPaying() ? toast(IN_PLACE.paying) : dialog.close()));
  dialog.addEventListener('cancel', (event) => {
    if (!isPaying()) return;
    event.preventDefault();
    toast(IN_PLACE.paying);
  });
  dialog.addEventListener('close', () => {
    // Browsers let a page prevent this once, and close the dialog when somebody asks again.
    if (isPaying()) return dialog.showModal();
    dialog.remove();
    void refreshPage();
    dispatchEvent(new Event(ACT_ENDED));
  });
  dialog.showModal();
  return place;
}

/**
 * Asks for a page and shows its content in the place. A page that is no act, such as a checkout, is gone to.
 * @returns false where no answer came, and the place is as it was
 */
async function load(place: HTMLElement, url: string, sent: RequestInit = {}): Promise<boolean> {
  place.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(url, { ...sent, headers: { accept: 'text/html' } });
    if (answer.redirected && !new URL(answer.url).pathname.startsWith(DESK)) {
      setPaying(place, false);
      location.assign(answer.url);
      return true;
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const main = page.querySelector('main');
    if (main === null || (place.hasAttribute(PAYING) && isHeldUp(answer, main))) return false;
    show(place, main);
    return true;
  } catch {
    return false;
  } finally {
    place.removeAttribute('aria-busy');
  }
}

/** Whether it says that there is no answer now, and does not carry the payment by which to ask again. */
function isHeldUp({ status }: Response, main: Element): boolean {
  return (status === 429 || status >= 500) && main.querySelector('input[name=payment]') === null;
}

function show(place: HTMLElement, main: Element): void {
  const content = document.importNode(main, true);
  renameIds(content, `at${++places}-`);
  place.replaceChildren(...content.childNodes);
  fillKnown(place);
  const head = place.querySelector<HTMLElement>('h1');
  head?.setAttribute('tabindex', '-1');
  head?.focus();
}

/** Two forms may stand on one page: ids of the second are made its own, and what refers to them. */
function renameIds(root: Element, prefix: string): void {
  for (const element of root.querySelectorAll('[id]')) element.id = prefix + element.id;
  for (const name of ['for', 'aria-describedby', 'aria-labelledby']) {
    for (const element of root.querySelectorAll(`[${name}]`)) {
      const ids = element.getAttribute(name)?.split(' ') ?? [];
      element.setAttribute(name, ids.map((id) => prefix + id).join(' '));
    }
  }
  for (const link of root.querySelectorAll('a[href^="#"]'))
    link.setAttribute('href', `#${prefix}${link.getAttribute('href')?.slice(1)}`);
}
