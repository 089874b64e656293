import { readFileSync } from 'node:fs';
import { type Config, readConfig } from '../../config/config.ts';
import { nearest } from '../nearest.ts';
import { knownSettings } from '../setting-names.ts';
import { READ_ENV, unreadEnv, unreadEnvSays } from '../unread-env.ts';
import { doubtful, type Finding, well, wrong } from './finding.ts';

type Env = Readonly<Record<string, string | undefined>>;

const PACKAGE = new URL('../../../package.json', import.meta.url);
/** Names of others that look like ours: npm sets NODE for whatever it runs. */
const FOREIGN = new Set(['NODE', 'NODE_ENV', 'LOGNAME', 'HOSTNAME', 'HOSTTYPE', 'MODEL', 'PORTS']);

/** Whether this Node.js is one that package.json allows. */
export function checkNode(version: string = process.versions.node): Finding {
  const { engines } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { engines: { node: string } };
  const least = engines.node.replace(/^>=/, '');
  return isAtLeast(version, least)
    ? well('Node.js', `${version}, at least ${least}`)
    : wrong('Node.js', `${version}, and ${least} is the least`, `install Node.js ${least} or newer`);
}

/** Compares versions such as `20.19` and `22.4.1` part by part. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, need] = [version, least].map((v) =>
    v.split('.').map((part) => Number.parseInt(part, 10) || 0),
  ) as [number[], number[]];
  const at = need.findIndex((part, i) => part !== (have[i] ?? 0));
  return at < 0 || (have[at] ?? 0) > need[at]!;
}

/** The settings, where they can be read, and what is wrong with them. */
export function checkSettings(env: Env): { config: Config | null; findings: Finding[] } {
  const misspelt = misspeltSettings(env);
  try {
    const config = readConfig(env);
    return { config, findings: [well('settings', `all can be read; mode ${config.mode}`), ...misspelt] };
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    const findings = lines.map((line) => {
      const [says, remedy] = line.split(/: (.*)/s);
      return wrong('settings', says!, remedy ?? 'see .env.example');
    });
    return { config: null, findings: [...findings, ...misspelt] };
  }
}

/** What a `.env` of the working directory sets without effect. */
export function checkEnvFile(env: Env, folder?: string): Finding[] {
  const unread = unreadEnv(env, folder);
  return unread === null ? [] : [doubtful('settings', unreadEnvSays(unread), READ_ENV)];
}

/** Variables of the environment that are named almost like a setting: they have no effect. */
function misspeltSettings(env: Env): Finding[] {
  const { exact, prefixes, has } = knownSettings();
  return Object.keys(env)
    .filter((name) => /^[A-Z][A-Z0-9_]{3,}$/.test(name) && env[name] !== '' && !FOREIGN.has(name))
    .filter((name) => !has(name))
    .flatMap((name) => {
      const chainId = /_(\d+)$/.exec(name)?.[1] ?? '';
      const meant = nearest(name, [...exact, ...prefixes.map((prefix) => `${prefix}${chainId}`)]);
      if (meant === null) return [];
      return [doubtful('settings', `${name} is no setting, and has no effect`, `did you mean ${meant}?`)];
    });
}
