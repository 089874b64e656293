import { setTimeout as sleep } from 'node:timers/promises';

/** A request as it is sent, and as what it counts. */
export interface Asked {
  readonly kind: 'read' | 'paid';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly kind: Asked['kind'];
  /** 0 where there was no answer. */
  readonly status: number;
  /** Why there was none. */
  readonly why?: string;
  readonly retryAfter: string | null;
  readonly ms: number;
}

/** Sends the next request. */
export type Ask = () => Promise<Answered>;

const HANG_MS = 60_000;
const TICK_MS = 5;

export async function send({ kind, url, headers }: Asked): Promise<Answered> {
  const began = performance.now();
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(HANG_MS) });
    await response.arrayBuffer();
    const { status } = response;
    return { kind, status, retryAfter: response.headers.get('retry-after'), ms: performance.now() - began };
  } catch (error) {
    const why = String((error as Error).cause ?? error);
    return { kind, status: 0, why, retryAfter: null, ms: performance.now() - began };
  }
}

/** Whether it was answered as it was asked; the price of what was not paid for is an answer too. */
export function served({ status }: Answered): boolean {
  return status === 200 || status === 402;
}

/** Callers who send their next request when they are answered. @returns how many are answered a second */
export async function closedLoop(ask: Ask, callers: number, milliseconds: number): Promise<number> {
  const began = performance.now();
  let answered = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - began < milliseconds) if (served(await ask())) answered++;
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return answered / ((performance.now() - began) / 1_000);
}

export interface Arrived {
  /** So far; those still under way are added when they come. */
  readonly answers: readonly Answered[];
  /** Resolves when all have come. */
  readonly all: Promise<unknown>;
}

/** Requests that arrive at a rate, whether earlier ones were answered or not, as from many strangers. */
export async function openLoop(ask: Ask, perSecond: number, milliseconds: number): Promise<Arrived> {
  const answers: Answered[] = [];
  const sent: Promise<unknown>[] = [];
  const began = performance.now();
  for (let now = began; now - began < milliseconds; now = performance.now()) {
    for (const due = ((now - began) * perSecond) / 1_000; sent.length < due; )
      sent.push(ask().then((answer) => answers.push(answer)));
    await sleep(TICK_MS);
  }
  return { answers, all: Promise.all(sent) };
}
