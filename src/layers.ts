import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './paths.ts'

/**
 * The layers of the two kits, from the bottom up. Each imports only itself and the layers before it, types included; `npm run check` runs
 * this file and fails otherwise. docs/codemap.md describes each layer.
 */
const KITS: { kit: string; layers: string[]; below: string[] }[] = [
  {
    kit: 'kit',
    layers: ['values', 'request', 'sql', 'services', 'definition', 'reading', 'writing', 'http'],
    // the configuration of the process, its files, and the database driver
    below: ['config.ts', 'paths.ts', 'database/own-connection.ts', 'database/text-query.ts'],
  },
  {
    kit: 'console/kit',
    layers: ['values', 'language', 'service', 'navigation', 'page', 'window', 'form', 'table', 'grid', 'files'],
    below: ['console/languages/'],
  },
]

const src = join(ROOT, 'src')
const problems: string[] = []

for (const { kit, layers, below } of KITS) {
  for (const entry of readdirSync(join(src, kit)))
    if (!layers.includes(entry)) problems.push(`src/${kit}/${entry} is no layer of the kit: name it in src/layers.ts`)

  /** The layer of a file, by its index; undefined outside the kit. */
  const layerOf = (file: string) =>
    file.startsWith(`${kit}/`) ? layers.indexOf(file.slice(kit.length + 1).split('/')[0] as string) : undefined

  for (const file of globSync(`${kit}/**/*.{ts,tsx}`, { cwd: src })) {
    for (const [, path = ''] of readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const imported = relative(src, join(src, dirname(file), path))
      const [own, importedLayer] = [layerOf(file) as number, layerOf(imported)]
      if (
        importedLayer === undefined
          ? !below.some((start) => imported.startsWith(start)) && !/\.test\.tsx?$/.test(file)
          : importedLayer > own
      )
        problems.push(`src/${file} imports src/${imported}, which lies above it`)
    }
  }
}

if (problems.length) {
  console.error(problems.join('\n'))
  process.exit(1)
}
