import { randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { bundleFolder, sourceFiles } from './bundled.js'

// The process that bundles the server: for `npm run bundle`, `prepare`, and the first start on sources without a bundle.

const ROOT = join(import.meta.dirname, '../..')
const DAY = 24 * 3_600_000

/** The modules that are started or loaded by their paths (`entryPath` in paths.ts), and the module of the commands, which loads all others. */
const ENTRIES = ['src/cli.ts', 'src/**/*-worker.ts', 'src/plugins/*.ts']

/**
 * The packages that bundles contain, with their own dependencies. All others have native code or files of their own, or belong to the
 * tests. Not the bundler itself, nor pdfjs-dist: it is for browsers, and the tests load it with its worker.
 */
const BUNDLED_PACKAGES = Object.keys(
  JSON.parse(readFileSync(join(ROOT, 'bundled-packages/package.json'), 'utf8')).dependencies,
).filter((name) => name !== 'esbuild' && name !== 'pdfjs-dist')

/**
 * Leaves out packages that are not bundled, and those that a bundled package uses only if they are installed.
 * @type {import('esbuild').Plugin}
 */
const outside = {
  name: 'packages outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined
      const isBundled = importer.includes('node_modules')
        ? !OPTIONAL_PACKAGES.includes(path)
        : BUNDLED_PACKAGES.some((name) => path === name || path.startsWith(`${name}/`))
      return isBundled ? undefined : { path, external: true }
    })
  },
}

/** Optional dependencies of bundled packages that Stockroom does not install. */
const OPTIONAL_PACKAGES = ['pg-native']

/** Defines what CommonJS modules expect, of which packages consist in part. */
const COMMONJS = /** @type {const} */ ({
  banner: {
    js: "import { createRequire as createRequire$ } from 'node:module'\nconst require = createRequire$(import.meta.url)",
  },
  define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
})

const OPTIONS = /** @type {const} @satisfies {import('esbuild').BuildOptions} */ ({
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // ES modules of packages that have both forms: checkInputs rejects others in import()
  mainFields: ['module', 'main'],
  metafile: true,
  logLevel: 'warning',
})

/**
 * Builds a bundle in a temporary folder and renames it to its final one, so that several processes can do it at the same time.
 * @param {string} folder
 */
async function bundle(folder) {
  const draft = `${folder}.new-${randomUUID()}`
  try {
    await bundleService(draft)
    await bundlePluginChild(join(draft, 'plugin-child'))
    await rename(draft, folder).catch((error) => {
      // another process was faster
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await sweep(folder)
}

/**
 * Bundles the service with its commands, workers and plugins in one folder: paths.ts looks for entries in its own folder.
 * @param {string} folder
 */
async function bundleService(folder) {
  checkInputs(await bundleEntries(folder))
}

/**
 * Bundles the entries of the service, and further ones that share its modules: those of the tests.
 * @param {string} folder
 * @param {Record<string, string>} more their sources by their names in the folder, without an extension
 * @param {import('esbuild').BuildOptions} options
 */
async function bundleEntries(folder, more = {}, options = {}) {
  const entries = globSync(ENTRIES, { cwd: ROOT, exclude: ['src/console/**', 'src/**/*.test.ts', 'src/plugins/index.ts'] })
  const { metafile } = await build({
    ...OPTIONS,
    ...options,
    metafile: true,
    plugins: [outside],
    ...COMMONJS,
    entryPoints: { ...Object.fromEntries(entries.map((path) => [basename(path, '.ts'), path])), ...more },
    splitting: true,
    outdir: folder,
  })
  return metafile
}

/**
 * Bundles the tests with the service.
 * @param {string} folder
 * @param {Record<string, string>} tests the sources of test files, and of their runner, by their names in the folder, without an extension
 */
export async function bundleTests(folder, tests) {
  await bundleEntries(folder, tests, { sourcemap: 'linked', sourcesContent: false })
  await bundlePluginChild(join(folder, 'plugin-child'))
}

/**
 * Bundles the process of a plugin into a folder of its own, as the process may read everything in it (`pluginChild` in paths.ts).
 * @param {string} folder
 */
async function bundlePluginChild(folder) {
  const { metafile } = await build({
    ...OPTIONS,
    plugins: [outside],
    entryPoints: { main: 'src/plugin-host/child/main.ts', 'plugin-api': 'src/plugin-api/index.ts' },
    outdir: folder,
  })
  checkInputs(metafile)
}

/**
 * Checks that all bundled files are covered by the bundle's name: a change of any other file would not replace the bundle. And that no
 * CommonJS module is imported dynamically: only its default export would exist in the bundle.
 * @param {import('esbuild').Metafile} metafile
 * @throws Error
 */
function checkInputs({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { kind, path } of imports)
      if (kind === 'dynamic-import' && file.startsWith('src/') && inputs[path]?.format === 'cjs')
        throw new Error(`${file} imports ${path} dynamically, which is CommonJS: import it in a module of its own instead`)
  const known = new Set(sourceFiles())
  const unknown = Object.keys(inputs).filter((path) => !known.has(path) && !path.includes('node_modules/'))
  if (unknown.length > 0) throw new Error(`not among the sources of the server (bundled.js): ${unknown.join(', ')}`)
}

/**
 * Deletes bundles of other sources after a day, as a service may still run from them until then.
 * @param {string} current
 */
async function sweep(current) {
  for (const name of await readdir(dirname(current))) {
    const path = join(dirname(current), name)
    const found = path === current ? undefined : await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > DAY) await rm(path, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const [folder = bundleFolder()] = process.argv.slice(2)
  if (!existsSync(folder)) await bundle(folder)
}
