import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MACHINES } from '../machines.ts';
import { readChart } from './chart.ts';
import { statechartPages } from './statecharts.ts';

const written = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

describe('the statecharts', () => {
  it('are those of the machines as they are: otherwise run `npm run docs`', async () => {
    for (const { path, text } of await statechartPages(MACHINES)) expect(written(path), path).toBe(text);
  });

  it('show every state and every event that a machine follows', async () => {
    for (const { logic, effects } of MACHINES) {
      const { id, states } = readChart(logic, effects);
      const svg = written(`statecharts/${id}.svg`).replaceAll('&#45;', '-');
      for (const state of states.slice(1)) expect(svg, state.id).toContain(`>${state.name}<`);
      const page = written('statecharts.md');
      for (const event of logic.events.filter((e) => !e.startsWith('xstate.') && e !== '*'))
        expect(page, event).toContain(`\`${event}\``);
    }
  });
});
