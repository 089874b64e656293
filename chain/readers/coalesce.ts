/** One HTTP exchange with a node: a JSON-RPC body, and what came back, whatever it is. */
export interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** Sends a body. @throws when no whole answer comes */
export type Post = (body: string) => Promise<Exchange>;

interface Question {
  readonly body: string;
  readonly id: unknown;
  answered(exchange: Exchange): void;
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
export function coalesced(post: Post): Post {
  let singly = false;
  let waiting: Question[] = [];

  async function alone(question: Question): Promise<void> {
    try {
      question.answered(await post(question.body));
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
    for (const question of questions) {
      const own = ok && Array.isArray(answers) ? answers.find((a) => a?.id === question.id) : undefined;
      question.answered(
        own === undefined ? { status, text: ok ? '' : text } : { status, text: JSON.stringify(own) },
      );
    }
  }

  function flush(): void {
    const asked = waiting;
    waiting = [];
    for (let i = 0; i < asked.length; i += AT_ONCE) void together(asked.slice(i, i + AT_ONCE));
  }

  return (body) =>
    new Promise((answered, failed) => {
      const { id } = (parsed(body) ?? {}) as { id?: unknown };
      waiting.push({ body, id, answered, failed });
      if (waiting.length === 1) setImmediate(flush);
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
