import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { mandateCommand } from './mandate.ts';

async function run(text: string | Uint8Array[], ...args: string[]): Promise<string> {
  let out = '';
  async function* input() {
    yield* typeof text === 'string' ? [text] : text;
  }
  const command = mandateCommand({
    input: input(),
    write: (line) => {
      out += line;
    },
  });
  for (const one of [command, ...command.commands])
    one.configureOutput({
      writeErr: () => {},
      writeOut: (line) => {
        out += line;
      },
    });
  await command.parseAsync(['parse', ...args], { from: 'user' });
  return out;
}

const AT = ['--ref-date', '2026-12-01T00:00:00Z'] as const;

describe('mandate parse', () => {
  it('prints the mandate on one line', async () => {
    const out = await run('Buy concert tickets, max 150 USDC per deal, for 7 days.\n', ...AT);
    expect(out.endsWith('}\n')).toBe(true);
    expect(JSON.parse(out)).toEqual({
      decision: 'ACCEPT',
      mandate: {
        side: 'buy',
        currency: 'USDC',
        cap_per_deal: '150',
        categories_allow: ['travel-and-perishables'],
        expires_at: '2026-12-08T00:00:00Z',
      },
    });
  });

  it('prints the first reason and question of a refusal', async () => {
    expect(JSON.parse(await run('Spend up to 500 USDC per deal on travel until 04/05/2027.', ...AT))).toEqual(
      {
        decision: 'REFUSE',
        reason: 'AMBIGUOUS_DATE',
        question: 'Is 04/05/2027 the 4th of May or the 5th of April?',
      },
    );
  });

  it('refuses what takes more steps than its length allows, with a reason and a question', async () => {
    const hard = `Buy art, max 5 USDC per deal, for 30 days. ${`${'a '.repeat(24)}5 `.repeat(79)}`;
    expect(JSON.parse(await run(hard, ...AT))).toEqual({
      decision: 'REFUSE',
      reason: 'TOO_HARD',
      question: expect.stringMatching(/\?$/),
    });
  });

  it('reads no more of an endless text than it takes to refuse it', async () => {
    let read = 0;
    const endless = {
      length: 1e9,
      *[Symbol.iterator]() {
        for (;;) {
          read++;
          yield new TextEncoder().encode('x'.repeat(1000));
        }
      },
    };
    const out = JSON.parse(await run(endless as unknown as Uint8Array[], ...AT));
    expect([out.decision, read]).toEqual(['REFUSE', 5]);
  });

  it('reads text that arrives in pieces, even inside a character', async () => {
    const bytes = new TextEncoder().encode('Buy travel, max €5 per deal, until 2027-01-31.');
    const out = JSON.parse(await run([bytes.slice(0, 18), bytes.slice(18)], ...AT));
    expect(out.reason).toBe('NO_CURRENCY');
  });

  it.each([[['--ref-date', 'yesterday']], [['--ref-date']], [['--no-such-option']]])(
    'refuses %j',
    async (args) => {
      await expect(run('Buy travel.', ...args)).rejects.toThrow(CommanderError);
    },
  );

  it('explains itself with examples', async () => {
    const help = mandateCommand().commands[0]!;
    let out = '';
    help.configureOutput({
      writeOut: (text) => {
        out += text;
      },
    });
    help.outputHelp();
    expect(out).toContain('--ref-date <iso>');
    expect(out).toContain('Examples:');
  });
});
