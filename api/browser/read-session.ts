/** A read session of a wallet. It lives as long as the tab, and ends by itself. */
export interface Session {
  readonly wallet: string;
  readonly token: string;
  readonly expiresAt: string;
}

const KEPT = 'read-session';

const stored = () => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Session | null;

export function keptSession(wallet: string): Session | null {
  const session = stored();
  const good = session?.wallet === wallet && Date.parse(session.expiresAt) > Date.now();
  return good ? session : null;
}

export function keepSession(session: Session): void {
  sessionStorage.setItem(KEPT, JSON.stringify(session));
}

/** Forgets the session that is kept, unless it is this wallet's: whoever uses the tab next reads nothing by it. */
export function forgetSession(unless?: string): void {
  if (unless === undefined || stored()?.wallet.toLowerCase() !== unless.toLowerCase())
    sessionStorage.removeItem(KEPT);
}
