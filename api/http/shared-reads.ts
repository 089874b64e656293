import type { Html } from '../html/html.ts';
import type { Reply, Request } from './app.ts';
import { prefersHtml, replyPageOrJson } from './negotiate.ts';

interface Answer {
  readonly value: unknown;
  /** The answer as JSON text; made when the first caller needs it. */
  json: string | null;
}

interface Flight {
  readonly landed: Promise<Answer>;
  /** The read after this one, for callers that came while this one was under way. */
  next: Promise<Answer> | null;
}

/** Answers a free read. Callers that ask the same thing at the same time share one read. */
export type AnswerShared = <T>(
  request: Request,
  reply: Reply,
  read: () => Promise<T>,
  render: (value: T) => Html | Promise<Html>,
) => Promise<Reply>;

/**
 * Requests for the same path and query that are present at once are answered from one read. No request is answered from
 * a read that began before it came, so that whoever has just written sees what was written. Nothing is cached.
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
    render: (value: T) => Html | Promise<Html>,
  ): Promise<Reply> => {
    const key = `${request.routeOptions.url} ${JSON.stringify(request.query)}`;
    const answer = await share(key, read);
    if (prefersHtml(request)) return replyPageOrJson(request, reply, answer.value as T, render);
    answer.json ??= reply.serialize(answer.value) as string;
    return reply.header('vary', 'Accept').type('application/json; charset=utf-8').send(answer.json);
  };
}
