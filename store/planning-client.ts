import pg from 'pg';

/** A statement that the server parses and plans once a connection. Its name is its text's own, never shared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * A statement whose plan is kept by every connection, whatever it is asked with. Postgres plans one anew for each question
 * while it believes that the values make a better plan: how long a list is, which chain is meant, where a limit lies. What
 * follows indexes anyway gains nothing by that, and its planning takes longer than its answer. Behind sub-selects the
 * values tell the planner nothing.
 * @param types of its parameters, in their order
 */
export function plannedForAny({ name, text }: Statement, types: readonly string[]): Statement {
  const hidden = text.replace(/\$(\d+)(?:::\w+(?:\[\])?)?/g, (_, n) => {
    const type = types[Number(n) - 1];
    if (type === undefined) throw new Error(`the statement "${name}" has a parameter without a type: ${n}`);
    return `(select $${n}::${type})::${type}`;
  });
  return { name, text: hidden };
}

/**
 * How many texts get a name: each connection keeps a plan of each that it ran. Texts are a program's own, but lists
 * of values make more of them.
 */
const NAMED_AT_MOST = 600;
const PLANNABLE = /^\s*(?:select|with|insert|update|delete)\b/i;
/** A plan for any values cannot tell by which partial index a conflict is found when the index's predicate is a value. */
const CONFLICT = /\bon\s+conflict\b/i;
/** The tables changed under a statement that was planned before. */
const FEATURE_NOT_SUPPORTED = '0A000';

const names = new Map<string, string>();

/** Lets a statement that comes by its text alone, as all of a transaction do, be known by its name. */
export function nameStatement({ name, text }: Statement): void {
  names.set(text, name);
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= NAMED_AT_MOST || !PLANNABLE.test(text) || CONFLICT.test(text)) return undefined;
  const name = `planned-${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Gives each statement a name by its text, so that the server parses it once a connection: half of what a small look-up
 * costs is its planning. And the beginning of a transaction leaves with its first statement. Where it cannot begin, the
 * connection is gone or in a transaction that failed: then that statement fails as well.
 *
 * A connection whose tables were changed by a newer version names nothing from then on: what it had planned would fail
 * for good. The statement that found out fails once, and is asked again where it is in no transaction.
 */
export class PlanningClient extends pg.Client {
  #begun: Promise<unknown> | null = null;
  #plans = true;

  // biome-ignore lint/suspicious/noExplicitAny: one of many overloads is looked at, all are passed on
  override query(...asked: any[]): any {
    const [first, values, ...rest] = asked;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const query = super.query as (...all: any[]) => any;
    if (first === 'begin') {
      this.connection.stream.cork();
      const begun = query.apply(this, asked) as Promise<unknown>;
      begun.catch(() => {});
      this.#begun = begun;
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
    }
    const begun = this.#begun;
    this.#begun = null;
    // Both leave in one write once this statement is handed over.
    if (begun !== null) process.nextTick(() => this.connection.stream.uncork());
    const statement = statementOf(first, values);
    if (statement === null || rest.length > 0) return afterBegin(begun, query.apply(this, asked));
    const name = this.#plans ? statement.name : undefined;
    const answer = query.call(this, { ...statement, name }) as Promise<unknown>;
    return afterBegin(
      begun,
      answer.catch((error: { code?: string }) => {
        if (name === undefined || error.code !== FEATURE_NOT_SUPPORTED) throw error;
        this.#plans = false;
        if (begun !== null || this.getTransactionStatus() !== 'I') throw error;
        return query.call(this, { ...statement, name: undefined });
      }),
    );
  }
}

/** A statement with values and its name, if it may have one; null for what is asked in any other way. */
function statementOf(asked: unknown, values: unknown): pg.QueryConfig | null {
  if (typeof asked === 'string') {
    return Array.isArray(values) ? { name: nameOf(asked), text: asked, values } : null;
  }
  const query = asked as pg.QueryConfig & { submit?: unknown };
  if (query.submit !== undefined || !Array.isArray(query.values)) return null;
  return { ...query, name: query.name ?? nameOf(query.text) };
}

/** Both have an end before either is told. */
function afterBegin(begun: Promise<unknown> | null, answer: unknown): unknown {
  if (begun === null || !(answer instanceof Promise)) return answer;
  return Promise.all([begun, answer]).then(([, result]) => result);
}
