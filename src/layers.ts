import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './paths.ts'

/**
 * Layers of the service, from the bottom up: folders of `src/`, and single files of it. Each imports only itself and layers above it in
 * this list, types included. `npm run check` runs this file, which fails otherwise. The README of each layer explains its purpose.
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
  ],
  database: ['database/'],
  kit: ['kit/'],
  'plugin-api': ['plugin-api/'],
  tables: ['tables/'],
  settings: ['settings/'],
  plugins: ['plugins/'],
  'plugin-host': ['plugin-host/'],
  printing: ['printing/'],
  resources: ['resources/'],
  pages: ['pages/'],
  importing: ['importing/'],
  demo: ['demo/'],
  console: ['console/'],
  'console-bundle': ['console-bundle/', 'server-bundle/'],
  // the application, its commands, and the scripts of the repository
  application: ['move-files.ts', 'backup/', ''],
}

/** Layers that a layer must not import although they are below it: the console runs in a browser. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  console: ['database', 'kit', 'plugin-api', 'settings', 'plugins', 'plugin-host', 'printing', 'pages', 'importing', 'demo'],
}

/** Layers inside of a folder, from the bottom up; each imports only itself and those before it. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  kit: ['values', 'request', 'sql', 'services', 'definition', 'reading', 'writing', 'http'],
  'console/kit': ['values', 'language', 'service', 'navigation', 'page', 'window', 'form', 'table', 'grid', 'files'],
}

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
  const paths = [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
  imports.set(
    file,
    paths.map(([, path = '']) => relative(src, join(src, dirname(file), path))).filter((path) => !path.startsWith('..')),
  )
}

/** Tests, and files that import test helpers. They may import anything. */
const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) ||
  /^(testing|specification|console\/testing|resources\/stock\/model)\//.test(file) ||
  /(^|\/)fixture\.ts$/.test(file) ||
  (imports.get(file) ?? []).some((path) => /^testing\//.test(path))

for (const [file, paths] of imports) {
  if (isTest(file)) continue
  const layer = getLayer(file)
  for (const path of paths) {
    const importedLayer = getLayer(path)
    const name = layers[importedLayer]?.[0] ?? ''
    if (importedLayer > layer || FORBIDDEN[layers[layer]?.[0] ?? '']?.includes(name))
      problems.push(`src/${file} (${layers[layer]?.[0]}) imports src/${path} (${name}), which is not a layer below it`)
    if (isTest(path)) problems.push(`src/${file} imports src/${path}, which belongs to the tests`)
  }
}

for (const [folder, order] of Object.entries(INNER)) {
  for (const entry of readdirSync(join(src, folder), { withFileTypes: true }))
    if (entry.isDirectory() && !order.includes(entry.name))
      problems.push(`src/${folder}/${entry.name} is not a layer of ${folder}: name it in src/layers.ts`)
  const getInnerLayer = (file: string) =>
    file.startsWith(`${folder}/`) ? order.indexOf(file.slice(folder.length + 1).split('/')[0] as string) : -1
  for (const [file, paths] of imports) {
    const layer = getInnerLayer(file)
    for (const path of paths)
      if (layer >= 0 && getInnerLayer(path) > layer)
        problems.push(`src/${file} imports src/${path}, which is above it in ${folder}`)
  }
}

if (problems.length) {
  console.error(problems.join('\n'))
  process.exit(1)
}
