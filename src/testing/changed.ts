import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../paths.ts'

/** Runs a git command, and returns the paths that it lists, below the root. */
const runGit = (...command: string[]): string[] =>
  execFileSync('git', command, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

/** Lists the files that differ from the last commit, including new ones. */
export const listChangedFiles = (): string[] => [
  ...new Set([...runGit('diff', '--name-only', 'HEAD'), ...runGit('ls-files', '--others', '--exclude-standard')]),
]

/**
 * Returns the test files that are closest to some changed files: those that changed, those in the same folder or in the nearest parent
 * folder with tests, and those that import one directly. Indirect imports are ignored, as every test reaches almost everything through the
 * application.
 * @param changed paths below the root
 */
export function findRelatedTests(changed: readonly string[]): string[] {
  const tests = globSync('src/**/*.test.ts', { cwd: ROOT })
  const modules = changed.filter((file) => file.startsWith('src/'))
  const nearbyTests = modules.flatMap((file) => {
    for (let folder = dirname(file); folder !== 'src' && folder !== '.'; folder = dirname(folder)) {
      const siblings = tests.filter((test) => dirname(test) === folder)
      if (siblings.length > 0) return siblings
    }
    return []
  })
  const importingTests = tests.filter((test) =>
    [...readFileSync(join(ROOT, test), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].some(([, path = '']) =>
      modules.includes(join(dirname(test), path)),
    ),
  )
  return [...new Set([...tests.filter((test) => modules.includes(test)), ...nearbyTests, ...importingTests])].sort()
}
