import type { WalletCall } from '../methods.ts';
import * as js from './primordials.ts';

/** What came of asking. Only `go: true` lets a request on to the wallet. */
export interface Answer {
  readonly go: boolean;
  readonly message: string;
}

/** By these, once and before any script of the page, the two halves of the extension find each other. */
export const PORT_EVENT = 'safe-handshake:port';
export const READY_EVENT = 'safe-handshake:ready';

const AWAY = 'Safe Handshake was updated or ended: reload the page';

type Callback = (answer: Answer) => void;

/**
 * Opens the private channel to the half of the extension that the page cannot reach, and gives the function that asks it.
 * Without that half every request is refused.
 */
export function openChannel(): (calls: readonly WalletCall[], chainId: unknown, then: Callback) => void {
  const waiting = Object.create(null) as Record<string, Callback | undefined>;
  const port = offerPort((data) => {
    const id = `${data.id}`;
    const callback = waiting[id];
    js.deleteProperty(waiting, id);
    callback?.({ go: data.go === true, message: `${data.message}` });
  });
  let next = 0;
  return (calls, chainId, then) => {
    if (port === null) return then({ go: false, message: AWAY });
    next += 1;
    waiting[`${next}`] = then;
    try {
      js.postToPort(port, { id: next, calls, chainId });
    } catch {
      js.deleteProperty(waiting, `${next}`);
      then({ go: false, message: 'Safe Handshake cannot read this request' });
    }
  };
}

interface Said {
  readonly id: number;
  readonly go: boolean;
  readonly message: string;
}

/** @returns null where nobody took the port: the other half listens before this one runs, or it is not there */
function offerPort(onAnswer: (data: Said) => void): MessagePort | null {
  const channel = new js.TheMessageChannel();
  const own = js.port1Of(channel);
  js.addListener(own, 'message', (event: Event) => onAnswer(js.dataOf(event) as Said));
  js.startPort(own);
  let taken = false;
  const took = () => {
    taken = true;
  };
  js.addListener(window, READY_EVENT, took);
  js.dispatch(window, new js.TheMessageEvent(PORT_EVENT, { ports: [js.port2Of(channel)] }));
  js.removeListener(window, READY_EVENT, took);
  return taken ? own : null;
}
