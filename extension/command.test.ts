import { describe, expect, it } from 'vitest';
import { type BuiltIn, extensionCommand } from './command.ts';

/** What was built, and what was said in place of it. */
function run(...words: string[]): { built: BuiltIn | null; said: string } {
  let built: BuiltIn | null = null;
  let said = '';
  const write = (text: string) => {
    said += text;
  };
  const command = extensionCommand((options) => {
    built = options;
  });
  command.exitOverride().configureOutput({ writeErr: write, writeOut: write });
  try {
    command.parse(words, { from: 'user' });
  } catch {
    // What was wrong is in `said`.
  }
  return { built, said };
}

describe('the command that builds the extension', () => {
  const signer = `0x${'aB'.repeat(20)}`;

  it('builds for a web address and a key, and for this machine where none is given', () => {
    expect(run('--service', 'https://your.service/', '--signer', signer).built).toEqual({
      service: 'https://your.service',
      signer,
    });
    expect(run().built).toEqual({ service: 'http://127.0.0.1:4021', signer: null });
  });

  it.each([
    [['--service', 'foo'], /--service.*http:\/\/ or https:\/\//],
    [['--service', 'ftp://your.service'], /--service.*http:\/\/ or https:\/\//],
    [['--signer', '0x12'], /--signer.*40 hex digits.*signature\.signer/],
    [['--signer'], /--signer/],
    [['--servise', 'https://your.service'], /--servise.*[\s\S]*--service/],
    [['https://your.service'], /argument/],
  ])('builds nothing of %j, and names the option and what it takes', (words, remedy) => {
    const { built, said } = run(...words);
    expect([built, said]).toEqual([null, expect.stringMatching(remedy)]);
  });

  it('shows by --help an example', () => {
    const { built, said } = run('--help');
    expect(built).toBeNull();
    expect(said).toContain('npm run extension -- --service https://your.service --signer 0x');
  });
});
