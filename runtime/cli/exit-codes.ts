/** With which code a command ends. The one table of them: help texts and docs/operator.md are made of it. */
export const EXIT_CODES = {
  done: { code: 0, says: 'done; also where what was asked comes out as a refusal that is an answer' },
  failed: { code: 1, says: 'it failed, or what was to be checked does not hold' },
  usage: { code: 2, says: 'wrong usage or settings, or nothing there to act on: nothing was done' },
  interrupted: { code: 130, says: 'stopped by a second Ctrl-C before it could end in order' },
} as const;

/** Marks this process as failed. What it still has to say it says first. */
export function endsFailed(): void {
  process.exitCode = EXIT_CODES.failed.code;
}

/** The table as text, for help. */
export function exitCodeText(): string {
  return Object.values(EXIT_CODES)
    .map(({ code, says }) => `  ${String(code).padEnd(4)} ${says}`)
    .join('\n');
}

/** The table as Markdown, for the documents. */
export function exitCodeTable(): string {
  const rows = Object.values(EXIT_CODES).map(({ code, says }) => `| ${code} | ${says} |`);
  return ['| Code | Meaning |', '|---|---|', ...rows].join('\n');
}
