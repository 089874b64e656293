/** The service could not start, and one sentence says why and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
