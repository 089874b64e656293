/** Says in one sentence why the service could not start, and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Turns any failure of a start into one sentence. When several addresses were tried at once, the error itself has no
 * message.
 */
export function asStartError(reason: unknown): StartError {
  if (reason instanceof StartError) return reason;
  const message = messageOf(reason);
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/(?<![.\s])[.\s]*$/, '.');
  return new StartError(sentence, { cause: reason });
}

export function messageOf(reason: unknown): string {
  if (reason instanceof AggregateError && reason.message === '')
    return reason.errors.map(messageOf).join(', ');
  return reason instanceof Error ? reason.message : String(reason);
}
