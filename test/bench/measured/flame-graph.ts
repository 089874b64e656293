import { readFileSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { inSources, isWork, packageOf } from './profile.ts';

/** A call and what it called, with the time of all of it. */
interface Call {
  ms: number;
  readonly kind: string;
  readonly calls: Map<string, Call>;
}

interface Drawn {
  /** What is drawn, in a sentence. */
  readonly title: string;
  /** Among how many the time is divided. */
  readonly count: number;
  /** How many milliseconds the whole width is, so that two can be compared; all that there are when left out. */
  readonly widthMs?: number;
}

const WIDTH = 1_200;
const ROW = 17;
const TOP = 30;
/** Narrower calls are left out. */
const LEAST_PX = 1.5;
const PX_A_LETTER = 6.2;
const COLOURS: Readonly<Record<string, string>> = {
  'agents/ of the project': '#f2b56b',
  'api/ of the project': '#e8917a',
  'chain/ of the project': '#d9c36a',
  'runtime/ of the project': '#f0a35e',
  'store/ of the project': '#e6b8a2',
  library: '#a9c4dd',
  engine: '#c9c9c9',
};

/**
 * Draws a profile as a flame graph (Gregg, 2016), the caller above what it calls: functions of the project by their
 * names, each library as one box, and Node's own frames left out, whose time is their caller's. An asynchronous call
 * begins anew at the top, since its caller has returned by then.
 * @param file a `.cpuprofile` @param svg where it is drawn
 */
export function drawFlameGraph(file: string, svg: string, drawn: Drawn): void {
  const root = callsOf(inSources(JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile), drawn.count);
  writeFileSync(svg, flameGraph(root, drawn));
}

function callsOf(profile: Profiler.Profile, count: number): Call {
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])));
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const root: Call = { ms: 0, kind: 'engine', calls: new Map() };
  for (const [i, id] of (profile.samples ?? []).entries()) {
    if (!isWork(frames.get(id)!)) continue;
    const ms = (profile.timeDeltas?.[i] ?? 0) / 1_000 / count;
    const path: { name: string; kind: string }[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const box = boxOf(frames.get(at)!);
      if (box !== null && path.at(-1)?.name !== box.name) path.push(box);
    }
    let call = root;
    call.ms += ms;
    for (const { name, kind } of path.reverse()) {
      const next = call.calls.get(name) ?? { ms: 0, kind, calls: new Map() };
      call.calls.set(name, next);
      next.ms += ms;
      call = next;
    }
  }
  return root;
}

/** What a frame is drawn as; null when its time is its caller's. */
function boxOf({ url, functionName }: { url: string; functionName: string }) {
  if (functionName === '(root)') return null;
  if (functionName.startsWith('(') && url === '') return { name: functionName, kind: 'engine' };
  const owner = packageOf(url);
  // What measures runs in the service, from a folder of caches.
  if (owner === null || owner === '.cache' || functionName === '') return null;
  return owner.endsWith(' of the project')
    ? { name: functionName, kind: owner }
    : { name: owner, kind: 'library' };
}

function flameGraph(root: Call, { title, widthMs = root.ms }: Drawn): string {
  const scale = WIDTH / widthMs;
  const boxes: string[] = [];
  let depth = 0;
  const draw = (call: Call, x: number, row: number): void => {
    depth = Math.max(depth, row);
    let at = x;
    for (const [name, next] of [...call.calls].sort(([, a], [, b]) => b.ms - a.ms)) {
      const width = next.ms * scale;
      if (width < LEAST_PX) break;
      boxes.push(boxAt({ name, ms: next.ms, kind: next.kind, x: at, y: TOP + row * ROW, width }));
      draw(next, at, row + 1);
      at += width;
    }
  };
  draw(root, 0, 0);
  const height = TOP + (depth + 1) * ROW;
  const about = `${title}: ${root.ms.toFixed(0)} ms`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(about)}" font-family="sans-serif" font-size="11">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="4" y="19" font-size="14">${escaped(about)}</text>
${boxes.join('\n')}
</svg>
`;
}

function boxAt(box: { name: string; ms: number; kind: string; x: number; y: number; width: number }): string {
  const { name, ms, kind, x, y, width } = box;
  const letters = Math.floor((width - 6) / PX_A_LETTER);
  const shown = letters < 3 ? '' : name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
  const text = shown === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(shown)}</text>`;
  const about = `<title>${escaped(`${name} (${kind}): ${ms.toFixed(1)} ms`)}</title>`;
  const colour = COLOURS[kind] ?? COLOURS.library;
  return `<g>${about}<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colour}" stroke="#fff" stroke-width=".5"/>${text}</g>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
