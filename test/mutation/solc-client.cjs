#!/usr/bin/env node
// What forge calls as its compiler inside a workshop: hands the request to the warm compiler next door.
'use strict';
const { readFileSync } = require('node:fs');
const { connect } = require('node:net');
const { join } = require('node:path');

if (process.argv.includes('--version')) {
  const version = readFileSync(join(__dirname, 'solc.version'), 'utf8').trim();
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`);
} else {
  const compiler = connect(join(__dirname, 'solc.sock'));
  process.stdin.pipe(compiler);
  compiler.pipe(process.stdout);
}
