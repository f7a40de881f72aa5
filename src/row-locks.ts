import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Files that lock rows `for update`, which blocks every insert of a row that refers to them, with the reasons: `npm run check` runs this
 * file and fails for any other place. `for no key update` prevents changes of a row as well (docs/locks.md). Taking rows off a queue with
 * `skip locked` blocks nothing.
 */
const REASONS: Record<string, string> = {
  'src/kit/writing/write.ts': 'a row that is deleted: nothing may refer to it any more',
}

/** Returns the lines of a source text that lock rows `for update`, counted from 1. */
export const findLockingLines = (text: string): number[] =>
  text.split('\n').flatMap((line, index) => {
    const code = line.replace(/^\s*(\/\/|--|\/?\*).*$/, '')
    return /\bfor update\b(?!\s+(of \w+ )?skip locked)|\.for\(\s*['"]update/i.test(code) ? [index + 1] : []
  })

/** Returns the problems of the locks in the sources. */
function findProblems(): string[] {
  const root = join(import.meta.dirname, '..')
  const ownPath = relative(root, import.meta.filename)
  const files = globSync(['src/**/*.{ts,tsx}', 'migrations/*.sql'], {
    cwd: root,
    exclude: ['src/testing/**', 'src/**/*.test.ts'],
  })
  const locking = files
    .filter((file) => file !== ownPath)
    .flatMap((file) => findLockingLines(readFileSync(join(root, file), 'utf8')).map((line) => ({ file, line })))
  return [
    ...locking
      .filter(({ file }) => !(file in REASONS))
      .map(({ file, line }) => `${file}:${line} locks for update: write "for no key update", or say in src/row-locks.ts why not`),
    ...Object.keys(REASONS)
      .filter((file) => locking.every((location) => location.file !== file))
      .map((file) => `${file} does not lock for update any more: take it out of src/row-locks.ts`),
  ]
}

if (import.meta.main) {
  const problems = findProblems()
  if (problems.length) {
    console.error(problems.join('\n'))
    process.exit(1)
  }
}
