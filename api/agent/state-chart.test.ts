import { describe, expect, it } from 'vitest';
import { agentMachine } from '../../agents/agent/agent.ts';
import { agentStates, stateChart } from './state-chart.ts';

describe('where an agent stands', () => {
  it('is drawn among the states of its own machine, whichever these are', () => {
    const { start, held, end } = agentStates();
    const drawn = [start, ...held, end].sort();
    // The passing state, and the one in which an agent ends, are shown as what they lead to.
    const own = Object.keys(agentMachine.root.states).filter((s) => s !== 'judging' && s !== 'retiring');
    expect(drawn).toEqual(own.sort());
    expect(start).toBe('active');
  });

  it('marks one state, says it in words, and tells a new owner from a pause', () => {
    const active = stateChart({ status: 'active' }).text;
    expect(active.match(/class="here"/g)).toHaveLength(1);
    expect(active).toMatch(/class="here"><rect[^>]*\/><text[^>]*>active</);
    expect(active).toContain('<strong>active</strong>: Nothing holds it');
    expect(stateChart({ status: 'paused', heldBy: ['owner'] }).text).toContain('<strong>paused</strong>');
    expect(stateChart({ status: 'paused', heldBy: ['new-owner'] }).text).toContain(
      '<strong>transferred</strong>',
    );
  });
});
