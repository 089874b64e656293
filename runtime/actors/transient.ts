/** SQLSTATE classes that say nothing about the statement: connection, rollback, resources, lock, operator. */
const CLASSES = ['08', '40', '53', '55', '57', '58'];

/** What a statement runs into whose tables are not as this release knows them: syntax or access, a changed plan. */
const OURS = ['42', '0A', '3F'];

/** True for an error of the database's moment, not of the work: the same again may succeed. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (code === null)
    return error instanceof Error && /^Connection terminated|^timeout exceeded/.test(error.message);
  return /^E[A-Z]+$/.test(code) || isOfClass(code, CLASSES);
}

/**
 * True for a statement that the database cannot carry out whatever the data: a missing column while releases change,
 * a right not granted. The mistake is this program's, never the event's, so that the event is tried again later.
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
