#!/usr/bin/env node
// Answers as the solc command would, from the solc of the package: `--version` and `--standard-json` on standard
// input, the two things forge asks. Forge then needs no compiler of its own and no network.
'use strict';
const { readFileSync } = require('node:fs');
const { isAbsolute, resolve } = require('node:path');
const solc = require('solc');

const args = process.argv.slice(2);

function readImport(path) {
  const roots = args.flatMap((arg, i) => (/^--(base|include)-path$/.test(arg) ? [args[i + 1]] : []));
  const candidates = isAbsolute(path) ? [path] : [...roots, process.cwd()].map((root) => resolve(root, path));
  for (const file of candidates) {
    try {
      return { contents: readFileSync(file, 'utf8') };
    } catch {
      // Not under this root.
    }
  }
  return { error: `File not found: ${path}` };
}

if (args.includes('--version')) {
  const version = solc.version().replace('.Emscripten.clang', '.Linux.g++');
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`);
} else if (args.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8'), { import: readImport }));
} else {
  process.stderr.write('only --version and --standard-json are answered\n');
  process.exitCode = 1;
}
