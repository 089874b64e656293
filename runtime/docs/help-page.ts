import { commandLoaders, programOf } from '../cli/commands.ts';
import { helpOf } from '../cli/help.ts';
import type { Starters } from '../cli/starters.ts';

const NOTHING: Starters = {
  service: () => Promise.reject(new Error('help starts nothing')),
  worker: () => Promise.reject(new Error('help starts nothing')),
  mcp: () => Promise.reject(new Error('help starts nothing')),
};

/** The whole program, of which nothing is run. */
export function wholeProgram(): ReturnType<typeof programOf> {
  return programOf(Object.values(commandLoaders({}, NOTHING)));
}

/** The help of all commands, as a file. */
export async function helpPage(): Promise<string> {
  return `${JSON.stringify(helpOf(await wholeProgram()), null, 2)}\n`;
}
