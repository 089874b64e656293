/**
 * The same answer, that tells if its body breaks off. The body is read no faster than its reader reads; one that nobody
 * reads, or that its reader cancels, tells nothing. An answer that cannot be copied is handed over as it is: it was paid
 * for.
 */
export function tellingBreaks(response: Response, onBreak: () => void): Response {
  const { status, headers, body, bodyUsed } = response;
  if (body === null || bodyUsed || !(body instanceof ReadableStream) || body.locked) return response;
  try {
    // A server may send a status text that no program may give.
    return like(new Response(tellingStream(body, onBreak), { status, headers }), response);
  } catch {
    return response;
  }
}

/** The same of a stream, which is locked once somebody reads. */
export function tellingStream(stream: ReadableStream, onBreak: () => void): ReadableStream {
  let opened: ReadableStreamDefaultReader | null = null;
  const reader = (): ReadableStreamDefaultReader => {
    opened ??= stream.getReader();
    return opened;
  };
  const next = () =>
    reader()
      .read()
      .catch((error: unknown) => {
        onBreak();
        throw error;
      });
  const cancel = (reason: unknown) => reader().cancel(reason);
  if (!hasBytes(stream))
    return new ReadableStream(
      {
        async pull(controller) {
          const { done, value } = await next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel,
      },
      { highWaterMark: 0 },
    );
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      let { done, value } = await next();
      // A stream of bytes takes no empty piece.
      while (!done && value.byteLength === 0) ({ done, value } = await next());
      if (!done) return controller.enqueue(value);
      controller.close();
      // A reader that brought its own buffer waits for it.
      controller.byobRequest?.respond(0);
    },
    cancel,
  });
}

/** Whether its readers may bring their own buffers. */
function hasBytes(stream: ReadableStream): boolean {
  try {
    stream.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/** What a program that makes a response cannot say of it, and neither can a clone. */
function like(copy: Response, { url, redirected, type, headers, statusText }: Response): Response {
  const clone = (): Response => like(Response.prototype.clone.call(copy), copy);
  const told = Object.entries({ url, redirected, type, headers, statusText, clone });
  return Object.defineProperties(copy, Object.fromEntries(told.map(([name, value]) => [name, { value }])));
}
