/** The service could not start, and one sentence says why and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Any failure of a start as one sentence. Several addresses that were tried at once fail without words of their own. */
export function asStartError(reason: unknown): StartError {
  if (reason instanceof StartError) return reason;
  const message = messageOf(reason);
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/[.\s]*$/, '.');
  return new StartError(sentence, { cause: reason });
}

export function messageOf(reason: unknown): string {
  if (reason instanceof AggregateError && reason.message === '')
    return reason.errors.map(messageOf).join(', ');
  return reason instanceof Error ? reason.message : String(reason);
}
