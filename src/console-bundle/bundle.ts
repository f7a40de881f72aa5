import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, relative } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { OPENAPI, ROOT } from '../paths.ts'
import { getBundleFolder, INPUT_FILES, isBundled, WORKER } from './bundled.ts'
import { type Document, extractFieldMetadata } from './field-metadata.ts'
import { compressFiles, writeBundle } from './write-bundle.ts'

// The process that bundles the console: run by `npm run bundle`, `prepare`, and the first start without a bundle of its sources.

/** Path of the bundle's files in the service: see console-files.ts. */
const URL_PREFIX = '/console/'
/** The font file that every page needs, and those that are available without a network: Greek has the signs of units. */
const MAIN_FONT = /^inter-latin-wght-normal-\w+\.woff2$/
const OFFLINE_FONTS = /^inter-(latin|latin-ext|greek)-wght-normal-\w+\.woff2$/

/** Packages of the template editor, which needs the service for its previews: browsers load them with its page alone. */
const EDITOR_PACKAGES = /(^|\/)node_modules\/(@codemirror|@lezer|codemirror|pdfjs-dist)\//

/** Writes the files of the bundle. */
async function fillBundle(draft: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'src/console/main.tsx' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfig: 'src/console/tsconfig.json',
    minify: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file', '.woff2': 'file', '.wasm': 'file' },
    publicPath: URL_PREFIX,
    outdir: draft,
    metafile: true,
    logLevel: 'warning',
    plugins: [fieldMetadataPlugin(await readDocument()), addressPlugin],
  })
  checkInputs(metafile)
  await compressFiles(draft)
  await writeFile(join(draft, 'index.html'), createPage(metafile, draft))
  await bundleWorker(metafile, draft)
}

/**
 * Bundles the service worker, which loads the console without a network: it lists the files of this bundle, so that each bundle has a
 * different worker (ADR 0040).
 */
async function bundleWorker({ outputs }: Metafile, draft: string): Promise<void> {
  const names = Object.keys(outputs).map((path) => basename(path))
  const main = names.find((name) => /^main-.*\.js$/.test(name))
  const usedOffline = Object.entries(outputs)
    .filter(([, { inputs }]) => !Object.keys(inputs).some((path) => EDITOR_PACKAGES.test(path)))
    .map(([path]) => basename(path))
  // without the barcode decoder for the camera, which is as large as all the rest, and which few users need, and without rare alphabets
  const files = usedOffline
    .filter((name) => /\.(js|css|svg)$/.test(name) || OFFLINE_FONTS.test(name))
    .map((name) => URL_PREFIX + name)
  const name = createHash('sha256').update(names.sort().join()).digest('hex').slice(0, 16)
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/console/offline/service-worker.ts'],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    tsconfig: 'src/console/tsconfig.json',
    minify: true,
    define: { BUNDLE: JSON.stringify({ name, main, files: files.sort() }) },
    outfile: join(draft, WORKER),
    metafile: true,
    logLevel: 'warning',
  })
  checkInputs(metafile)
}

/** `import url from 'url:pdfjs-dist/...'` adds the script to the bundle as it is, and imports its URL: workers are not bundled. */
const addressPlugin: Plugin = {
  name: 'url',
  setup(build) {
    build.onResolve({ filter: /^url:/ }, ({ path, resolveDir }) => ({
      path: createRequire(join(resolveDir, 'x')).resolve(path.slice('url:'.length)),
      namespace: 'url',
    }))
    build.onLoad({ filter: /.*/, namespace: 'url' }, async ({ path }) => ({ contents: await readFile(path), loader: 'file' }))
  },
}

const readDocument = async (): Promise<Document> => JSON.parse(await readFile(OPENAPI, 'utf8')) as Document

/** `import metadata from 'metadata:/api/company/'` imports the field metadata of that path from the OpenAPI document. */
const fieldMetadataPlugin = (document: Document): Plugin => ({
  name: 'metadata',
  setup(build) {
    build.onResolve({ filter: /^metadata:/ }, ({ path }) => ({ path: path.slice('metadata:'.length), namespace: 'metadata' }))
    build.onLoad({ filter: /.*/, namespace: 'metadata' }, ({ path }) => ({
      contents: JSON.stringify(extractFieldMetadata(document, path)),
      loader: 'json',
    }))
  },
})

/** Requires every input of the bundle to be part of its hash: otherwise the bundle would not be replaced when that file changes. @throws Error */
function checkInputs({ inputs }: Metafile): void {
  const isKnown = (path: string) =>
    /^src\/console\/|(^|\/)node_modules\/|^metadata:|^<define:/.test(path) || INPUT_FILES.includes(path)
  const unknown = Object.keys(inputs).filter((path) => !isKnown(path))
  if (unknown.length > 0) throw new Error(`not among INPUT_FILES of bundled.ts: ${unknown.join(', ')}`)
}

/** The single HTML page of the console, used for every path. Its scripts and styles are separate files: its policy allows nothing inline. */
function createPage({ outputs }: Metafile, draft: string): string {
  const names = Object.entries(outputs).map(([path, output]) => ({ name: relative(draft, join(ROOT, path)), ...output }))
  const main = names.find(({ entryPoint }) => entryPoint === 'src/console/main.tsx')
  if (!main?.cssBundle) throw new Error('esbuild created no script with a style sheet')
  const toUrl = (path: string) => URL_PREFIX + basename(path)
  const modulePaths = main.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => toUrl(path))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Stockroom</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${toUrl(findFile(names, /^icon-\w+\.svg$/))}" type="image/svg+xml">
<link rel="preload" href="${toUrl(findFile(names, MAIN_FONT))}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${toUrl(main.cssBundle)}">
${modulePaths.map((path) => `<link rel="modulepreload" href="${path}">`).join('\n')}
<script type="module" src="${toUrl(main.name)}"></script>
</head>
<body>
<div id="console"></div>
<noscript>Stockroom needs JavaScript. The API documentation is at <a href="/api-doc/">/api-doc/</a>.</noscript>
</body>
</html>
`
}

/** @throws Error when no file has such a name */
function findFile(names: { name: string }[], pattern: RegExp): string {
  const file = names.find(({ name }) => pattern.test(basename(name)))
  if (!file) throw new Error(`esbuild created no file like ${pattern}`)
  return file.name
}

const [folder = getBundleFolder()] = process.argv.slice(2)
if (!isBundled(folder)) await writeBundle(folder, isBundled, fillBundle)
