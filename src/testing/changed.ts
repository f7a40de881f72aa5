import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../paths.ts'

/** Paths that git names below the root. */
const git = (...command: string[]): string[] =>
  execFileSync('git', command, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

/** The files that differ from the last commit, new ones with them. */
export const changedFiles = (): string[] => [
  ...new Set([...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]),
]

/**
 * The test files that are closest to some changed files: those that changed, those that lie in the folder of one or in the nearest folder
 * above it that has any, and those that import one themselves. Almost everything is reached through the application by every test, so that
 * what imports it at a distance says nothing.
 * @param changed paths below the root
 */
export function testsOf(changed: readonly string[]): string[] {
  const tests = globSync('src/**/*.test.ts', { cwd: ROOT })
  const modules = changed.filter((file) => file.startsWith('src/'))
  const near = modules.flatMap((file) => {
    for (let folder = dirname(file); folder !== 'src' && folder !== '.'; folder = dirname(folder)) {
      const found = tests.filter((test) => dirname(test) === folder)
      if (found.length > 0) return found
    }
    return []
  })
  const importing = tests.filter((test) =>
    [...readFileSync(join(ROOT, test), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].some(([, path = '']) =>
      modules.includes(join(dirname(test), path)),
    ),
  )
  return [...new Set([...tests.filter((test) => modules.includes(test)), ...near, ...importing])].sort()
}
