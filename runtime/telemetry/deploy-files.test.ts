import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openMetrics } from './metrics.ts';

const FOLDER = new URL('../../docs/deploy/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

/** Every metric as Prometheus knows it: a histogram by its three. */
async function exported(): Promise<ReadonlySet<string>> {
  const text = await openMetrics().text({});
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name],
  );
  return new Set(names);
}

const FILES = ['prometheus-rules.yaml', 'grafana-dashboard.json', 'kubernetes.yaml'] as const;

describe('what watches the service', () => {
  it.each(FILES)('names in %s only metrics that are exported', async (file) => {
    const named = new Set(read(file).match(/\bhandshake_[a-z_]+\b/g));
    expect(named.size).toBeGreaterThan(0);
    const known = await exported();
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it('leads from every alert to a section of the runbook', () => {
    const sections = [...read('../runbook.md').matchAll(/^##+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...read('prometheus-rules.yaml').matchAll(/runbook: "docs\/runbook\.md#([a-z-]+)"/g)];
    const alerts = read('prometheus-rules.yaml').match(/- alert: /g);
    expect(links).toHaveLength(alerts!.length);
    for (const [, anchor] of links) expect(sections).toContain(anchor);
  });

  const promtool = spawnSync('promtool', ['--version']).status === 0;
  it.skipIf(!promtool)(
    'has rules that promtool takes (skipped where Debian’s prometheus is not installed)',
    () => {
      const checked = spawnSync('promtool', [
        'check',
        'rules',
        new URL('prometheus-rules.yaml', FOLDER).pathname,
      ]);
      expect(checked.status, String(checked.stdout) + String(checked.stderr)).toBe(0);
    },
  );
});
