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

/** Of a service that has effects of every kind which its store tells of. */
const BACKLOG = {
  ...{ unservedEvents: 0, oldestUnserved: null, deadLetterEvents: 0, oldestDeadLetter: 60 },
  effects: ['failed', 'pending', 'running'].map((status) => ({ kind: 'settle', status, count: 1 })),
};

const FILES = ['prometheus-rules.yaml', 'grafana-dashboard.json', 'kubernetes.yaml'] as const;

describe('what watches the service', () => {
  it.each(FILES)('names in %s only metrics that are exported', async (file) => {
    const named = new Set(read(file).match(/\bhandshake_[a-z_]+\b/g));
    expect(named.size).toBeGreaterThan(0);
    const known = await exported();
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it('asks for metrics with the key of a secret, by the port and labels of the pods', () => {
    const [pods, monitor] = [read('kubernetes.yaml'), read('pod-monitor.yaml')];
    // Whoever asks because of an annotation has no key.
    expect(pods).not.toContain('prometheus.io/scrape');
    const [, labels = ''] = /selector: \{ matchLabels: (\{.*?\}) \}/.exec(monitor) ?? [];
    expect(pods).toContain(`metadata: { labels: ${labels} }`);
    const [, port = ''] = /- port: (\w+)/.exec(monitor) ?? [];
    expect(pods).toContain(`ports: [{ name: ${port}, containerPort: 4021 }]`);
    const [, secret = '', key = ''] =
      /authorization: .*credentials: \{ name: ([\w-]+), key: (\w+) \}/.exec(monitor) ?? [];
    expect(monitor).toContain(`secret generic ${secret} --from-literal=${key}=`);
    for (const page of [monitor, read('../operator.md')]) expect(page).toContain('--scope metrics');
  });

  it('takes once what each API tells of the whole database', async () => {
    const text = await openMetrics().text({});
    const gauges = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name = '']) => name);
    const shared = gauges.filter((name) => !name.startsWith('handshake_process_'));
    expect(shared.length).toBeGreaterThan(10);
    const once = /(?:\bm(?:ax|in)(?: by \([a-z, ]+\) )?|\babsent)\($/;
    for (const file of FILES) {
      const asked = [...read(file).matchAll(/(?:expr"?: |`).*\bhandshake_.*/g)].flatMap(([line]) =>
        [...line.matchAll(/\bhandshake_[a-z_]+\b/g)]
          .filter(([name]) => shared.includes(name))
          .map(({ index, 0: name }) => ({ name, before: line.slice(0, index) })),
      );
      expect(asked.length, file).toBeGreaterThan(0);
      for (const { name, before } of asked) expect(before, `${file}: ${name}`).toMatch(once);
    }
  });

  it('asks for what was given up under the word by which it is exported', async () => {
    const metrics = openMetrics();
    const text = await metrics.text({ backlog: async () => BACKLOG });
    const exportedAs = [...text.matchAll(/^handshake_effects\{.*status="([^"]+)"\} 1$/gm)].map(
      ([, status]) => status,
    );
    expect(exportedAs.sort()).toEqual(['failed', 'pending', 'running']);
    for (const file of ['prometheus-rules.yaml', 'prometheus-rules.test.yaml', '../runbook.md']) {
      const asked = [...read(file).matchAll(/handshake_effects\{[^}]*status="([^"]+)"/g)].map(([, s]) => s);
      expect(asked.length, file).toBeGreaterThan(0);
      expect(
        asked.filter((status) => !exportedAs.includes(status)),
        file,
      ).toEqual([]);
    }
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

  it('tries every alert', () => {
    const alerts = [...read('prometheus-rules.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const tried = new Set(
      [...read('prometheus-rules.test.yaml').matchAll(/alertname: (\w+)/g)].map(([, name]) => name),
    );
    expect(alerts.filter((name) => !tried.has(name))).toEqual([]);
  });

  // Where Debian's prometheus is installed, promtool reads them; the rest of this file holds without it.
  it('has rules that promtool takes, where there is one', () => {
    const rules = new URL('prometheus-rules.yaml', FOLDER).pathname;
    for (const of of [
      ['check', 'rules', rules],
      ['test', 'rules', rules.replace(/\.yaml$/, '.test.yaml')],
    ]) {
      const checked = spawnSync('promtool', of);
      expect(checked.error === undefined ? checked.status : 0, `${checked.stdout}${checked.stderr}`).toBe(0);
    }
  });
});

describe('an image', () => {
  it('runs as a user to whom each file gives the data folder', () => {
    const [, uid] = /^RUN useradd .*--uid (\d+) handshake/m.exec(read('Containerfile')) ?? [];
    expect(uid).toBeDefined();
    expect(read('Containerfile')).toMatch(/^USER handshake$/m);
    // A folder of the host keeps its owner in the container.
    expect(read('compose.yaml')).toContain('volumes: ["./data:/data"]');
    expect(read('compose.yaml')).toContain(`chown -R ${uid} data && sudo chmod 700 data`);
    expect(read('../runbook.md')).toContain(`chown -R ${uid}`);
    const pods = [...read('kubernetes.yaml').matchAll(/runAsUser: (\d+), fsGroup: (\d+)/g)];
    expect(pods.map(([, user, group]) => [user, group])).toEqual([
      [uid, uid],
      [uid, uid],
    ]);
  });

  it('is started by every file with the options of Node that `npm start` has', () => {
    const { scripts } = JSON.parse(read('../../package.json')) as { scripts: { start: string } };
    const [, options = ''] = /^node (.+) runtime\/bin\.mjs up$/.exec(scripts.start) ?? [];
    expect(options).not.toBe('');
    const args = ['node', ...options.split(' '), 'runtime/bin.mjs'];
    expect(read('Containerfile')).toContain(`ENTRYPOINT ${JSON.stringify(args).replaceAll(',', ', ')}`);
    for (const unit of ['handshake.service', 'handshake-worker@.service'])
      expect(read(unit)).toMatch(new RegExp(`^ExecStart=/usr/bin/${args.join(' ')} `, 'm'));
  });

  it('is made without what git leaves out: data folders with their keys, above all', () => {
    const lines = (name: string): string[] =>
      readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
        .split('\n')
        .map((line) => line.trim().replace(/\/$/, ''))
        .filter((line) => line !== '' && !line.startsWith('#'));
    const leftOut = new Set(lines('.dockerignore'));
    expect(lines('.gitignore').filter((line) => !leftOut.has(line))).toEqual([]);
    expect([...leftOut]).toEqual(expect.arrayContaining(['.git', '.env', '.data']));
  });
});
