/** The answer is larger than allowed, and was not read to its end. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** Reads a response's body as UTF-8. @throws AnswerTooLarge; TypeError when it is not text, or the connection breaks */
export async function textOf(answer: Response, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > mostBytes) throw new AnswerTooLarge(`the answer has more than ${mostBytes} bytes`);
    parts.push(part);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
}

/** A `fetch` that reads at most so many bytes of an answer. @throws AnswerTooLarge */
export function boundedAnswers(mostBytes: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    const { status, statusText, headers } = answer;
    const bodiless = status === 204 || status === 205 || status === 304;
    const text = await textOf(answer, mostBytes);
    // These headers describe the encoded body, which is now decoded.
    const told = new Headers(headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) told.delete(name);
    return new Response(bodiless ? null : text, { status, statusText, headers: told });
  };
}
