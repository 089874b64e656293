import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { StartError } from '../config/start-error.ts';

/** What a command of lines reads and writes; tests pass their own. */
export interface LineStreams {
  readonly input: Readable;
  readonly write: (line: string) => unknown;
}

export const standardLines: LineStreams = {
  input: process.stdin,
  write: (line) => process.stdout.write(line),
};

/** The lines of a file, or of standard input, that hold something, each with its number from 1. @throws StartError */
export async function* linesOf(
  { input }: LineStreams,
  file: string | undefined,
): AsyncGenerator<readonly [text: string, number: number]> {
  if (file !== undefined && !existsSync(file)) throw new StartError(`There is no file "${file}".`);
  const from = file === undefined ? input : createReadStream(file);
  let number = 0;
  for await (const text of createInterface({ input: from, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (text.trim() !== '') yield [text, number];
  }
}
