import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionScript } from './completion.ts';
import { readHelp } from './help.ts';

const table = readHelp();

/** What bash offers after these words, of which the last is being typed. */
function offered(words: readonly string[]): string[] {
  const all = ['handshake', ...words];
  const program = `${completionScript('bash', table)}
COMP_WORDS=(${all.map((w) => `'${w}'`).join(' ')})
COMP_CWORD=${all.length - 1}
_handshake
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', program], { encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('in bash', () => {
  it('commands, those under them, options and their values are completed', () => {
    expect(offered([''])).toEqual(expect.arrayContaining(['doctor', 'register', '--help']));
    expect(offered(['reg'])).toEqual(['register']);
    expect(offered(['register', ''])).toEqual(expect.arrayContaining(['status', 'refresh', 'import']));
    expect(offered(['register', 'import', '--m'])).toEqual(['--minimum']);
    expect(offered(['judge', 'wallet', '--depth', ''])).toEqual(['1-of-1', '2-of-2', 'superconsensus']);
    expect(offered(['nothing', 'like', 'xyz'])).toEqual([]);
  });
});

it('zsh gets the same by its bash completion, and fish a line for each option', () => {
  expect(completionScript('zsh', table)).toMatch(/^#compdef handshake\n.*bashcompinit/);
  const fish = completionScript('fish', table);
  expect(fish).toContain("complete -c handshake -f -n '__fish_use_subcommand' -a 'up doctor");
  expect(fish).toContain(
    "-n '__fish_seen_subcommand_from judge' -l depth -x -a '1-of-1 2-of-2 superconsensus'",
  );
});
