import * as js from './primordials.ts';
import { lock, type Providers } from './provider.ts';

const ANNOUNCE = 'eip6963:announceProvider';

/**
 * Guards the providers that wallets announce (EIP-6963): where the event is made, so that no script of the page sees the
 * provider before, and again where it arrives, whoever made it.
 */
export function guardAnnouncements({ guarded, isProvider }: Providers): void {
  const own = js.safeSet();

  function guardedDetail(detail: unknown): unknown {
    if (typeof detail !== 'object' || detail === null || own.has(detail)) return detail;
    const provider = js.get(detail, 'provider');
    if (!isProvider(provider)) return detail;
    const made = js.freeze({ info: js.get(detail, 'info'), provider: guarded(provider) });
    own.add(made);
    return made;
  }

  const Guarded = new js.TheProxy(js.TheCustomEvent, {
    construct(target, args, newTarget) {
      const init = args[1] as unknown;
      if (typeof init !== 'object' || init === null || !isAnnouncement(args[0]))
        return js.construct(target, args, newTarget) as object;
      const detail = guardedDetail(js.get(init, 'detail'));
      return js.construct(target, [ANNOUNCE, { detail }], newTarget) as object;
    },
  });
  lock(window, 'CustomEvent', Guarded);
  js.defineProperty(js.TheCustomEvent.prototype, 'constructor', {
    value: Guarded,
    writable: false,
    configurable: false,
  });

  js.addListener(
    window,
    ANNOUNCE,
    (event: Event) => {
      const detail = event instanceof js.TheCustomEvent ? js.detailOf(event) : js.get(event, 'detail');
      if (typeof detail !== 'object' || detail === null || own.has(detail)) return;
      if (!isProvider(js.get(detail, 'provider'))) return;
      js.stopNow(event);
      js.dispatch(window, new js.TheCustomEvent(ANNOUNCE, { detail: guardedDetail(detail) }));
    },
    true,
  );
}

function isAnnouncement(type: unknown): boolean {
  return type === ANNOUNCE;
}
