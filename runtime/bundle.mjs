import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['agents', 'api', 'chain', 'client', 'runtime', 'store'];
const ENTRY = 'runtime/handshake.ts';
/** Beside the libraries: who may write here may write those, too, so a bundle is trusted as they are. */
const CACHE = join(ROOT, 'node_modules/.cache/safe-handshake');
/** Made of hundreds of modules each, of which a start loads one after another: they are part of the bundle. */
const TAKEN_IN =
  /^(?:@ethereumjs|@modelcontextprotocol|@noble|@scure|@x402|ethers|jose|ox|stripe|typebox|viem|zod)(?:\/|$)/;
/** A process that runs may still load a part of an older bundle. */
const KEPT = 20;

/**
 * The program, made of the sources as they are now. To load a thousand sources one by one takes longer than all the
 * rest of a start; a bundle is made once for each content of them and place of the libraries, in two seconds, and kept
 * beside these. Where that folder cannot be written, it is made for this process alone.
 * @returns the path of the bundle's entry
 */
export async function bundledProgram() {
  const folder = join(CACHE, contentOf([...sources(), ...libraries(), ...installed()]));
  const entry = join(folder, 'handshake.js');
  if (!existsSync(entry)) {
    const made = makeFolder(folder);
    if (made === null) return await bundleForThisProcess();
    await bundle(made);
    moveTo(folder, made);
    removeOld();
  } else touch(folder);
  return entry;
}

/** Every source that the bundle may contain, in a fixed order. */
function sources() {
  return FOLDERS.filter((name) => existsSync(join(ROOT, name)))
    .flatMap((name) =>
      readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
    )
    .filter((path) => /\.(?:ts|json)$/.test(path) && !path.endsWith('.test.ts'))
    .concat('package.json', 'tsconfig.json', 'runtime/bundle.mjs')
    .sort();
}

/**
 * The description of every library that the sources import: its place and what it says decide which files the bundle
 * names. An installation may change both while the sources stay as they are.
 */
function libraries() {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const folders = foldersOfLibraries();
  return Object.keys(dependencies).flatMap((name) => {
    const paths = folders.map((folder) => join(folder, name, 'package.json'));
    const path = paths.find((each) => existsSync(each));
    // A package manager may put a link there.
    return path === undefined ? [] : [realpathSync(path)];
  });
}

/** What npm installed, with the libraries of libraries. */
function installed() {
  return foldersOfLibraries()
    .map((folder) => join(folder, '.package-lock.json'))
    .filter((path) => existsSync(path));
}

/** Where Node looks for libraries, the nearest first. */
function foldersOfLibraries() {
  const folders = [];
  for (let at = resolve(ROOT); ; at = dirname(at)) {
    folders.push(join(at, 'node_modules'));
    if (at === dirname(at)) return folders;
  }
}

/** Names of files and their bytes, not their times: a package's files all bear the same time. */
function contentOf(paths) {
  // A bundle names its sources and libraries by their places.
  const hash = createHash('sha256').update(ROOT);
  for (const path of paths) {
    const bytes = readFileSync(resolve(ROOT, path));
    hash.update(`\0${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

/** A new folder beside the one to be, which every user may read; null where none may be made. */
function makeFolder(folder) {
  const made = `${folder}.${process.pid}`;
  try {
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
    return made;
  } catch {
    return null;
  }
}

async function bundleForThisProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'safe-handshake-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await bundle(folder);
  return join(folder, 'handshake.js');
}

async function bundle(outdir) {
  const { build, stop } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Errors are told by the names of their classes.
    keepNames: true,
    sourcemap: true,
    // Who reads a trace has the sources; a start would read them within the map.
    sourcesContent: false,
    banner: { js: REQUIRE },
    logLevel: 'error',
    plugins: [OWN_PLACES, LIBRARIES],
  });
  await stop();
}

/** For the libraries of the older kind that are taken in. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module';const require = requireOf(${JSON.stringify(import.meta.url)});`;

/** Sources find files beside them by their own place, which is not the bundle's. */
const OWN_PLACES = {
  name: 'own-places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.filename', JSON.stringify(path)),
    }));
  },
};

/** Most libraries stay what they are, named by their places. What those that are taken in import is taken in, too. */
const LIBRARIES = {
  name: 'libraries',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) =>
      kind === 'entry-point' || TAKEN_IN.test(path) || !isSource(importer)
        ? undefined
        : { path: import.meta.resolve(path), external: true },
    );
  },
};

function isSource(path) {
  return FOLDERS.includes(relative(ROOT, path).split(sep)[0]);
}

/** Another process may have been first; its bundle is the same. */
function moveTo(folder, made) {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'handshake.js'))) throw error;
    rmSync(made, { recursive: true });
  }
}

function touch(folder) {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // Another user's bundle: it is used all the same.
  }
}

function removeOld() {
  const folders = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .map((path) => ({ path, used: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.used - a.used);
  for (const { path } of folders.slice(KEPT)) rmSync(path, { recursive: true, force: true });
}
