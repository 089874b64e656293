import { existsSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Share {
  readonly name: string;
  /** Milliseconds in which it ran itself, what it called left out. */
  readonly selfMs: number;
}

/** The functions and the packages in which a process spent its time. @param file a `.cpuprofile` */
export function topOf(file: string, most = 15): { functions: Share[]; packages: Share[] } {
  const profile = inSources(JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const owners = ownersOf(profile);
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  for (const [i, id] of (profile.samples ?? []).entries()) {
    const frame = nodes.get(id)!;
    const { functionName, url, lineNumber } = frame;
    if (!isWork(frame)) continue;
    const ms = (profile.timeDeltas?.[i] ?? 0) / 1_000;
    const place = url === '' ? '' : ` ${shortened(url)}:${lineNumber + 1}`;
    add(functions, `${functionName === '' ? '(anonymous)' : functionName}${place}`, ms);
    add(packages, owners.get(id)!, ms);
  }
  return { functions: largest(functions, most), packages: largest(packages, most) };
}

/** Whether the service works there: it may be idle, and the inspector's own work is none of its. */
export function isWork({ functionName, url }: { functionName: string; url: string }): boolean {
  return functionName !== '(idle)' && !(functionName === 'dispatch' && url === '');
}

const ROOT = new URL('../../../', import.meta.url).href;

/** The profile of a bundled program by the places of its sources. */
export function inSources(profile: Profiler.Profile): Profiler.Profile {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (url: string): SourceMap | null => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url)!;
  };
  const nodes = profile.nodes.map((node) => {
    const { callFrame } = node;
    const entry = mapOf(callFrame.url)?.findEntry(callFrame.lineNumber, callFrame.columnNumber);
    if (entry === undefined || !('originalSource' in entry)) return node;
    const url = new URL(entry.originalSource, callFrame.url).href;
    return { ...node, callFrame: { ...callFrame, url, lineNumber: entry.originalLine } };
  });
  return { ...profile, nodes };
}

function readMap(url: string): SourceMap | null {
  if (!url.startsWith('file://')) return null;
  const path = `${fileURLToPath(url)}.map`;
  if (!url.includes('/.cache/') || !existsSync(path)) return null;
  return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
}

function shortened(url: string): string {
  const at = url.lastIndexOf('node_modules/');
  return at >= 0 ? url.slice(at + 'node_modules/'.length) : url.replace(ROOT, '');
}

/** Whose time each node's is: what the engine and Node do counts for the package that asked for it. */
function ownersOf(profile: Profiler.Profile): ReadonlyMap<number, string> {
  const owners = new Map<number, string>();
  const children = new Map(profile.nodes.map((node) => [node.id, node.children ?? []]));
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const walk = (id: number, inherited: string): void => {
    const { url, functionName } = byId.get(id)!.callFrame;
    const own = packageOf(url) ?? (functionName.startsWith('(') ? functionName : inherited);
    owners.set(id, own);
    for (const child of children.get(id)!) walk(child, packageOf(url) ?? inherited);
  };
  walk(profile.nodes[0]!.id, 'node');
  return owners;
}

/** The library, or the folder of the project, that a script belongs to; null for the engine and Node. */
export function packageOf(url: string): string | null {
  const at = url.lastIndexOf('node_modules/');
  if (at >= 0) {
    const [first = '', second = ''] = url.slice(at + 'node_modules/'.length).split('/');
    return first.startsWith('@') ? `${first}/${second}` : first;
  }
  return url.startsWith(ROOT) ? `${shortened(url).split('/')[0]}/ of the project` : null;
}

function add(to: Map<string, number>, name: string, ms: number): void {
  to.set(name, (to.get(name) ?? 0) + ms);
}

function largest(of: Map<string, number>, most: number): Share[] {
  return [...of]
    .map(([name, selfMs]) => ({ name, selfMs }))
    .sort((a, b) => b.selfMs - a.selfMs)
    .slice(0, most);
}
