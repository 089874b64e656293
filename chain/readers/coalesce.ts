/** One HTTP exchange with a node: a JSON-RPC body, and what came back, whatever it is. */
export interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** Sends a body. @throws when no whole answer comes */
export type Post = (body: string) => Promise<Exchange>;

/** A JSON-RPC question as it goes over the wire. */
export interface Asked {
  readonly id: number;
  readonly body: string;
}

/** What one question was answered. */
export interface Told {
  readonly status: number;
  /** The JSON that answers it; null where there is none, or what came is no JSON. */
  readonly answer: unknown;
}

/** @throws when no whole answer comes */
export type Put = (question: Asked) => Promise<Told>;

interface Question extends Asked {
  answered(told: Told): void;
  failed(error: unknown): void;
}

/** Nodes take a thousand and more at once; gateways sometimes fewer. */
const AT_ONCE = 50;
/** What a node says that takes no batches. */
const TURNED_AWAY = new Set([400, 405, 413, 415, 422, 501]);

/**
 * Sends questions that are asked together in one batch (JSON-RPC 2.0, section 6). Each gets its own answer by its id; a
 * failure of the exchange is the failure of each. A node that takes no batches is asked one by one from then on.
 */
export function coalesced(post: Post): Put {
  let singly = false;
  let waiting: Question[] = [];

  async function alone(question: Question): Promise<void> {
    try {
      const { status, text } = await post(question.body);
      question.answered({ status, answer: parsed(text) });
    } catch (error) {
      question.failed(error);
    }
  }

  async function together(questions: readonly Question[]): Promise<void> {
    const ids = new Set(questions.map((q) => q.id));
    if (singly || questions.length === 1 || ids.size < questions.length) {
      for (const question of questions) void alone(question);
      return;
    }
    let exchange: Exchange;
    try {
      exchange = await post(`[${questions.map((q) => q.body).join()}]`);
    } catch (error) {
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
    for (const { id, answered } of questions) {
      const own = ok && Array.isArray(answers) ? answers.find((a) => a?.id === id) : undefined;
      answered({ status, answer: own ?? null });
    }
  }

  function flush(): void {
    const asked = waiting;
    waiting = [];
    for (let i = 0; i < asked.length; i += AT_ONCE) void together(asked.slice(i, i + AT_ONCE));
  }

  return (asked) =>
    new Promise((answered, failed) => {
      waiting.push({ ...asked, answered, failed });
      // When all that goes on now has come to its waiting: what it asks besides goes along.
      if (waiting.length === 1) queueMicrotask(() => process.nextTick(flush));
    });
}

/** One error in place of many answers. */
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
