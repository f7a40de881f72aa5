import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

// Plain JavaScript, because every start loads it: the first module in TypeScript loads what reads that, 20 MB.

const ROOT = findRoot(import.meta.dirname)

/**
 * The folder of `package.json`: this module runs from `src`, and, where tests import it, from their bundle below `dist`.
 * @param {string} folder where to begin
 * @returns {string}
 */
function findRoot(folder) {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}

/** Folders below `src` of which nothing is part of the server. */
const ELSEWHERE = ['console', 'testing']

/**
 * The files that the server is made of: the sources, and `package.json` for the versions of the packages that are bundled.
 * @param {string} root the folder of `package.json`
 * @returns their paths below that folder, sorted
 */
export function sourceFiles(root = ROOT) {
  const sources = join(root, 'src')
  const files = readdirSync(sources, { withFileTypes: true })
    .filter(({ name }) => !ELSEWHERE.includes(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(join(sources, entry.name), { recursive: true }).map((path) => join(entry.name, String(path)))
        : [entry.name],
    )
    .filter((path) => /\.[jt]s$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => join('src', path).split(sep).join('/'))
  return [...files, 'package.json'].sort()
}

/**
 * The folder of the bundle of the sources as they are, whether it is made or not. Its name is a hash of them, so that no bundle of other
 * sources is ever run.
 * @param {string} root the folder of `package.json`
 */
export function bundleFolder(root = ROOT) {
  const hash = createHash('sha256')
  for (const file of sourceFiles(root)) {
    const content = readFileSync(join(root, file))
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return join(root, 'dist/server', hash.digest('hex').slice(0, 16))
}

/**
 * Makes the bundle of the server unless it is made, in a process of its own, which takes two seconds.
 * @returns its folder
 * @throws Error with what the bundler says
 */
export function bundleServer() {
  const folder = bundleFolder()
  if (existsSync(folder)) return folder
  const { status, stderr, error } = spawnSync(process.execPath, [join(ROOT, 'src/server-bundle/bundle.js'), folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(error?.message ?? stderr.trim())
  return folder
}
