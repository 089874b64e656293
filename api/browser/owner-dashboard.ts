import { SESSION } from '../words/browser.ts';
import { requireWallet } from './connect-wallet.ts';
import { ACT_ENDED, isInUse, PART_REPLACED, say, told } from './live.ts';
import { NotAsked } from './not-asked.ts';
import { forgetSession, keepSession, keptSession, type Session } from './read-session.ts';
import { connected, refusal, signText, WALLET_CHANGED } from './wallet.ts';

/** The part of the page that tells how many deals wait. */
const WAITS = 'waits';
const QUEUE = '.queue';

/** What waits for a decision, whatever the time and the block are; null where nothing is shown. */
function queueOf(main: HTMLElement | null): string | null {
  if (main === null) return null;
  const queue = main.querySelector(QUEUE);
  return queue === null ? '' : told(queue);
}

/** Opens a session: one signature, ten minutes, reading alone. */
async function open(wallet: string): Promise<Session | null> {
  const now = await requireWallet();
  if (now === null) return null;
  if (now.address.toLowerCase() !== wallet.toLowerCase()) throw new Error(SESSION.other(wallet));
  const post = (headers: Record<string, string>) =>
    fetch('/read-sessions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify({ wallet }),
    }).catch(() => {
      throw new NotAsked(SESSION.unanswered);
    });
  const { sign, ...rest }: Asked = await bodyOf(await post({}));
  if (sign === undefined) throw refused(rest);
  const signature = await signText(now, sign.message);
  const answer = await post({ authorization: `EIP191 nonce="${sign.nonce}", signature="${signature}"` });
  if (!answer.ok) throw refused(await bodyOf(answer));
  const { token, expiresAt } = (await answer.json()) as Omit<Session, 'wallet'>;
  // The browser's clock may be wrong: what is left of the session counts from the service's own.
  const left = Date.parse(expiresAt) - Date.parse(answer.headers.get('date') ?? new Date().toISOString());
  const session = { wallet, token, expiresAt: new Date(Date.now() + left).toISOString() };
  keepSession(session);
  return session;
}

/** What the service wants signed, or why it opens no session. */
interface Asked {
  readonly sign?: { readonly message: string; readonly nonce: string };
  readonly detail?: string;
}

/** What an answer says; nothing where something before the service answered in its place. */
async function bodyOf(answer: Response): Promise<Asked> {
  return await answer.json().catch(() => ({}));
}

/** What the service says of its refusal: the wallet has no part in that. */
function refused({ detail }: Pick<Asked, 'detail'>): NotAsked {
  return new NotAsked(detail ?? SESSION.unanswered);
}

/**
 * `<owner-dashboard wallet="0x…">`: shows what is the wallet's own after one signature, and again whenever it changes.
 * Without a wallet it leads to the dashboard of the wallet that is connected.
 */
class OwnerDashboard extends HTMLElement {
  private readonly place = document.createElement('div');
  private readonly unread = document.createElement('p');
  private period = '';
  /** What is the wallet's own, as the service sent it last; null while none of it is shown. */
  private shown: HTMLElement | null = null;
  private ends: ReturnType<typeof setTimeout> | undefined;

  connectedCallback(): void {
    const wallet = this.getAttribute('wallet');
    if (wallet === null) {
      this.goToConnected();
      addEventListener(WALLET_CHANGED, () => this.goToConnected());
      return;
    }
    this.replaceChildren(this.place);
    this.unread.setAttribute('role', 'alert');
    const session = keptSession(wallet);
    if (session === null) this.offer(wallet);
    else void this.show(session);
    addEventListener(ACT_ENDED, () => void this.again(wallet));
    // What waits is told to everybody, without what was found: where it changed, so did what stands here.
    addEventListener(PART_REPLACED, ({ target }) => {
      if ((target as Element).id === WAITS) void this.follow(wallet);
    });
    // Clocks of a page may stand still while nobody sees it.
    addEventListener('visibilitychange', () => this.endIfOver(wallet));
    addEventListener(WALLET_CHANGED, () => this.endIfOver(wallet));
  }

  private goToConnected(): void {
    const now = connected();
    if (now !== null) location.replace(`/dashboard?wallet=${now.address}`);
  }

  private offer(wallet: string, words = ''): void {
    const button = Object.assign(document.createElement('button'), { type: 'button' });
    button.textContent = SESSION.sign;
    const said = Object.assign(document.createElement('p'), { className: 'soft' });
    said.setAttribute('role', 'status');
    said.textContent = words || SESSION.words;
    button.addEventListener('click', async () => {
      try {
        const session = await open(wallet);
        if (session === null) return;
        await this.show(session);
        this.scrollIntoView();
      } catch (error) {
        said.textContent = refusal(error);
      }
    });
    this.place.replaceChildren(button, said);
  }

  private async show(session: Session): Promise<void> {
    const main = await this.ask(session);
    if (main !== null) this.put(session, main);
  }

  private async ask(session: Session): Promise<HTMLElement | null> {
    const answer = await this.read(session, `/dashboard/own?wallet=${session.wallet}&period=${this.period}`);
    if (answer === null) return null;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const main = page.querySelector('main');
    main?.querySelector('h1')?.remove();
    return main;
  }

  private put(session: Session, main: HTMLElement): void {
    // The session may have ended while it was asked.
    if (keptSession(session.wallet) === null) {
      this.end(session.wallet);
      return;
    }
    this.endAt(session);
    this.unread.remove();
    this.shown = main;
    this.place.replaceChildren(...document.importNode(main, true).childNodes);
    for (const button of this.place.querySelectorAll<HTMLElement>('[data-period]'))
      button.addEventListener('click', () => this.change(session, button.dataset.period ?? ''));
    this.whenTicked();
    this.place.querySelector('[data-download]')?.addEventListener('click', () => this.download(session));
  }

  /** Shows what waits now; where somebody is at work there, it says that something is new, and changes nothing. */
  private async follow(wallet: string): Promise<void> {
    const session = keptSession(wallet);
    if (session === null) {
      this.endIfOver(wallet);
      return;
    }
    const main = await this.ask(session);
    if (main === null || queueOf(main) === queueOf(this.shown)) return;
    if (isInUse(this.place)) this.tell(session, SESSION.changed);
    else this.put(session, main);
  }

  private endAt({ wallet, expiresAt }: Session): void {
    clearTimeout(this.ends);
    this.ends = setTimeout(() => this.endIfOver(wallet), Date.parse(expiresAt) - Date.now());
  }

  /** What is the wallet's own is not left on the screen for whoever comes next. */
  private endIfOver(wallet: string): void {
    const isReading = this.shown !== null || this.unread.isConnected;
    if (isReading && keptSession(wallet) === null) this.end(wallet);
  }

  private end(wallet: string): void {
    clearTimeout(this.ends);
    this.shown = null;
    this.unread.remove();
    forgetSession();
    this.offer(wallet, SESSION.over);
  }

  /** Decides on several deals only once some are ticked. */
  private whenTicked(): void {
    const form = this.place.querySelector<HTMLFormElement>('form#several');
    const boxes = this.place.querySelectorAll<HTMLInputElement>('input[form=several]');
    const tell = (): void => {
      const none = ![...boxes].some((box) => box.checked);
      for (const button of form?.querySelectorAll('button') ?? []) button.disabled = none;
    };
    for (const box of boxes) box.addEventListener('change', tell);
    tell();
  }

  /** Null where the session is over, or nothing can be read now: it is said, and what was shown stays. */
  private async read(session: Session, path: string): Promise<Response | null> {
    const headers = { authorization: `ReadSession ${session.token}`, accept: 'text/html' };
    const answer = await fetch(path, { headers }).catch(() => null);
    if (answer?.ok) return answer;
    if (answer?.status === 401) this.end(session.wallet);
    else this.tell(session, SESSION.unread);
    return null;
  }

  /** Says it above what is shown, with a button that reads it again. */
  private tell(session: Session, words: string): void {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'second' });
    button.textContent = SESSION.again;
    button.addEventListener('click', () => this.show(session));
    this.unread.replaceChildren(words, ' ', button);
    this.prepend(this.unread);
  }

  /** Shows another period, and keeps the focus on its button. */
  private async change(session: Session, period: string): Promise<void> {
    this.period = period;
    await this.show(session);
    this.place.querySelector<HTMLElement>(`[data-period="${period}"]`)?.focus();
  }

  private async download(session: Session): Promise<void> {
    const answer = await this.read(session, `/dashboard/own.csv?wallet=${session.wallet}`);
    if (answer === null) return;
    this.unread.remove();
    const href = URL.createObjectURL(await answer.blob());
    Object.assign(document.createElement('a'), { href, download: SESSION.file }).click();
    URL.revokeObjectURL(href);
  }

  /** After an act: reads again what is the wallet's own, and goes to the next deal that waits. */
  private async again(wallet: string): Promise<void> {
    const session = keptSession(wallet);
    if (session === null) {
      this.endIfOver(wallet);
      return;
    }
    const before = this.waiting();
    await this.show(session);
    const left = this.waiting();
    if (before === left) return;
    say(SESSION.left(left));
    this.querySelector<HTMLElement>(`${QUEUE} h2`)?.focus();
  }

  private waiting(): number {
    return this.querySelectorAll(`${QUEUE} > div`).length;
  }
}
customElements.define('owner-dashboard', OwnerDashboard);
