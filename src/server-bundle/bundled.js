import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

// Plain JavaScript, because every start loads it: the first TypeScript module would load the TypeScript support, 20 MB.

const ROOT = findRoot(import.meta.dirname)

/**
 * Finds the folder of `package.json`: this module runs from `src` or, when tests import it, from their bundle below `dist`.
 * @param {string} folder the folder to start from
 * @returns {string}
 */
function findRoot(folder) {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}

/** Folders below `src` that are not part of the server. */
const ELSEWHERE = ['console', 'testing']

/**
 * Lists the files of the server: the sources, and those with the versions of the bundled packages.
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
  return [...files, 'package.json', 'package-lock.json'].sort()
}

/**
 * Returns the folder of the bundle of the current sources, whether it exists or not. Its name is a hash of them, so that a bundle of other
 * sources is never run.
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
 * Builds the bundle of the server unless it exists, in a process of its own, which takes two seconds.
 * @returns its folder
 * @throws Error with the output of the bundler
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
