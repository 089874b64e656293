/** SQLSTATE classes that say nothing about the statement: connection, rollback, resources, lock, operator. */
const CLASSES = ['08', '40', '53', '55', '57', '58'];

/** True for an error of the database's moment, not of the work: the same again may succeed. */
export function isTransient(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string')
    return error instanceof Error && /^Connection terminated|^timeout exceeded/.test(error.message);
  return /^E[A-Z]+$/.test(code) || (code.length === 5 && CLASSES.includes(code.slice(0, 2)));
}
