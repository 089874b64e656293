import { AnswerTooLarge } from '../bounded-answers.ts';

/** The answer to one HTTP exchange with a node, whatever it contains. */
export interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** Sends a body. @throws AnswerTooLarge when the answer exceeds `mostBytes`; an error when no whole answer comes */
export type Post = (body: string, mostBytes?: number) => Promise<Exchange>;

/** One JSON-RPC request as it is sent. */
export interface Asked {
  readonly id: number;
  readonly body: string;
  /** What it asks, and how much it may be answered, without its id. Those of one batch that ask the same are sent once. */
  readonly about: string;
  /** The most bytes that its answer may have; unlimited when left out. */
  readonly mostBytes?: number;
}

/** The answer to one request. */
export interface Told {
  readonly status: number;
  /** The JSON of the answer; null when there is none. */
  readonly answer: unknown;
}

/** @throws AnswerTooLarge; an error when no whole answer comes */
export type Put = (question: Asked) => Promise<Told>;

interface Question extends Asked {
  answered(told: Told): void;
  failed(error: unknown): void;
}

/** Nodes accept a thousand and more in a batch; some gateways accept fewer. */
const AT_ONCE = 50;
/** The most bytes of a batch's answer. Within that, it is the sum of what its requests allow. */
const BATCH_BYTES = 33_554_432;
/** HTTP statuses of nodes that do not take batches. */
const TURNED_AWAY = new Set([400, 405, 413, 415, 422, 501]);

/**
 * Sends requests that are made at the same time in one batch (JSON-RPC 2.0, section 6), and those that ask the same once.
 * Each gets its answer by its id; a failure of the exchange fails all. To a node that takes no batches, requests are sent
 * one by one from then on. When one answer makes a batch too large, its requests are repeated one by one, so that only that
 * one fails.
 */
export function coalesced(post: Post): Put {
  let singly = false;
  let waiting: Question[] = [];

  async function alone(question: Question): Promise<void> {
    try {
      const { status, text } = await post(question.body, question.mostBytes);
      question.answered({ status, answer: parsed(text) });
    } catch (error) {
      question.failed(error);
    }
  }

  async function askTogether(questions: readonly Question[]): Promise<void> {
    const ids = new Set(questions.map((q) => q.id));
    if (singly || questions.length === 1 || ids.size < questions.length) {
      for (const question of questions) void alone(question);
      return;
    }
    let exchange: Exchange;
    try {
      exchange = await post(`[${questions.map((q) => q.body).join()}]`, mostOf(questions));
    } catch (error) {
      if (error instanceof AnswerTooLarge) {
        for (const question of questions) void alone(question);
        return;
      }
      for (const question of questions) question.failed(error);
      return;
    }
    const { status, text } = exchange;
    const answers = parsed(text);
    const ok = status >= 200 && status < 300;
    if (ok ? isRefusal(answers) : TURNED_AWAY.has(status)) {
      singly = true;
      for (const question of questions) void alone(question);
      return;
    }
    for (const question of questions) {
      const own = ok && Array.isArray(answers) ? answers.find((a) => a?.id === question.id) : undefined;
      // A node, too, cuts a batch short when one answer is too large, so the other requests are repeated alone.
      if (saysTooLarge(own)) void alone(question);
      else question.answered({ status, answer: own ?? null });
    }
  }

  function flush(): void {
    const asked = once(waiting);
    waiting = [];
    for (let i = 0; i < asked.length; i += AT_ONCE) void askTogether(asked.slice(i, i + AT_ONCE));
  }

  return (asked) =>
    new Promise((answered, failed) => {
      waiting.push({ ...asked, answered, failed });
      // Waits until the code that is running now has made its other requests, so that they go into the same batch. Not
      // longer: whoever asks about another lot must not fail with what makes this exchange fail.
      if (waiting.length === 1) queueMicrotask(() => process.nextTick(flush));
    });
}

/** The same questions, each once. What was asked before it is sent gets an answer that is newer than its asking. */
function once(questions: readonly Question[]): Question[] {
  const alike = new Map<string, Question[]>();
  for (const question of questions) {
    const known = alike.get(question.about);
    if (known === undefined) alike.set(question.about, [question]);
    else known.push(question);
  }
  return [...alike.values()].map((all) => ({
    ...all[0]!,
    answered(told) {
      for (const one of all) one.answered(readdressed(told, all[0]!.id, one.id));
    },
    failed(error) {
      for (const one of all) one.failed(error);
    },
  }));
}

/** An answer to a question, as the answer to one that asks the same. */
function readdressed({ status, answer }: Told, from: number, to: number): Told {
  const { id } = (answer ?? {}) as { id?: unknown };
  return { status, answer: id === from ? { ...(answer as object), id: to } : answer };
}

function mostOf(questions: readonly Asked[]): number {
  return Math.min(
    BATCH_BYTES,
    questions.reduce((sum, q) => sum + (q.mostBytes ?? BATCH_BYTES), 0),
  );
}

/** In geth's words. */
function saysTooLarge(answer: unknown): boolean {
  const { error } = (answer ?? {}) as { error?: { message?: unknown } };
  return /^response too large/i.test(String(error?.message));
}

/** True for a single error in place of a list of answers. */
function isRefusal(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer) && 'error' in answer;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
