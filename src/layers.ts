import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './paths.ts'

/**
 * Layers of the service, from the lowest to the highest: folders of `src/`, and single files of it. Each imports only itself and layers
 * listed before it, types included. `npm run check` runs this file, which fails otherwise. The README of each layer explains its purpose.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  base: [
    'config-values.ts',
    'config.ts',
    'log.ts',
    'make-folder.ts',
    'network.ts',
    'operator-error.ts',
    'paths.ts',
    'processes.ts',
    'progress.ts',
    'secret-key.ts',
    'single-sign-on.ts',
    'version.ts',
    'web-pages.ts',
    'wire.ts',
  ],
  database: ['database/'],
  kit: ['kit/'],
  'plugin-api': ['plugin-api/'],
  notation: ['notation/'],
  spreadsheets: ['spreadsheets/'],
  settings: ['settings/'],
  plugins: ['plugins/'],
  'plugin-host': ['plugin-host/'],
  printing: ['printing/'],
  resources: ['resources/'],
  'link-pages': ['link-pages/'],
  importing: ['importing/'],
  demo: ['demo/'],
  console: ['console/'],
  'console-bundle': ['console-bundle/', 'docs-bundle/', 'server-bundle/'],
  // the application, its commands, and the scripts of the repository
  application: ['move-files.ts', 'backup/', 'doctor/', ''],
}

/**
 * Folders that import only a part of the layers below: each with that part. The two kits have layers of their own, from the bottom up, each
 * importing only itself and those before it.
 */
const RESTRICTED: { folder: string; layers?: readonly string[]; allowed: readonly string[] }[] = [
  {
    folder: 'kit/',
    layers: ['values', 'request', 'sql', 'services', 'definition', 'reading', 'writing', 'http'],
    // the configuration of the process, its files, and the driver of the database
    allowed: ['config.ts', 'wire.ts', 'network.ts', 'paths.ts', 'database/own-connection.ts', 'database/text-query.ts'],
  },
  {
    folder: 'console/kit/',
    layers: ['values', 'language', 'service', 'navigation', 'page', 'window', 'form', 'table', 'grid', 'files'],
    allowed: ['console/languages/'],
  },
  {
    // the console uses it, too
    folder: 'notation/',
    allowed: ['kit/values/', 'plugin-api/barcode/'],
  },
  {
    // it runs in browsers: bundled.ts lists what its bundle takes of the server
    folder: 'console/',
    allowed: ['web-pages.ts', 'spreadsheets/', 'notation/'],
  },
]

const src = join(ROOT, 'src')
const problems: string[] = []

const layers = Object.entries(LAYERS)
/** Index of a file's layer: of the longest entry that it begins with. */
function getLayer(file: string): number {
  let best = { index: -1, length: -1 }
  for (const [index, [, entries]] of layers.entries())
    for (const entry of entries) if (file.startsWith(entry) && entry.length > best.length) best = { index, length: entry.length }
  return best.index
}

/** The files of `src/` that each file imports. */
const imports = new Map<string, string[]>()
for (const file of globSync('**/*.{ts,tsx}', { cwd: src })) {
  const paths = [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
  imports.set(
    file,
    paths.map(([, path = '']) => relative(src, join(src, dirname(file), path))).filter((path) => !path.startsWith('..')),
  )
}

/** Tests, and files that import test helpers. They may import anything. */
const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) ||
  /^(testing|specification|screenshots|console\/testing|resources\/stock\/model)\//.test(file) ||
  /(^|\/)fixture\.ts$/.test(file) ||
  (imports.get(file) ?? []).some((path) => /^testing\//.test(path))

for (const [file, paths] of imports) {
  if (isTest(file)) continue
  const layer = getLayer(file)
  for (const path of paths) {
    const importedLayer = getLayer(path)
    if (importedLayer > layer)
      problems.push(`src/${file} (${layers[layer]?.[0]}) imports src/${path} (${layers[importedLayer]?.[0]}), which is above it`)
    if (isTest(path)) problems.push(`src/${file} imports src/${path}, which belongs to the tests`)
  }
}

for (const { folder, layers: order = [], allowed } of RESTRICTED) {
  for (const entry of order.length > 0 ? readdirSync(join(src, folder)) : [])
    if (!order.includes(entry) && entry !== 'README.md')
      problems.push(`src/${folder}${entry} is not a layer of ${folder}: name it in src/layers.ts`)
  const getInnerLayer = (file: string) => order.indexOf(file.slice(folder.length).split('/')[0] as string)
  for (const [file, paths] of imports) {
    if (!file.startsWith(folder)) continue
    for (const path of paths)
      if (
        path.startsWith(folder)
          ? getInnerLayer(path) > getInnerLayer(file)
          : !isTest(file) && !allowed.some((start) => path.startsWith(start))
      )
        problems.push(`src/${file} imports src/${path}, which is above it in ${folder} or not among what it may import`)
  }
}

if (problems.length) {
  console.error(problems.join('\n'))
  process.exit(1)
}
