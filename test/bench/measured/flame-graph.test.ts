import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { drawFlameGraph } from './flame-graph.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

describe('a flame graph', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handshake-flames-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('shows who calls whom for how long, libraries as one box, and neither idling nor Node', () => {
    const frame = (functionName: string, path = '') => ({
      functionName,
      url: path === '' ? '' : pathToFileURL(join(ROOT, path)).href,
      scriptId: '1',
      lineNumber: 0,
      columnNumber: 0,
    });
    const nodes = [
      { id: 1, callFrame: frame('(root)'), children: [2, 6] },
      { id: 2, callFrame: frame('settle', 'runtime/deal/settle.ts'), children: [3] },
      { id: 3, callFrame: { ...frame('onTick'), url: 'node:internal/process' }, children: [4] },
      { id: 4, callFrame: frame('query', 'node_modules/pg/lib/client.js'), children: [5] },
      { id: 5, callFrame: frame('submit', 'node_modules/pg/lib/query.js') },
      { id: 6, callFrame: frame('(idle)') },
    ];
    const file = join(folder, 'deals.cpuprofile');
    const drawing = join(folder, 'deals.svg');
    const samples = [2, 3, 5, 6];
    writeFileSync(
      file,
      JSON.stringify({ nodes, samples, timeDeltas: [10e3, 20e3, 30e3, 40e3], startTime: 0, endTime: 1 }),
    );
    drawFlameGraph(file, drawing, { title: 'A <deal>', count: 2 });
    const svg = readFileSync(drawing, 'utf8');
    expect(svg).toContain('A &lt;deal&gt;: 30 ms');
    expect(
      [...svg.matchAll(/<title>(.*?)<\/title><rect x="(.*?)" y="\d+" width="(.*?)"/g)].map((m) => m.slice(1)),
    ).toEqual([
      ['settle (runtime/ of the project): 30.0 ms', '0.0', '1200.0'],
      ['pg (library): 15.0 ms', '0.0', '600.0'],
    ]);
  });
});
