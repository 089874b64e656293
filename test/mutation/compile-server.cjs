// One warm compiler for one workshop, whose folder is the argument: answers standard-JSON requests on its socket.
// Loading 9 MB of WebAssembly and letting it grow warm for every mutant would cost more than the tests do.
'use strict';
const { readFileSync } = require('node:fs');
const { createServer } = require('node:net');
const { join } = require('node:path');
const solc = require('solc');

const folder = process.argv[2];

function readImport(path) {
  try {
    return { contents: readFileSync(join(folder, path.startsWith('@') ? 'node_modules' : '', path), 'utf8') };
  } catch {
    return { error: `${path} is not there` };
  }
}

// Forge reads all the sources anew before every run of the tests, which are the same ones each time.
const KEPT = 4;
const answers = new Map();

function answer(input) {
  const given = answers.get(input) ?? solc.compile(input, { import: readImport });
  // The last asked for is the last to go.
  answers.delete(input);
  answers.set(input, given);
  if (answers.size > KEPT) answers.delete(answers.keys().next().value);
  return given;
}

createServer({ allowHalfOpen: true }, (connection) => {
  const chunks = [];
  connection.on('data', (chunk) => chunks.push(chunk));
  connection.on('end', () => {
    connection.end(answer(Buffer.concat(chunks).toString('utf8')));
  });
  connection.on('error', () => connection.destroy());
}).listen(join(folder, 'solc.sock'), () => {
  process.stdout.write(`${solc.version().replace('.Emscripten.clang', '.Linux.g++')}\n`);
});
process.on('disconnect', () => process.exit(0));
