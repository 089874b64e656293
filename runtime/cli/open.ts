import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { findRunning } from '../embedded/running.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Pages that are one of a kind. */
const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  market: '/catalogue',
  agents: '/agents/directory',
  'new-agent': '/agents/new',
  names: '/names',
  dashboard: '/dashboard',
  developers: '/developers',
  operator: '/operator',
  pricing: '/pricing',
  health: '/health',
};
/** Pages of a thing each. */
const THINGS: Readonly<Record<string, (id: string) => string>> = {
  agent: (handle) => `/agent/${handle}`,
  lot: (ref) => `/lots/${ref}`,
  record: (id) => `/records/${id}`,
  certificate: (tokenId) => `/certificates/${tokenId}`,
};

/** `open [what] [id]`: opens a page of the running service in the browser. */
export function openCommand(env: Env): Command {
  return new Command('open')
    .description('Open the page of a thing in the browser.')
    .argument(
      '[what]',
      `${Object.keys(PAGES).join(', ')}, or one of ${Object.keys(THINGS).join(', ')}`,
      'home',
    )
    .argument('[id]', 'which agent, lot, record or certificate')
    .option('--print', 'print the address alone')
    .option('--json', 'print { url } as JSON, and open nothing')
    .addHelpText(
      'after',
      `
A record's id is enough, and any other single word is an agent's handle. BROWSER names the program that opens it.

Examples:
  npm run -s handshake -- open
  npm run -s handshake -- open rec_0123…
  npm run -s handshake -- open harbour-desk
  npm run -s handshake -- open lot lst_0123…`,
    )
    .action(async (what: string, id: string | undefined, options: { print?: boolean; json?: boolean }) => {
      const config = readConfig(env);
      const base = findRunning(config.dataDir)?.baseUrl ?? (env.BASE_URL ? config.baseUrl : null);
      if (base === null)
        throw new StartError(
          `No service runs on ${config.dataDir}: start one with "npm start", or set BASE_URL.`,
        );
      const path = pathOf(what, id);
      const url = `${base}${path}`;
      if (!Object.values(PAGES).includes(path) && (await isMissing(url)))
        throw new StartError(`The service at ${base} has no page ${path}.`);
      console.log(options.json === true ? JSON.stringify({ url }) : url);
      if (options.print !== true && options.json !== true) await inBrowser(url, env);
    });
}

/** @throws StartError for a thing without an id, and for a page with one */
function pathOf(what: string, id: string | undefined): string {
  const thing = Object.hasOwn(THINGS, what) ? THINGS[what] : undefined;
  if (thing !== undefined) {
    if (id === undefined) throw new StartError(`Say which ${what}: "open ${what} <id>".`);
    return thing(encodeURIComponent(id));
  }
  if (id !== undefined)
    throw new StartError(`"${what}" is none of ${Object.keys(THINGS).join(', ')}, which take an id.`);
  if (Object.hasOwn(PAGES, what)) return PAGES[what]!;
  return what.startsWith('rec_') ? THINGS.record!(what) : THINGS.agent!(encodeURIComponent(what));
}

const PATIENCE_MS = 5_000;

/** Whether the service says that it has no such thing. A service that cannot be asked from here says nothing. */
async function isMissing(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await answer.body?.cancel();
    return answer.status === 404;
  } catch {
    return false;
  }
}

async function inBrowser(url: string, env: Env): Promise<void> {
  const [command, args] = opener(url, env);
  await new Promise<void>((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => {
      console.error(`"${command}" could not open it: copy the address above, or set BROWSER.`);
      resolve();
    });
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

function opener(url: string, env: Env): [command: string, args: string[]] {
  if (env.BROWSER) return [env.BROWSER, [url]];
  if (process.platform === 'darwin') return ['open', [url]];
  return process.platform === 'win32' ? ['explorer.exe', [url]] : ['xdg-open', [url]];
}
