/**
 * The same answer, that tells if its body breaks off. The body is read no faster than its reader reads; one that nobody
 * reads, or that its reader cancels, tells nothing.
 */
export function tellingBreaks(response: Response, onBreak: () => void): Response {
  if (response.body === null) return response;
  return like(new Response(tellingStream(response.body, onBreak), response), response);
}

/** The same of a stream. */
export function tellingStream(stream: ReadableStream, onBreak: () => void): ReadableStream {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          onBreak();
          throw error;
        });
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** What a program that makes a response cannot say of it, and neither can a clone. */
function like(copy: Response, { url, redirected, type, headers }: Response): Response {
  const clone = (): Response => like(Response.prototype.clone.call(copy), copy);
  const told = Object.entries({ url, redirected, type, headers, clone });
  return Object.defineProperties(copy, Object.fromEntries(told.map(([name, value]) => [name, { value }])));
}
