type Attributes = Readonly<Record<string, string | number | boolean>>;

/** `request`: over HTTP; `mailbox`: one batch of an actor; `effect`: one attempt; `chain`: one call of a node. */
export type SpanOf = 'request' | 'mailbox' | 'effect' | 'chain';

export interface StartedSpan {
  /** Its `traceparent`, for whatever comes of it. Null where nothing is traced. */
  readonly trace: string | null;
  note(attributes: Attributes): void;
  /** @param error what the work ended in, if it did */
  end(error?: unknown): void;
}

export interface SpanOptions {
  /** A `traceparent`; the present scope's where it is left out. */
  readonly parent?: string | null;
  readonly attributes?: Attributes;
}

export interface Spans {
  start(kind: SpanOf, name: string, options?: SpanOptions): StartedSpan;
  /** Runs `work` within a span, and what `work` starts as part of it. */
  run<T>(kind: SpanOf, name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
}

const NO_SPAN: StartedSpan = { trace: null, note: () => {}, end: () => {} };

/** Where no receiver is configured: costs nothing. */
export const NO_SPANS: Spans = {
  start: () => NO_SPAN,
  run: (_kind, _name, _options, work) => work(),
};

/** Every call of `part` that answers with a promise becomes a span of its own. */
export function spanned<T extends object>(spans: Spans, name: string, part: T): T {
  if (spans === NO_SPANS) return part;
  return new Proxy(part, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(value, target, args);
        if (value.constructor.name !== 'AsyncFunction') return call();
        return spans.run('chain', `${name} ${String(member)}`, {}, call as () => Promise<unknown>);
      };
    },
  });
}
