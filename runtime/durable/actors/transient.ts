/** SQLSTATE classes that say nothing about the statement: connection, rollback, resources, lock, operator. */
const CLASSES = ['08', '40', '53', '55', '57', '58'];

/** SQLSTATE classes of a statement whose tables are not as this release expects: syntax, access, a changed plan. */
const OURS = ['42', '0A', '3F'];

/** True when the database failed for the moment and the work is not at fault: a retry may succeed. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (code === null)
    return error instanceof Error && /^Connection terminated|^timeout exceeded/.test(error.message);
  return /^E[A-Z]+$/.test(code) || isOfClass(code, CLASSES);
}

/**
 * True for a statement that the database cannot execute whatever the data: a column that is missing during a release, a
 * right that was not granted. The program is at fault and not the event, so the event is retried and no dead letter.
 */
export function isOurs(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && isOfClass(code, OURS);
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
}

function isOfClass(code: string, classes: readonly string[]): boolean {
  return code.length === 5 && classes.includes(code.slice(0, 2));
}
