import type { Reply, Request } from '../app.ts';
import type { Html } from '../pages/html.ts';
import { prefersHtml, replyPageOrJson } from './negotiate.ts';

interface Answer {
  readonly value: unknown;
  /** As it goes over the wire; made for the first who wants it. */
  json: string | null;
}

interface Flight {
  readonly landed: Promise<Answer>;
  /** The one after this: for those who came while this one was under way. */
  next: Promise<Answer> | null;
}

/** Answers a free read, and shares the reading with whoever asks the same thing in the same moment. */
export type AnswerShared = <T>(
  request: Request,
  reply: Reply,
  read: () => Promise<T>,
  render: (value: T) => Html,
) => Promise<Reply>;

/**
 * Requests for the same path and query that are there at once are answered from one reading. Nobody is answered from a
 * reading that began before the request came: whoever has just written sees what was written. Nothing is kept.
 */
export function sharedReads(): AnswerShared {
  const flights = new Map<string, Flight>();

  function start(key: string, read: () => Promise<unknown>): Promise<Answer> {
    const landed = read().then((value): Answer => ({ value, json: null }));
    const flight: Flight = { landed, next: null };
    flights.set(key, flight);
    const over = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    landed.then(over, over);
    return landed;
  }

  function share(key: string, read: () => Promise<unknown>): Promise<Answer> {
    const flight = flights.get(key);
    if (!flight) return start(key, read);
    const again = (): Promise<Answer> => start(key, read);
    flight.next ??= flight.landed.then(again, again);
    return flight.next;
  }

  return async <T>(
    request: Request,
    reply: Reply,
    read: () => Promise<T>,
    render: (value: T) => Html,
  ): Promise<Reply> => {
    const key = `${request.routeOptions.url} ${JSON.stringify(request.query)}`;
    const answer = await share(key, read);
    if (prefersHtml(request)) return replyPageOrJson(request, reply, answer.value as T, render);
    answer.json ??= reply.serialize(answer.value) as string;
    return reply.header('vary', 'Accept').type('application/json; charset=utf-8').send(answer.json);
  };
}
